import { randomBytes } from 'node:crypto';
import {
  bytesToBigInt,
  bytesToHex,
  decodeFunctionData,
  type Hex,
  hashTypedData,
  parseSignature,
  recoverAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import {
  authorizationDigest,
  encodeTransfer,
  isErc6492,
  normaliseSignature,
  recoverSigner,
} from '../../../chain/evm/authorization.ts';
import { recoverAddress as recoverAnyS } from '../../../chain/evm/key.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { USDC_ABI } from '../../../chain/evm/rpc/usdc.ts';
import { randomHash, someAuthorization, typedData } from './authorizations.ts';

const profile = evmProfile('base', 'local');
const digestOf = authorizationDigest(profile);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function randomCase() {
  const account = privateKeyToAccount(bytesToHex(randomBytes(32)));
  const authorization = someAuthorization({
    from: account.address,
    value: bytesToBigInt(randomBytes(1 + (randomBytes(1)[0]! % 32))),
    validAfter: randomBytes(4).readUInt32BE(),
    validBefore: randomBytes(6).readUIntBE(0, 6),
  });
  return { account, authorization };
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

/** The same signature written with the other s: valid for most verifiers, refused by USDC. */
function withHighS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  return `${r}${word(ORDER - BigInt(s))}${yParity === 0 ? '1c' : '1b'}`;
}

const withV = (signature: Hex, v: string): Hex => `${signature.slice(0, -2) as Hex}${v}`;

describe('digest and signer', () => {
  test('200 random authorizations have the digest and the signer that viem finds', async () => {
    for (const _ of Array.from({ length: 200 })) {
      const { account, authorization } = randomCase();
      const typed = typedData(profile, authorization);
      const signature = await account.signTypedData(typed);
      expect(digestOf(authorization)).toBe(hashTypedData(typed));
      expect(recoverSigner(digestOf(authorization), signature)).toBe(account.address.toLowerCase());
    }
  });

  test('200 random signatures that nobody made recover what viem recovers, or nothing', async () => {
    for (const _ of Array.from({ length: 200 })) {
      const digest = randomHash();
      const signature: Hex = `0x${randomBytes(32).toString('hex')}00${randomBytes(31).toString('hex')}1b`;
      const expected = await recoverAddress({ hash: digest, signature }).then(
        (found) => found.toLowerCase(),
        () => null,
      );
      expect(recoverSigner(digest, signature)).toBe(expected);
    }
  });

  test('Base Sepolia has other digests', () => {
    const authorization = someAuthorization();
    const sepolia = evmProfile('base', 'testnet');
    expect(authorizationDigest(sepolia)(authorization)).toBe(hashTypedData(typedData(sepolia, authorization)));
    expect(authorizationDigest(sepolia)(authorization)).not.toBe(digestOf(authorization));
  });

  test('each field changes the digest', () => {
    const authorization = someAuthorization();
    const other = someAuthorization({ value: 2n, validAfter: 1, validBefore: 2 });
    const digests = Object.keys(authorization).map((field) =>
      digestOf({ ...authorization, [field]: other[field as keyof typeof other] }),
    );
    expect(new Set([digestOf(authorization), ...digests]).size).toBe(7);
  });

  test.each([
    ['a short address', { from: '0x1234' }],
    ['an address that is not hex', { to: `0x${'g'.repeat(40)}` }],
    ['a short nonce', { nonce: '0x00' }],
    ['a negative value', { value: -1n }],
    ['a value above 256 bits', { value: 1n << 256n }],
    ['a negative time', { validAfter: -1 }],
    ['half a second', { validBefore: 1.5 }],
  ])('%s has no digest', (_name, change) => {
    expect(() => digestOf(someAuthorization(change as object))).toThrow(/expected 0x|uint256|integer/);
  });
});

describe('strictness', () => {
  test('v as 0 or 1 is rewritten to what USDC accepts, and only then recovers', async () => {
    const { account, authorization } = randomCase();
    const digest = digestOf(authorization);
    const signature = await account.signTypedData(typedData(profile, authorization));
    const low = withV(signature, signature.endsWith('1b') ? '00' : '01');
    expect(normaliseSignature(low)).toBe(signature);
    expect(recoverSigner(digest, low)).toBeNull();
    expect(recoverSigner(digest, normaliseSignature(low)!)).toBe(account.address.toLowerCase());
  });

  test('a high s is refused', async () => {
    const { account, authorization } = randomCase();
    const signature = withHighS(await account.signTypedData(typedData(profile, authorization)));
    expect(normaliseSignature(signature)).toBeNull();
    expect(recoverSigner(digestOf(authorization), signature)).toBeNull();
  });

  test('control: without the check of s the twin signature recovers the payer', async () => {
    const { account, authorization } = randomCase();
    const bytes = Buffer.from(
      withHighS(await account.signTypedData(typedData(profile, authorization))).slice(2),
      'hex',
    );
    const signer = recoverAnyS(digestOf(authorization), bytes.subarray(0, 64), bytes[64]! - 27);
    expect(signer).toBe(account.address.toLowerCase());
  });

  test('half the order is the highest s', () => {
    const signature = (s: bigint): Hex => `0x${word(1n)}${word(s)}1b`;
    expect(normaliseSignature(signature(ORDER / 2n))).toBe(signature(ORDER / 2n));
    expect(normaliseSignature(signature(ORDER / 2n + 1n))).toBeNull();
  });

  test.each(['02', '1a', '1d', '1e', '25', 'ff'])('v 0x%s is refused', async (v) => {
    const { account, authorization } = randomCase();
    const signature = withV(await account.signTypedData(typedData(profile, authorization)), v);
    expect(normaliseSignature(signature)).toBeNull();
    expect(recoverSigner(digestOf(authorization), signature)).toBeNull();
  });

  test.each([
    ['r zero', `0x${word(0n)}${word(1n)}1b`],
    ['s zero', `0x${word(1n)}${word(0n)}1b`],
    ['r at the order', `0x${word(ORDER)}${word(1n)}1b`],
    ['r off the curve', `0x${word(5n)}${word(1n)}1b`],
    ['64 bytes', `0x${word(1n)}${word(1n)}`],
    ['66 bytes', `0x${word(1n)}${word(1n)}1b00`],
    ['nothing', '0x'],
    ['no hex', `0x${'g'.repeat(130)}`],
  ])('%s has no signer', (_name, signature) => {
    expect(recoverSigner(randomHash(), signature as Hex)).toBeNull();
  });
});

describe('encoding', () => {
  test('calldata is the form with a signature of any length', () => {
    const authorization = someAuthorization({ validAfter: 5 });
    const signature: Hex = `0x${'ab'.repeat(200)}`;
    const data = encodeTransfer(authorization, signature);
    const { args } = decodeFunctionData({ abi: USDC_ABI, data });
    // The selector of FiatTokenV2_2's transferWithAuthorization(…,bytes).
    expect(data.slice(0, 10)).toBe('0xcf092995');
    expect(args.slice(2)).toEqual([1_000_000n, 5n, 4_000_000_000n, authorization.nonce, signature]);
    expect(args.slice(0, 2).map((arg) => String(arg).toLowerCase())).toEqual([authorization.from, authorization.to]);
  });

  test('the suffix of ERC-6492 is seen', () => {
    expect(isErc6492(`0x1234${'6492'.repeat(16)}`)).toBe(true);
    expect(isErc6492(`0x1234${'6492'.repeat(15)}6493`)).toBe(false);
    expect(isErc6492('0x')).toBe(false);
  });
});
