/** Ten payers per network with play money, for people and programs that try the service out. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type MicroUsdc, microUsdc } from '../../core/money.ts';
import { eachNetwork, type Network } from '../../core/networks.ts';
import { withLock } from '../processes/directory-lock.ts';
import { readIfThere, writeWhole } from '../processes/whole-file.ts';

const PAYERS = 10;
const USDC_EACH = microUsdc(1_000_000_000n);

/** A chain, and what its payers are like. */
export type PayersChain<Payer extends { privateKey: string }> = {
  network: Network;
  rpcUrl: string;
  instanceId: string;
  /** Where the keys are kept. */
  dir: string;
  privateKeySchema: z.ZodType<Payer['privateKey']>;
  createPrivateKey: () => Payer['privateKey'];
  toPayer: (privateKey: Payer['privateKey']) => Payer;
  usdcBalance: (payer: Payer) => Promise<MicroUsdc>;
  fundUsdc: (payer: Payer, amount: MicroUsdc) => Promise<void>;
  /** What else new payers need. */
  equip: (payers: readonly Payer[]) => Promise<void>;
};

type Kept<PrivateKey> = {
  /** The chain on which these payers have their money. */
  fundedOn: string | null;
  privateKeys: PrivateKey[];
};

/** What others read. */
const publishedSchema = z.object({
  rpc: z.object(eachNetwork(() => z.string().optional())),
  payers: z.array(z.looseObject({ network: z.string() })),
});

/**
 * Makes the payers once, gives 1,000 USDC to each once per chain, and writes the part of this network into `file`
 * (`$DATA_DIR/local/payers.json`). May run for several networks at once.
 */
export async function ensurePayers<Payer extends { network: Network; privateKey: string }>(
  chain: PayersChain<Payer>,
  file: string,
): Promise<Payer[]> {
  const payers = await withLock(chain.dir, 'payers', () => fundOnce(chain));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The other network's part is written at the same time, and neither may be lost.
  await withLock(dirname(file), 'payers', () => publish(chain, payers, file));
  return payers;
}

async function fundOnce<Payer extends { privateKey: string }>(chain: PayersChain<Payer>): Promise<Payer[]> {
  const file = join(chain.dir, 'payers.json');
  const kept = await readKept(chain, file);
  const payers = kept.privateKeys.map(chain.toPayer);
  if (kept.fundedOn === chain.instanceId) return payers;
  for (const payer of payers) {
    // An interrupted run may have come this far before.
    const missing = USDC_EACH - (await chain.usdcBalance(payer));
    if (missing > 0n) await chain.fundUsdc(payer, microUsdc(missing));
  }
  await chain.equip(payers);
  await writeWhole(file, JSON.stringify({ ...kept, fundedOn: chain.instanceId }));
  return payers;
}

async function readKept<Payer extends { privateKey: string }>(
  { privateKeySchema, createPrivateKey }: PayersChain<Payer>,
  file: string,
): Promise<Kept<Payer['privateKey']>> {
  const keptSchema = z.object({
    fundedOn: z.string().nullable(),
    privateKeys: z.array(privateKeySchema).length(PAYERS),
  });
  const text = await readIfThere(file);
  if (text !== null) return keptSchema.parse(JSON.parse(text));
  const kept = { fundedOn: null, privateKeys: Array.from({ length: PAYERS }, createPrivateKey) };
  await writeWhole(file, JSON.stringify(kept));
  return kept;
}

/** The entries of other networks are kept as they are. */
async function publish(
  { network, rpcUrl }: { network: Network; rpcUrl: string },
  payers: readonly { network: Network }[],
  file: string,
): Promise<void> {
  const text = await readIfThere(file);
  const before = text === null ? { rpc: {}, payers: [] } : publishedSchema.parse(JSON.parse(text));
  const others = before.payers.filter((payer) => payer.network !== network);
  const all = [...payers, ...others].toSorted((left, right) => left.network.localeCompare(right.network));
  const after = JSON.stringify({ rpc: { ...before.rpc, [network]: rpcUrl }, payers: all }, null, 2);
  if (after !== text) await writeWhole(file, after);
}
