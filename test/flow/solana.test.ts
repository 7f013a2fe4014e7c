import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import { microUsdc } from '../../core/money.ts';
import { linkWallet } from '../../db/wallets.ts';
import { startSolanaChain, type SolanaChain } from '../support/solana-chain.ts';
import { makeSolanaProof, stockFetch } from '../support/solana-pay.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { post, type ReplyBody } from '../support/pay.ts';

let chain: SolanaChain;
let service: SolanaService;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 40 });
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
});

afterAll(async () => {
  await service.close();
  await chain.close();
});

const ONE = microUsdc(1_000_000n);
const dollars = (count: number) => microUsdc(BigInt(count) * 1_000_000n);

test.each([
  { generation: 'second', hideV2: false },
  { generation: 'first', hideV2: true },
])('the unmodified client of the $generation generation pays', async ({ hideV2 }) => {
  const payer = await chain.createKeypair({ usdc: dollars(5) });
  const pay = await stockFetch(payer, chain.rpcUrl, { hideV2 });
  const response = await pay(`${service.url}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receiver: 'alice', amount: 1 }),
  });
  const body = (await response.json()) as ReplyBody;
  expect([response.status, body.data?.status]).toEqual([200, 'pending_claim']);
  expect(await chain.usdcBalance(payer.publicKey)).toBe(4_000_000n);
  await service.assertSound();
});

test('a linked recipient is paid on the chain, and the books are exact', async () => {
  const payer = await chain.createKeypair({ usdc: dollars(5) });
  const wallet = Keypair.generate().publicKey.toBase58();
  const header = await makeSolanaProof(payer, chain.rpcUrl, {
    payTo: service.parts.treasury.address,
    feePayer: service.parts.feePayer.address,
    value: ONE,
  });
  const reply = await post(
    `${service.url}/payments/x/pay`,
    { receiver: 'bob', amount: 1 },
    { 'PAYMENT-SIGNATURE': header },
  );
  expect(reply.status).toBe(200);
  const [line] = await service.store.read.select().from(service.store.tables.lines);
  const lines = await service.store.read.select().from(service.store.tables.lines);
  const bob = lines.find(({ receiver }) => receiver === 'bob');
  await linkWallet(
    service.store,
    { identityId: bob?.identityId ?? '', network: 'solana', address: wallet, source: 'test' },
    service.solana.ids.payoutId,
    Date.now(),
  );
  service.worker?.wake();
  await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n));
  await eventually(async () => {
    const [payout] = await service.store.read.select().from(service.store.tables.payouts);
    expect(payout?.status).toBe('final');
  });
  await service.assertSound();
  expect(line).toBeDefined();
});
