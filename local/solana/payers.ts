/** Ten payers with play money, for people and programs that try the service out. They need no SOL: x402 pays it. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { microUsdc } from '../../core/money.ts';
import { withLock } from '../base/lock.ts';
import { readIfThere, writeWhole } from '../base/whole-file.ts';
import { fromBase58, toBase58 } from './chain/encoding.ts';
import type { LocalSolana } from './network.ts';

const PAYERS = 10;
const USDC_EACH = microUsdc(1_000_000_000n);
const FINALIZED_AFTER_BLOCKS = 32;

/** 64 bytes, the seed and the public key, in base58: what wallets of Solana import. */
const privateKeySchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);

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
export type SolanaPayer = { network: 'solana'; address: string; privateKey: string };

/**
 * Makes the payers once, gives 1,000 USDC to each once per chain, and writes the Solana part of `file`
 * (`$DATA_DIR/local/payers.json`). The writers of the two networks' parts must not run at the same time.
 */
export async function ensureSolanaPayers(localSolana: LocalSolana, file: string): Promise<SolanaPayer[]> {
  const kept = await withLock(localSolana.dir, 'payers', () => fundOnce(localSolana));
  const payers = kept.privateKeys.map(toPayer);
  await publish(file, localSolana.rpcUrl, payers);
  return payers;
}

async function fundOnce(localSolana: LocalSolana): Promise<Kept> {
  const file = join(localSolana.dir, 'payers.json');
  const kept = await readKept(file);
  if (kept.fundedOn === localSolana.instanceId) return kept;
  for (const privateKey of kept.privateKeys) {
    const { address } = toPayer(privateKey);
    // A run that was cut off may have come this far before.
    const missing = USDC_EACH - (await localSolana.usdcBalance(address));
    if (missing > 0n) await localSolana.fundUsdc(address, microUsdc(missing));
  }
  // Clients look at finalized balances, and nobody wants to wait for the first payment.
  await localSolana.warpSlots(FINALIZED_AFTER_BLOCKS);
  const funded = { ...kept, fundedOn: localSolana.instanceId };
  await writeWhole(file, JSON.stringify(funded));
  return funded;
}

async function readKept(file: string): Promise<Kept> {
  const text = await readIfThere(file);
  if (text !== null) return keptSchema.parse(JSON.parse(text));
  const kept: Kept = { fundedOn: null, privateKeys: Array.from({ length: PAYERS }, createPrivateKey) };
  await writeWhole(file, JSON.stringify(kept));
  return kept;
}

const jwkSchema = z.object({ d: z.string(), x: z.string() });

function createPrivateKey(): string {
  const { d, x } = jwkSchema.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  return toBase58(Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]));
}

function toPayer(privateKey: string): SolanaPayer {
  return { network: 'solana', address: toBase58(fromBase58(privateKey).subarray(32)), privateKey };
}

async function publish(file: string, rpcUrl: string, payers: SolanaPayer[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readIfThere(file);
  const before = text === null ? { rpc: {}, payers: [] } : publishedSchema.parse(JSON.parse(text));
  const others = before.payers.filter((payer) => payer.network !== 'solana');
  const after = JSON.stringify({ rpc: { ...before.rpc, solana: rpcUrl }, payers: [...others, ...payers] }, null, 2);
  if (after !== text) await writeWhole(file, after);
}
