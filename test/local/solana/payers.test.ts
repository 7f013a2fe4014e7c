import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { type LocalSolana, startLocalSolana } from '../../../local/solana/network.ts';
import { ensureSolanaPayers } from '../../../local/solana/payers.ts';
import { usdcAccount } from './transfers.ts';

const THOUSAND_USDC = microUsdc(1_000_000_000n);

let dir: string;
let file: string;
let solana: LocalSolana;
let payers: Awaited<ReturnType<typeof ensureSolanaPayers>>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-payers-'));
  file = join(dir, 'local', 'payers.json');
  solana = await startHere();
  payers = await ensureSolanaPayers(solana, file);
});
afterAll(async () => {
  await solana.close();
  await rm(dir, { recursive: true, force: true });
});

function startHere(): Promise<LocalSolana> {
  return startLocalSolana({ dir: join(dir, 'solana'), slotMs: 0 });
}

async function readPublished() {
  return JSON.parse(await readFile(file, 'utf8'));
}

// Each goes on where the one before ended.

test('ten payers get 1,000 USDC each and no SOL, finalized, and are published for their owner only', async () => {
  expect(new Set(payers.map(({ address }) => address)).size).toBe(10);
  const connection = new Connection(solana.rpcUrl, 'finalized');
  for (const { network, address, privateKey } of payers) {
    const bytes = Uint8Array.from(getBase58Encoder().encode(privateKey));
    expect(Keypair.fromSecretKey(bytes).publicKey.toBase58()).toBe(address);
    expect((await createKeyPairSignerFromBytes(bytes)).address).toBe(address);
    expect(network).toBe('solana');
    const account = usdcAccount(new PublicKey(address));
    expect((await connection.getTokenAccountBalance(account)).value.amount).toBe(THOUSAND_USDC.toString());
    expect(await connection.getBalance(new PublicKey(address))).toBe(0);
  }
  expect(await readPublished()).toEqual({ rpc: { solana: solana.rpcUrl }, payers });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a funding that was cut off is completed, not repeated', async () => {
  const kept = join(dir, 'solana', 'payers.json');
  await writeFile(kept, JSON.stringify({ ...JSON.parse(await readFile(kept, 'utf8')), fundedOn: null }));
  await ensureSolanaPayers(solana, file);
  expect(await solana.usdcBalance(payers[0]!.address)).toBe(THOUSAND_USDC);
});

test('the part of another network stays, and the address of the chain is refreshed', async () => {
  const base = { network: 'base', address: '0xabc', privateKey: '0xdef', extra: 1 };
  const rpc = { base: 'http://127.0.0.1:1', solana: 'http://127.0.0.1:2' };
  await writeFile(file, JSON.stringify({ rpc, payers: [...payers, base] }));
  await ensureSolanaPayers(solana, file);
  expect(await readPublished()).toEqual({
    rpc: { base: 'http://127.0.0.1:1', solana: solana.rpcUrl },
    payers: [base, ...payers],
  });
});

test('the same payers keep what they have over restarts and repeated calls', async () => {
  await solana.fundUsdc(payers[0]!.address, microUsdc(5n));
  await solana.close();
  solana = await startHere();
  const again = await Promise.all([ensureSolanaPayers(solana, file), ensureSolanaPayers(solana, file)]);
  expect(again).toEqual([payers, payers]);
  expect(await solana.usdcBalance(payers[0]!.address)).toBe(THOUSAND_USDC + 5n);
  expect(await solana.usdcBalance(payers[1]!.address)).toBe(THOUSAND_USDC);
});

test('on a fresh chain the same payers are funded anew', async () => {
  await solana.close();
  await rm(join(dir, 'solana', 'state.json'));
  solana = await startHere();
  expect(solana.origin).toBe('fresh');
  expect(await solana.usdcBalance(payers[9]!.address)).toBe(0n);
  expect(await ensureSolanaPayers(solana, file)).toEqual(payers);
  expect(await solana.usdcBalance(payers[9]!.address)).toBe(THOUSAND_USDC);
});
