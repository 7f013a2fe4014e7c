import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { EvmNetwork } from '../core/networks.ts';
import { privateKeySchema, toPrivateKey } from './solana/ground/private-key.ts';
import { createWholeSync, readIfThereSync, writeWholeSync } from './processes/whole-file.ts';

const key = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const LANES = 3;

/** What the first version wrote. Whatever else a file has stays there. */
const keptSchema = z.looseObject({
  treasuryKey: key,
  taskKey: key,
  laneKeys: z.array(key).min(1),
  chatWalletSeed: z.string().regex(/^[0-9a-f]{64}$/),
  botApiToken: z.string().min(32),
});
type KeptKeys = z.infer<typeof keptSchema>;

const localKeysSchema = z.object({
  ...keptSchema.shape,
  solanaTreasuryKey: privateKeySchema,
  solanaTaskKey: privateKeySchema,
  solanaFeePayerKey: privateKeySchema,
});
export type LocalKeys = z.infer<typeof localKeysSchema>;

export type LocalEvmKeys = Pick<LocalKeys, 'treasuryKey' | 'taskKey' | 'laneKeys'>;

/** Each network has keys of its own; those of Base are the ones that the first version wrote. */
export function localEvmKeys({ treasuryKey, taskKey, laneKeys }: LocalKeys, network: EvmNetwork): LocalEvmKeys {
  const derive = (purpose: string) =>
    key.parse(`0x${createHmac('sha256', treasuryKey).update(`pennypost/local/${network}-${purpose}`).digest('hex')}`);
  const keys = {
    base: () => ({ treasuryKey, taskKey, laneKeys }),
    polygon: () => ({
      treasuryKey: derive('treasury'),
      taskKey: derive('task'),
      laneKeys: laneKeys.map((_, lane) => derive(`lane-${lane}`)),
    }),
  } as const satisfies Record<EvmNetwork, () => LocalEvmKeys>;
  return keys[network]();
}

/** Keys to play money, made at the first start and kept beside the data they belong to. */
export function ensureLocalKeys(file: string): LocalKeys {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Of two starters the first wins, and the other reads what it wrote.
  if (readIfThereSync(file) === null) createWholeSync(file, format(makeKeys()));
  const kept = keptSchema.parse(JSON.parse(readIfThereSync(file) ?? ''));
  const all = { ...makeSolanaKeys(kept), ...kept };
  const keys = localKeysSchema.parse(all);
  if (Object.keys(all).length > Object.keys(kept).length) writeWholeSync(file, format(all));
  return keys;
}

function makeKeys(): KeptKeys {
  const privateKey = () => `0x${randomBytes(32).toString('hex')}` as const;
  return {
    treasuryKey: privateKey(),
    taskKey: privateKey(),
    laneKeys: Array.from({ length: LANES }, privateKey),
    chatWalletSeed: randomBytes(32).toString('hex'),
    botApiToken: randomBytes(32).toString('base64url'),
  };
}

/** Derived and not random: of two processes that add them to the same old file, both then use the same keys. */
function makeSolanaKeys({ treasuryKey }: KeptKeys) {
  const derive = (purpose: string) =>
    toPrivateKey(createHmac('sha256', treasuryKey).update(`pennypost/local/solana-${purpose}`).digest());
  return {
    solanaTreasuryKey: derive('treasury'),
    solanaTaskKey: derive('task'),
    solanaFeePayerKey: derive('fee-payer'),
  };
}

function format(keys: KeptKeys): string {
  return JSON.stringify(keys, null, 2);
}
