import { inspect } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { isSignedBy, readSolanaKey, toSolanaKey } from '../../../../chain/solana/messages/key.ts';

const keypair = Keypair.generate();
const text = toBase58(keypair.secretKey);
const key = readSolanaKey(text);
const message = Buffer.from('a message');

test('the key that wallets export is read with its address', () => {
  expect(key.address).toBe(keypair.publicKey.toBase58());
});

test('its first half alone makes the same key, and fewer bytes make none', () => {
  expect(toSolanaKey(keypair.secretKey.slice(0, 32)).address).toBe(key.address);
  expect(() => toSolanaKey(keypair.secretKey.slice(0, 31))).toThrow('32 bytes');
});

test('it signs, and its signature belongs to its address and its message only', () => {
  const signature = key.sign(message);
  expect(signature).toHaveLength(64);
  expect(isSignedBy(key.address, message, signature)).toBe(true);
  expect(isSignedBy(key.address, Buffer.from('b message'), signature)).toBe(false);
  expect(isSignedBy(Keypair.generate().publicKey.toBase58(), message, signature)).toBe(false);
  expect(key.sign(message)).toEqual(signature);
});

test.each([
  ['too short', new Uint8Array(63)],
  ['too long', new Uint8Array(65)],
  ['changed', key.sign(message).with(5, 1).with(6, 1)],
])('a signature that is %s belongs to nobody', (_name, signature) => {
  expect(isSignedBy(key.address, message, signature)).toBe(false);
});

test('text that is no address has signed nothing', () => {
  expect(isSignedBy('alice', message, key.sign(message))).toBe(false);
});

describe('a key is refused, and not shown,', () => {
  const other = Keypair.generate().secretKey;
  test.each([
    ['that is empty', ''],
    ['that is no base58', `0${text.slice(1)}`],
    ['of 32 bytes', toBase58(keypair.secretKey.subarray(0, 32))],
    ['as a list of numbers', JSON.stringify([...keypair.secretKey])],
    ['in hexadecimal', Buffer.from(keypair.secretKey).toString('hex')],
    [
      'whose halves do not belong together',
      toBase58(Buffer.concat([keypair.secretKey.subarray(0, 32), other.subarray(32)])),
    ],
  ])('%s', (_name, wrong) => {
    const read = () => readSolanaKey(wrong);
    expect(read).toThrow('a Solana key');
    if (wrong !== '') expect(read).not.toThrow(wrong);
  });
});

test('the secret is not in what a log would show of the key', () => {
  const shown = `${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify(key)}`;
  for (const secret of [text, Buffer.from(keypair.secretKey.subarray(0, 32)).toString('hex')]) {
    expect(shown).not.toContain(secret);
  }
  expect(Object.keys(key)).toEqual(['address', 'sign']);
});
