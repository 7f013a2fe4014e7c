import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { z } from 'zod';

/** About 128 MiB and half a second for each guess (OWASP, "Password Storage", scrypt). */
export const SCRYPT_COST = 2 ** 17;
const BLOCK_SIZE = 8;
/** What a file written by a stranger can make this computer use: cost times block size, 128 bytes each. */
const WORK_MAX = 2 ** 23;
const MEMORY_MAX = 2 ** 31 - 1;
const [SALT_BYTES, NONCE_BYTES, TAG_BYTES, KEY_BYTES] = [32, 12, 16, 32] as const;

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

/** Hex and not base64: each value has one spelling, so no byte of the file can change unnoticed. */
const fileSchema = z.strictObject({
  kind: z.literal('pennypost keystore'),
  version: z.literal(1),
  scrypt: z
    .strictObject({ cost: z.int().min(2), blockSize: z.int().min(1), parallel: z.literal(1), salt: hexOf(SALT_BYTES) })
    .refine(({ cost, blockSize }) => cost * blockSize <= WORK_MAX),
  nonce: hexOf(NONCE_BYTES),
  tag: hexOf(TAG_BYTES),
  secret: z.string().regex(/^(?:[0-9a-f]{2})+$/),
});
type SealedFile = z.infer<typeof fileSchema>;
type Head = Omit<SealedFile, 'tag' | 'secret'>;

export type Random = (bytes: number) => Uint8Array;

/**
 * Seals a text under a password: scrypt makes 32 bytes of it, AES-256-GCM encrypts the text with them and authenticates
 * the fields beside it. Salt and nonce are new each time, so two files of the same content have nothing in common.
 */
export function seal(text: string, password: string, random: Random, cost = SCRYPT_COST): string {
  const head: Head = {
    kind: 'pennypost keystore',
    version: 1,
    scrypt: { cost, blockSize: BLOCK_SIZE, parallel: 1, salt: toHex(random(SALT_BYTES)) },
    nonce: toHex(random(NONCE_BYTES)),
  };
  const cipher = createCipheriv('aes-256-gcm', deriveKey(password, head), fromHex(head.nonce));
  cipher.setAAD(Buffer.from(JSON.stringify(head)));
  const secret = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return format({ ...head, tag: toHex(cipher.getAuthTag()), secret: toHex(secret) });
}

/** Null for another password and for a file in which anything was changed: GCM cannot tell the two apart. */
export function unseal(sealed: string, password: string): string | null {
  const file = readFile(sealed);
  if (file === null) return null;
  try {
    const { tag, secret, ...head } = file;
    const key = deriveKey(password, head);
    const decipher = createDecipheriv('aes-256-gcm', key, fromHex(head.nonce), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(JSON.stringify(head)));
    decipher.setAuthTag(fromHex(tag));
    return Buffer.concat([decipher.update(fromHex(secret)), decipher.final()]).toString('utf8');
  } catch {
    // A cost that is no power of two was changed too.
    return null;
  }
}

/** Null unless the text is what `format` makes, to the byte. */
function readFile(text: string): SealedFile | null {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text));
    return parsed.success && format(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
}

function format(file: SealedFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function deriveKey(password: string, { scrypt: { cost, blockSize, parallel, salt } }: Head): Buffer {
  const options = { N: cost, r: blockSize, p: parallel, maxmem: MEMORY_MAX };
  // The same characters can be typed in several ways; NFKC makes one of them.
  return scryptSync(password.normalize('NFKC'), fromHex(salt), KEY_BYTES, options);
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const fromHex = (text: string) => Buffer.from(text, 'hex');
