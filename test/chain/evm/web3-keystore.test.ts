/** Vectors: ethereum.org, "Web3 Secret Storage Definition". */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openWeb3Keystore, sealWeb3Keystore } from '../../../chain/evm/web3-keystore.ts';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { randomHash } from './authorizations.ts';

const SECRET = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262_144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

describe.each([
  ['pbkdf2', PBKDF2],
  ['scrypt', SCRYPT],
])('the published vector of %s', (_name, vector) => {
  test('opens with its password', () => {
    expect(openWeb3Keystore(JSON.stringify(vector), 'testpassword')).toEqual({ kind: 'key', key: SECRET });
  });
});

const options = { random: randomBytes, cost: 2 ** 10 };

test('a file opens with no other password, and not when it was changed', () => {
  const text = sealWeb3Keystore(randomHash(), 'testpassword', options);
  expect(openWeb3Keystore(text, 'testpasswore')).toEqual({ kind: 'wrong-password' });
  const file = JSON.parse(text) as { crypto: { ciphertext: string } };
  const flipped = file.crypto.ciphertext.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const changed = { ...file, crypto: { ...file.crypto, ciphertext: flipped } };
  expect(openWeb3Keystore(JSON.stringify(changed), 'testpassword')).toEqual({ kind: 'wrong-password' });
});

test('a file that was written opens, names its address and holds no key in the clear', () => {
  const key = randomHash();
  const text = sealWeb3Keystore(key, 'a long password', options);
  expect(openWeb3Keystore(text, 'a long password')).toEqual({ kind: 'key', key });
  expect(JSON.parse(text)).toMatchObject({
    version: 3,
    address: addressOfKey(key).slice(2),
    crypto: { kdf: 'scrypt' },
  });
  expect(text).not.toContain(key.slice(2));
  expect(sealWeb3Keystore(key, 'a long password', options)).not.toBe(text);
});

test('a file that names another address is not believed', () => {
  const file = JSON.parse(sealWeb3Keystore(randomHash(), 'a', options)) as Record<string, unknown>;
  expect(openWeb3Keystore(JSON.stringify({ ...file, address: '1'.repeat(40) }), 'a')).toEqual({
    kind: 'other-address',
  });
});

test.each<[string, unknown]>([
  ['nothing', ''],
  ['another version', { ...SCRYPT, version: 1 }],
  ['another cipher', { ...SCRYPT, crypto: { ...SCRYPT.crypto, cipher: 'aes-128-cbc' } }],
  ['another derivation', { ...SCRYPT, crypto: { ...SCRYPT.crypto, kdf: 'argon2id' } }],
  [
    'work without end',
    { ...SCRYPT, crypto: { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, n: 2 ** 30 } } },
  ],
  [
    'rounds without end',
    { ...PBKDF2, crypto: { ...PBKDF2.crypto, kdfparams: { ...PBKDF2.crypto.kdfparams, c: 2 ** 31 } } },
  ],
])('a file of %s is refused before any work', (_name, file) => {
  expect(openWeb3Keystore(JSON.stringify(file), 'testpassword')).toEqual({ kind: 'no-such-file' });
});
