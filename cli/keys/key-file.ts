import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { z } from 'zod';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { Stop } from '../terminal/stop.ts';

/**
 * A private key under a password: scrypt derives 32 bytes, with which AES-256-GCM encrypts the key and binds the fields
 * beside it. Without the password nobody can read the key or give it another address.
 */
const keyFileSchema = z.object({
  version: z.literal(1),
  network: z.enum(NETWORKS),
  address: z.string().min(1).max(100),
  scrypt: z.object({
    // Limits on the work that a file from a stranger can cause.
    cost: z
      .int()
      .min(2)
      .max(2 ** 20),
    blockSize: z.int().min(1).max(16),
    parallel: z.int().min(1).max(4),
    salt: z.base64(),
  }),
  iv: z.base64(),
  tag: z.base64(),
  secret: z.base64().max(1_000),
});
export type KeyFile = z.infer<typeof keyFileSchema>;

/** About 128 MiB and half a second for each guess (OWASP, "Password Storage", scrypt). */
export const SCRYPT_COST = 2 ** 17;
const MEMORY_MAX = 2 ** 31 - 1;
const TAG_BYTES = 16;

export type Secret = { network: Network; address: string; privateKey: string };
type Random = (bytes: number) => Uint8Array;

export async function sealKey(secret: Secret, password: string, random: Random, cost = SCRYPT_COST): Promise<KeyFile> {
  const { network, address, privateKey } = secret;
  const open = {
    version: 1 as const,
    network,
    address,
    scrypt: { cost, blockSize: 8, parallel: 1, salt: toBase64(random(16)) },
    iv: toBase64(random(12)),
  };
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(password, open.scrypt), fromBase64(open.iv));
  cipher.setAAD(bound(open));
  const hidden = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()]);
  return { ...open, tag: toBase64(cipher.getAuthTag()), secret: toBase64(hidden) };
}

/** The private key. Throws Stop for another password; a changed file looks the same. */
export async function openKey(file: KeyFile, password: string): Promise<string> {
  const key = await deriveKey(password, file.scrypt);
  const decipher = createDecipheriv('aes-256-gcm', key, fromBase64(file.iv), { authTagLength: TAG_BYTES });
  decipher.setAAD(bound(file));
  try {
    decipher.setAuthTag(fromBase64(file.tag));
    return Buffer.concat([decipher.update(fromBase64(file.secret)), decipher.final()]).toString('utf8');
  } catch {
    // GCM has the same error for a wrong key, a changed text and a changed tag.
    throw new Stop('usage', 'wrong_password', 'That is not the password of this key file.', 'Nothing was signed.');
  }
}

/** Null for what is no key file. */
export function readKeyFile(text: string): KeyFile | null {
  try {
    const parsed = keyFileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The fields that are bound to the key. */
function bound({
  version,
  network,
  address,
  scrypt: { cost, blockSize, parallel, salt },
}: Omit<KeyFile, 'tag' | 'secret'>) {
  return Buffer.from(JSON.stringify([version, network, address, cost, blockSize, parallel, salt]));
}

function deriveKey(password: string, { cost, blockSize, parallel, salt }: KeyFile['scrypt']): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallel, maxmem: MEMORY_MAX };
  return new Promise((resolve, reject) => {
    // The same characters can be typed in several ways; NFKC unifies them.
    scrypt(password.normalize('NFKC'), fromBase64(salt), 32, options, (error, key) => {
      if (error) reject(new Error('no key can be made of this password', { cause: error }));
      else resolve(key);
    });
  });
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const fromBase64 = (text: string) => Buffer.from(text, 'base64');
