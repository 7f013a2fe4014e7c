import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { type LocalEvm, startLocalEvm } from '../../../local/evm/network.ts';
import { ensureEvmPayers } from '../../../local/evm/payers.ts';
import { callHex } from '../../../local/evm/rpc.ts';

const THOUSAND_USDC = microUsdc(1_000_000_000n);

let dir: string;
let file: string;
let base: LocalEvm;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-payers-'));
  file = join(dir, 'local', 'payers.json');
  base = await startHere();
});
afterEach(async () => {
  await base.close();
  await rm(dir, { recursive: true, force: true });
});

function startHere(): Promise<LocalEvm> {
  return startLocalEvm({ network: 'base', dir: join(dir, 'base'), blockTimeMs: 0 });
}

async function readPublished() {
  return JSON.parse(await readFile(file, 'utf8'));
}

test('ten payers get 1,000 USDC and some ETH each, and are published for their owner only', async () => {
  const payers = await ensureEvmPayers(base, file);
  expect(new Set(payers.map(({ address }) => address)).size).toBe(10);
  for (const { address, privateKey } of payers) {
    expect(privateKeyToAccount(privateKey).address).toBe(address);
    expect(await base.usdcBalance(address)).toBe(THOUSAND_USDC);
    expect(BigInt(await callHex(base.rpcUrl, 'eth_getBalance', [address, 'latest']))).toBeGreaterThan(0n);
  }
  expect(await readPublished()).toEqual({ rpc: { base: base.rpcUrl }, payers });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('the same payers keep what they have over restarts and repeated calls', async () => {
  const payers = await ensureEvmPayers(base, file);
  await base.close();
  base = await startHere();
  const again = await Promise.all([ensureEvmPayers(base, file), ensureEvmPayers(base, file)]);
  expect(again).toEqual([payers, payers]);
  expect(await base.usdcBalance(payers[0]!.address)).toBe(THOUSAND_USDC);
});

test('a payer who has paid is not filled up again', async () => {
  const [payer] = await ensureEvmPayers(base, file);
  const balanceSlotBefore = await base.usdcBalance(payer!.address);
  await base.fundUsdc(payer!.address, microUsdc(5n));
  await ensureEvmPayers(base, file);
  expect(await base.usdcBalance(payer!.address)).toBe(balanceSlotBefore + 5n);
});

test('on a fresh chain the same payers are funded anew', async () => {
  const payers = await ensureEvmPayers(base, file);
  await base.close();
  await rm(join(dir, 'base', 'state.json'));
  base = await startHere();
  expect(base.origin).toBe('fresh');
  expect(await base.usdcBalance(payers[9]!.address)).toBe(0n);
  expect(await ensureEvmPayers(base, file)).toEqual(payers);
  expect(await base.usdcBalance(payers[9]!.address)).toBe(THOUSAND_USDC);
});

test('a funding that was cut off is completed, not repeated', async () => {
  const payers = await ensureEvmPayers(base, file);
  const kept = join(dir, 'base', 'payers.json');
  await writeFile(kept, JSON.stringify({ ...JSON.parse(await readFile(kept, 'utf8')), fundedOn: null }));
  await ensureEvmPayers(base, file);
  expect(await base.usdcBalance(payers[0]!.address)).toBe(THOUSAND_USDC);
});

test('the part of another network stays, and the address of the chain is refreshed', async () => {
  const payers = await ensureEvmPayers(base, file);
  const solana = { network: 'solana', address: 'SoMeBody', privateKey: 'base58', extra: 1 };
  const rpc = { base: 'http://127.0.0.1:1', solana: 'http://127.0.0.1:2' };
  await writeFile(file, JSON.stringify({ rpc, payers: [solana, ...payers] }));
  await ensureEvmPayers(base, file);
  expect(await readPublished()).toEqual({
    rpc: { base: base.rpcUrl, solana: 'http://127.0.0.1:2' },
    payers: [...payers, solana],
  });
});
