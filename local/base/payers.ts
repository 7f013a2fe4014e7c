/** Ten payers with play money, for people and programs that try the service out. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { microUsdc } from '../../core/money.ts';
import { addressSchema, privateKeySchema } from './keys.ts';
import { withLock } from './lock.ts';
import type { LocalBase } from './network.ts';
import { readIfThere, writeWhole } from './whole-file.ts';

const PAYERS = 10;
const USDC_EACH = microUsdc(1_000_000_000n);
const ETH_EACH_WEI = 10n ** 18n;

const keptSchema = z.object({
  /** The chain on which these payers have their money. */
  fundedOn: z.string().nullable(),
  privateKeys: z.array(privateKeySchema).length(PAYERS),
});
type Kept = z.infer<typeof keptSchema>;

/** What others read; the entries of another network are kept as they are. */
const publishedSchema = z.object({
  rpc: z.object({ base: z.string().optional(), solana: z.string().optional() }),
  payers: z.array(z.looseObject({ network: z.string() })),
});
const basePayerSchema = z.object({ network: z.literal('base'), address: addressSchema, privateKey: privateKeySchema });
export type BasePayer = z.infer<typeof basePayerSchema>;

/**
 * Makes the payers once, gives 1,000 USDC and 1 ETH to each once per chain, and writes the Base part of `file`
 * (`$DATA_DIR/local/payers.json`). The writers of the two networks' parts must not run at the same time.
 */
export async function ensurePayers(localBase: LocalBase, file: string): Promise<BasePayer[]> {
  const kept = await withLock(localBase.dir, 'payers', () => fundOnce(localBase));
  const payers = kept.privateKeys.map(toPayer);
  await publish(file, localBase.rpcUrl, payers);
  return payers;
}

async function fundOnce(localBase: LocalBase): Promise<Kept> {
  const file = join(localBase.dir, 'payers.json');
  const kept = await readKept(file);
  if (kept.fundedOn === localBase.instanceId) return kept;
  for (const privateKey of kept.privateKeys) {
    const { address } = privateKeyToAccount(privateKey);
    // A run that was cut off may have come this far before.
    const missing = USDC_EACH - (await localBase.usdcBalance(address));
    if (missing > 0n) await localBase.fundUsdc(address, microUsdc(missing));
    await localBase.fundEth(address, ETH_EACH_WEI);
  }
  const funded = { ...kept, fundedOn: localBase.instanceId };
  await writeWhole(file, JSON.stringify(funded));
  return funded;
}

async function readKept(file: string): Promise<Kept> {
  const text = await readIfThere(file);
  if (text !== null) return keptSchema.parse(JSON.parse(text));
  const kept: Kept = { fundedOn: null, privateKeys: Array.from({ length: PAYERS }, () => generatePrivateKey()) };
  await writeWhole(file, JSON.stringify(kept));
  return kept;
}

function toPayer(privateKey: BasePayer['privateKey']): BasePayer {
  return { network: 'base', address: privateKeyToAccount(privateKey).address, privateKey };
}

async function publish(file: string, rpcUrl: string, payers: BasePayer[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readIfThere(file);
  const before = text === null ? { rpc: {}, payers: [] } : publishedSchema.parse(JSON.parse(text));
  const others = before.payers.filter((payer) => payer.network !== 'base');
  const after = JSON.stringify({ rpc: { ...before.rpc, base: rpcUrl }, payers: [...payers, ...others] }, null, 2);
  if (after !== text) await writeWhole(file, after);
}
