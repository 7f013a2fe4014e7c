/** Nodes that forget, lag or change their mind: what they say must never become a second payment, nor a lost one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainUnavailable } from '../../../chain/errors.ts';
import type { SolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { sendPayouts } from '../../../worker/solana/payouts.ts';
import { post } from '../../support/pay.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { startSolanaService, type SolanaService } from '../../support/solana-service.ts';

let chain: SolanaChain;
let service: SolanaService;
/** What the node keeps from us. */
const node: { hidden: Set<string>; lags: boolean; oldestHeight: number | null; refuses: boolean } = {
  hidden: new Set(),
  lags: false,
  oldestHeight: null,
  refuses: false,
};

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  service = await startSolanaService({
    rpcUrl: chain.rpcUrl,
    fundSol: chain.fundSol,
    settlementWaitMs: 10_000,
    decorateWorker: (worker) => ({ ...worker, rpc: forgetful(worker.rpc) }),
  });
});
beforeEach(() => {
  node.hidden.clear();
  node.lags = false;
  node.oldestHeight = null;
  node.refuses = false;
});
afterAll(async () => {
  await service.close();
  await chain.close();
});

function forgetful(rpc: SolanaRpc): SolanaRpc {
  return {
    ...rpc,
    async statuses(signatures) {
      const answer = await rpc.statuses(signatures);
      if (node.lags) return { contextSlot: 0, statuses: answer.statuses.map(() => null) };
      const isHidden = (index: number) => node.hidden.has(signatures[index] ?? '');
      return { ...answer, statuses: answer.statuses.map((status, index) => (isHidden(index) ? null : status)) };
    },
    async ledgerStart() {
      if (node.refuses) throw new ChainUnavailable('getFirstAvailableBlock', 'refused', -32_601);
      const ledger = await rpc.ledgerStart();
      const height = node.oldestHeight ?? ledger.height;
      return { slot: ledger.slot - ledger.height + height, height };
    },
    async signaturesFor(account, since) {
      const answer = await rpc.signaturesFor(account, since);
      return { ...answer, found: answer.found.filter(({ signature }) => !node.hidden.has(signature)) };
    },
    transaction: async (signature) => (node.hidden.has(signature) ? null : rpc.transaction(signature)),
  };
}

async function pay(receiver: string) {
  const payer = await chain.createKeypair({ usdc: microUsdc(5_000_000n) });
  const { treasury, feePayer } = service.parts;
  const terms = { payTo: treasury.address, feePayer: feePayer.address, value: 1_000_000n };
  const header = await makeSolanaProof(payer, chain.rpcUrl, terms);
  const body = { receiver, amount: 1 };
  const send = () => post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header });
  return { payer, send };
}

async function paymentOf(receiver: string) {
  const { lines, payments } = service.store.tables;
  const allLines = await service.store.read.select().from(lines);
  const id = allLines.find((line) => line.receiver === receiver)?.paymentId;
  const found = (await service.store.read.select().from(payments)).find((payment) => payment.id === id);
  if (found === undefined) throw new Error(`nothing was claimed for ${receiver}`);
  return found;
}

async function carrierOf(receiver: string) {
  const { carrierId } = await paymentOf(receiver);
  const { carriers, carrierTransactions } = service.store.tables;
  const rows = await service.store.read
    .select({ id: carriers.id, status: carriers.status, signature: carrierTransactions.hash })
    .from(carriers)
    .innerJoin(carrierTransactions, eq(carrierTransactions.carrierId, carriers.id));
  const found = rows.find(({ id }) => id === carrierId);
  if (found === undefined) throw new Error(`no transaction for ${receiver}`);
  return found;
}

/** Blocks after which what landed is final. */
const FINAL_BLOCKS = 60;
/** Long enough for several looks at what is open. */
const LOOKS_MS = 1_000;

test('what a fork takes away leaves the books, and comes back with the transaction, charged once', async () => {
  const { payer, send } = await pay('fork');
  const answer = await send();
  expect(answer.status).toBe(200);
  const { signature } = await carrierOf('fork');
  // While the node does not have those blocks, it takes nothing out of the books.
  node.oldestHeight = chain.chain.blocks.last().height;
  node.hidden.add(signature);
  chain.mine(FINAL_BLOCKS);
  await sleep(LOOKS_MS);
  expect((await paymentOf('fork')).status).toBe('settled');
  node.oldestHeight = null;
  await eventually(async () => expect((await paymentOf('fork')).status).toBe('settling'));
  expect(await findViolations(service.store)).toEqual([]);
  const { observedTransfers } = service.store.tables;
  const rows = await service.store.read.select().from(observedTransfers);
  expect(rows.find(({ transaction }) => transaction === signature)?.landed).toBe(false);

  node.hidden.clear();
  await eventually(async () => expect((await paymentOf('fork')).status).toBe('final'));
  expect((await send()).body).toEqual(answer.body);
  expect(await chain.usdcBalance(payer.publicKey)).toBe(4_000_000n);
  const again = await service.store.read.select().from(observedTransfers);
  expect(again.find(({ transaction }) => transaction === signature)?.landings).toBe(2);
  await service.assertSound();
});

test('a node that lags proves no death, however old the blockhash is', async () => {
  const { payer, send } = await pay('lag');
  // Kept by the node until we have begun to doubt it: then it has certainly been sent.
  await chain.setFault({ kind: 'hold', times: 1 });
  const waiting = send();
  await eventually(async () => expect((await chain.waiting()).held).toBe(1));
  node.lags = true;
  await chain.release();
  await eventually(async () => expect(await chain.usdcBalance(payer.publicKey)).toBe(4_000_000n));
  chain.expireBlockhashes();
  chain.expireBlockhashes();
  expect((await carrierOf('lag')).status).toBe('open');

  node.lags = false;
  const answer = await waiting;
  expect([200, 500]).toContain(answer.status);
  await eventually(async () => expect((await paymentOf('lag')).status).toBe('final'));
  expect((await send()).status).toBe(200);
  expect(await chain.usdcBalance(payer.publicKey)).toBe(4_000_000n);
  await service.assertSound();
});

test('a transaction that was dropped is dead when its blockhash is, and the proof is refused for good', async () => {
  const { payer, send } = await pay('dropped');
  await chain.setFault({ kind: 'drop' });
  const waiting = send();
  await eventually(async () => void (await carrierOf('dropped')));
  await eventually(async () => expect(await chain.fired('drop')).toBeGreaterThan(0));
  chain.expireBlockhashes();
  const answer = await waiting;
  expect([answer.status, answer.body['error']]).toEqual([402, 'payment_expired']);
  await chain.clearFaults();
  expect((await send()).status).toBe(402);
  expect((await carrierOf('dropped')).status).toBe('dead');
  expect(await chain.usdcBalance(payer.publicKey)).toBe(5_000_000n);
  await service.assertSound();
});

/** Paid out to a wallet, and the node forgets the transaction before its end is in the books. */
async function payOutForgotten(receiver: string, fault: 'hold' | 'drop') {
  const { send } = await pay(receiver);
  expect((await send()).status).toBe(200);
  const { store, parts, solana, worker } = service;
  await chain.fundUsdc(parts.treasury.address, microUsdc(5_000_000n));
  const wallet = Keypair.generate().publicKey.toBase58();
  await chain.fundUsdc(wallet, microUsdc(7n));
  const line = (await store.read.select().from(store.tables.lines)).find((one) => one.receiver === receiver);
  await chain.setFault({ kind: fault, ...(fault === 'hold' ? { times: 1 } : {}) });
  const link = { identityId: line?.identityId ?? '', network: 'solana' as const, address: wallet, source: 'test' };
  await linkWallet(store, link, solana.transferIdOf, Date.now());
  worker?.wake();
  await eventually(async () => expect(await chain.fired(fault)).toBeGreaterThan(0));
  const found = await store.read
    .select({ carrier: store.tables.carriers, signature: store.tables.carrierTransactions.hash })
    .from(store.tables.carriers)
    .innerJoin(
      store.tables.carrierTransactions,
      eq(store.tables.carrierTransactions.carrierId, store.tables.carriers.id),
    );
  const payout = found.find(({ carrier }) => carrier.kind === 'payout' && carrier.status === 'open');
  if (payout === undefined) throw new Error('no payout is open');
  const { id, lastValidHeight } = payout.carrier;
  node.hidden.add(payout.signature);
  const statusOf = async () =>
    (await store.read.select().from(store.tables.carriers)).find((carrier) => carrier.id === id)?.status;
  const received = async () => (await chain.usdcBalance(wallet)) - 7n;
  return { statusOf, received, lastValidHeight: lastValidHeight ?? 0, signature: payout.signature };
}

test('a payout is not paid again because a node that has lost the blocks since, or does not say which it has, denies it', async () => {
  const payout = await payOutForgotten('gone', 'hold');
  node.oldestHeight = payout.lastValidHeight - 299;
  await chain.release();
  await eventually(async () => expect(await payout.received()).toBe(1_000_000n));
  chain.expireBlockhashes();
  chain.expireBlockhashes();
  await sleep(LOOKS_MS);
  expect([await payout.statusOf(), await payout.received()]).toEqual(['open', 1_000_000n]);
  // It refuses before it says anything else.
  node.refuses = true;
  await sleep(LOOKS_MS);
  expect([await payout.statusOf(), await payout.received()]).toEqual(['open', 1_000_000n]);
  // A node that has them, or an archive.
  node.hidden.clear();
  await eventually(async () => expect(await payout.statusOf()).toBe('final'));
  expect(await payout.received()).toBe(1_000_000n);
  await service.assertSound();
});

test('a payout that was lost is paid by another transaction where the node has all blocks in which it could have landed', async () => {
  const payout = await payOutForgotten('kept', 'drop');
  node.oldestHeight = payout.lastValidHeight - 300;
  chain.expireBlockhashes();
  await eventually(async () => expect(await payout.statusOf()).toBe('dead'));
  await chain.clearFaults();
  await eventually(async () => expect(await payout.received()).toBe(1_000_000n));
});

test('a round that has nothing to pay out has sent nothing, so the engine rests', async () => {
  await eventually(async () => expect(await sendPayouts(service.solana)).toBe(0));
});
