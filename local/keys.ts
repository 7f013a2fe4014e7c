import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const key = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const LANES = 3;

const localKeysSchema = z.object({
  treasuryKey: key,
  taskKey: key,
  laneKeys: z.array(key).min(1),
  chatWalletSeed: z.string().regex(/^[0-9a-f]{64}$/),
  botApiToken: z.string().min(32),
});
export type LocalKeys = z.infer<typeof localKeysSchema>;

/** Keys to play money, made at the first start and kept beside the data they belong to. */
export function ensureLocalKeys(file: string): LocalKeys {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // `wx` makes the first of two starters win; the other reads what it wrote.
    writeFileSync(file, JSON.stringify(makeKeys(), null, 2), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return localKeysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function makeKeys(): LocalKeys {
  const privateKey = () => `0x${randomBytes(32).toString('hex')}` as const;
  return {
    treasuryKey: privateKey(),
    taskKey: privateKey(),
    laneKeys: Array.from({ length: LANES }, privateKey),
    chatWalletSeed: randomBytes(32).toString('hex'),
    botApiToken: randomBytes(32).toString('base64url'),
  };
}
