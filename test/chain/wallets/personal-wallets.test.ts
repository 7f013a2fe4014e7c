import { randomBytes } from 'node:crypto';
import { bytesToHex, recoverTypedDataAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { createPersonalWallets, toPrivateKey } from '../../../chain/wallets/personal-wallets.ts';
import { someAuthorization, typedData } from '../evm/authorizations.ts';

const profile = evmProfile('base', 'local');
const seed = Buffer.alloc(32, 7);
const wallets = createPersonalWallets({ seed, profile });

/** The order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

describe('addresses', () => {
  test('the same seed and wallet id give the same address for ever', () => {
    expect(wallets.addressOf('web:1')).toBe('0x87584effa8b8900e36f78217a27744f24fd1ccbd');
    expect(wallets.addressOf('discord:81384788765712384')).toBe('0xf1c7ab9148884b38f3ab0953ddc0ca1702bc0894');
  });

  test('ids that agree in their first 31 bits, or as numbers, have different wallets', () => {
    const ids = ['telegram:1', 'telegram:2147483649', 'telegram:4294967297', 'telegram:01', 'discord:1'];
    expect(new Set(ids.map(wallets.addressOf)).size).toBe(ids.length);
  });

  test('another seed gives other addresses', () => {
    const others = createPersonalWallets({ seed: Buffer.alloc(32, 8), profile });
    expect(others.addressOf('web:1')).not.toBe(wallets.addressOf('web:1'));
  });

  test.each([0, 16, 31, 33, 64])('a seed of %d bytes is refused', (length) => {
    expect(() => createPersonalWallets({ seed: randomBytes(length), profile })).toThrow('32 bytes');
  });

  test.each(['', 'a b', 'web:ä', 'web:1\n', 'x'.repeat(301)])('the wallet id %j is refused', (walletId) => {
    expect(() => wallets.addressOf(walletId)).toThrow('wallet id');
  });
});

describe('keys', () => {
  test('zero, the order and what is above are hashed until they are a key', () => {
    const above = Buffer.alloc(32, 0xff);
    for (const candidate of [Buffer.alloc(32), ORDER, above]) {
      const key = toPrivateKey(candidate);
      expect(key).not.toBe(bytesToHex(candidate));
      expect(privateKeyToAddress(key)).toMatch(/^0x/);
    }
  });

  test('a valid candidate is the key itself', () => {
    expect(toPrivateKey(Buffer.alloc(32, 1))).toBe(`0x${'01'.repeat(32)}`);
  });
});

describe('signing', () => {
  test('viem recovers the wallet from a signed transfer', async () => {
    const authorization = someAuthorization({ from: wallets.addressOf('web:1') });
    const signature = await wallets.signTransferAuthorization('web:1', authorization);
    const signer = await recoverTypedDataAddress({ ...typedData(profile, authorization), signature });
    expect(signer.toLowerCase()).toBe(wallets.addressOf('web:1'));
  });

  test('a withdrawal is a transfer under its own nonce', async () => {
    const nonce = withdrawalNonce({ id: 'c0ffee', generation: 1 });
    const authorization = someAuthorization({ from: wallets.addressOf('web:1'), nonce });
    const signature = await wallets.signTransferAuthorization('web:1', authorization);
    const signer = await recoverTypedDataAddress({ ...typedData(profile, authorization), signature });
    expect(signer.toLowerCase()).toBe(wallets.addressOf('web:1'));
  });

  test('a transfer out of another person’s wallet is refused', async () => {
    const authorization = someAuthorization({ from: wallets.addressOf('web:2') });
    await expect(wallets.signTransferAuthorization('web:1', authorization)).rejects.toThrow('not 0x');
  });

  test('a transfer of nothing, or to a contract that keeps it, is refused', async () => {
    const from = wallets.addressOf('web:1');
    const signed = (change: object) =>
      wallets.signTransferAuthorization('web:1', someAuthorization({ from, ...change }));
    await expect(signed({ value: 0n })).rejects.toThrow('more than zero');
    await expect(signed({ to: profile.usdc })).rejects.toThrow('may not go');
    await expect(signed({})).resolves.toMatch(/^0x[0-9a-f]{130}$/);
  });
});
