/** Web3 Secret Storage, version 3: the file in which wallets and nodes keep one key of an EVM network. */
import { scrypt as scryptByNoble } from '@noble/hashes/scrypt';
import { createCipheriv, createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { keccak256, type Hex } from 'viem';
import { z } from 'zod';
import { addressOfKey } from './key.ts';

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`));
const salt = z.string().regex(/^(?:[0-9a-fA-F]{2}){1,64}$/);
/** What a file of a stranger can make this computer do. */
const [SCRYPT_MEMORY_MAX, SCRYPT_WORK_MAX, ROUNDS_MAX] = [2 ** 30, 2 ** 26, 10_000_000];
const MEMORY_MAX = 2 ** 31 - 1;
const DERIVED_BYTES = 32 as const;

const scrypt = z.object({
  kdf: z.literal('scrypt'),
  kdfparams: z
    .object({ dklen: z.literal(DERIVED_BYTES), n: z.int().min(2), r: z.int().min(1), p: z.int().min(1), salt })
    .refine(({ n, r, p }) => 128 * n * r <= SCRYPT_MEMORY_MAX && n * r * p <= SCRYPT_WORK_MAX),
});
const pbkdf2 = z.object({
  kdf: z.literal('pbkdf2'),
  kdfparams: z.object({
    dklen: z.literal(DERIVED_BYTES),
    c: z.int().min(1).max(ROUNDS_MAX),
    prf: z.literal('hmac-sha256'),
    salt,
  }),
});
const sealed = z.object({
  cipher: z.literal('aes-128-ctr'),
  cipherparams: z.object({ iv: hexOf(16) }),
  ciphertext: hexOf(32),
  mac: hexOf(32),
});
/** Some programs write `Crypto`. */
const fileSchema = z
  .object({
    version: z.literal(3),
    address: z.string().optional(),
    crypto: z.unknown().optional(),
    Crypto: z.unknown().optional(),
  })
  .transform(({ address, crypto, Crypto }) => ({ address, crypto: crypto ?? Crypto }));
const cryptoSchema = z.discriminatedUnion('kdf', [scrypt.extend(sealed.shape), pbkdf2.extend(sealed.shape)]);
type Crypto = z.infer<typeof cryptoSchema>;

export type Web3Key =
  | { kind: 'key'; key: Hex }
  | { kind: 'no-such-file' }
  | { kind: 'wrong-password' }
  | { kind: 'other-address' };

/** Opens a file. `other-address`: it says that it is of another key than the one inside. */
export function openWeb3Keystore(text: string, password: string): Web3Key {
  const file = read(text);
  if (file === null) return { kind: 'no-such-file' };
  const { crypto, address } = file;
  const derived = derive(password, crypto);
  const ciphertext = Buffer.from(crypto.ciphertext, 'hex');
  if (!timingSafeEqual(macOf(derived, ciphertext), Buffer.from(crypto.mac, 'hex'))) return { kind: 'wrong-password' };
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(crypto.cipherparams.iv, 'hex'));
  const key: Hex = `0x${Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('hex')}`;
  const named = address?.toLowerCase().replace(/^0x/, '') ?? '';
  return named === '' || `0x${named}` === addressOfKey(key) ? { kind: 'key', key } : { kind: 'other-address' };
}

type SealOptions = { random: (bytes: number) => Uint8Array; cost?: number };

/** The cost that nodes use: a quarter of a gigabyte for each guess. */
const COST = 2 ** 18;

/** The file for one key, as other programs read it. */
export function sealWeb3Keystore(key: Hex, password: string, { random, cost = COST }: SealOptions): string {
  const hex = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  const kdf = { kdf: 'scrypt' as const, kdfparams: { dklen: DERIVED_BYTES, n: cost, r: 8, p: 1, salt: hex(32) } };
  const iv = hex(16);
  const derived = derive(password, kdf);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(iv, 'hex'));
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(key.slice(2), 'hex')), cipher.final()]);
  const mac = macOf(derived, ciphertext).toString('hex');
  const crypto = { cipher: 'aes-128-ctr', cipherparams: { iv }, ciphertext: ciphertext.toString('hex'), ...kdf, mac };
  return `${JSON.stringify({ version: 3, id: toUuid(random(16)), address: addressOfKey(key).slice(2), crypto }, null, 2)}\n`;
}

function read(text: string): { address: string | undefined; crypto: Crypto } | null {
  try {
    const { address, crypto } = fileSchema.parse(JSON.parse(text));
    return { address, crypto: cryptoSchema.parse(crypto) };
  } catch {
    // No JSON, or another format: the caller says which one is wanted.
    return null;
  }
}

function derive(password: string, { kdf, kdfparams }: Pick<Crypto, 'kdf' | 'kdfparams'>): Buffer {
  const saltBytes = Buffer.from(kdfparams.salt, 'hex');
  if ('c' in kdfparams) return pbkdf2Sync(password, saltBytes, kdfparams.c, DERIVED_BYTES, 'sha256');
  if (kdf !== 'scrypt') throw new Error('a file is derived by scrypt or pbkdf2');
  const { n: N, r, p } = kdfparams;
  // Node's own refuses such a cost for so small a block (RFC 7914, 6), which old files have, the published one among them.
  if (Math.log2(N) >= 16 * r) return Buffer.from(scryptByNoble(password, saltBytes, { N, r, p, dkLen: DERIVED_BYTES }));
  return scryptSync(password, saltBytes, DERIVED_BYTES, { N, r, p, maxmem: MEMORY_MAX });
}

/** keccak-256 of the second half of what the password gives, and the ciphertext. */
function macOf(derived: Buffer, ciphertext: Buffer): Buffer {
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2), 'hex');
}

function toUuid(bytes: Uint8Array): string {
  const all = Buffer.from(bytes);
  all.writeUInt8((all.readUInt8(6) & 0x0f) | 0x40, 6);
  all.writeUInt8((all.readUInt8(8) & 0x3f) | 0x80, 8);
  return all.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
