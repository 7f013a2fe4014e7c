/** A sweep that was signed before its treasury was replaced, and never sent. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import { openBooks, TREASURY as FORMER, type Books } from '../../support/books.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { composeTransfers } from '../../../worker/evm/transfers.ts';

const [TASK, NEXT] = [`0x${'22'.repeat(20)}`, `0x${'88'.repeat(20)}`];
const network = 'base' as const;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** A worker that sends whatever it composes. */
function workerOf(formers: readonly string[]): EvmWorker {
  const { store, clock } = books;
  const worker = {
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    profile: { network },
    formers: formers.map((address) => ({ address })),
    rpc: {
      simulateBatch: ({ calls }: { calls: readonly unknown[] }) =>
        Promise.resolve(calls.map(() => ({ success: true }))),
    },
  };
  return worker as unknown as EvmWorker;
}

const lane = { address: `0x${'55'.repeat(20)}` } as Parameters<typeof composeTransfers>[1];
const composed = async (formers: readonly string[]) =>
  (await composeTransfers(workerOf(formers), lane, 'sweep'))?.itemIds ?? [];

async function signedTo(treasury: string, id: string, address: string): Promise<void> {
  const { accounts, transfers } = books.store.tables;
  const row = {
    name: `chain:base:${address}`,
    unit: 'usdc',
    side: 'asset',
    balance: 1_000_000n,
    balanceWei: '0',
  } as const;
  await books.store.tx((db) => db.insert(accounts).values(row));
  const order = { id, minMicroUsdc: 1n, isReplaced: true, nowMs: books.clock.nowMs };
  await planSweep(books.store, { network, address, treasury }, order);
  const planned = (await books.store.read.select().from(transfers)).find((one) => one.id === id);
  if (planned === undefined) throw new Error('no sweep is planned');
  const validBefore = Math.floor(books.clock.nowMs / 1_000) + 3_600;
  const signature = `0x${'11'.repeat(65)}`;
  const signed = { ...planned, nonce: `0x${'33'.repeat(32)}`, validBefore, signature };
  await assignTransfers(books.store, [signed], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
}

test('is put into no batch once its treasury is a former one; those to the treasury of now are', async () => {
  await signedTo(FORMER, 'old', TASK);
  await signedTo(NEXT, 'new', `0x${'44'.repeat(20)}`);
  expect((await composed([])).toSorted()).toEqual(['new', 'old']);
  expect(await composed([FORMER])).toEqual(['new']);
  const { transfers } = books.store.tables;
  const rows = await books.store.read.select().from(transfers);
  const [old] = rows.filter(({ id }) => id === 'old');
  // Signed still, so that it expires and is renewed; only later.
  expect(old).toMatchObject({ status: 'assigned', toAddress: FORMER });
  expect(old?.nextTryAtMs).toBeGreaterThan(books.clock.nowMs);
});
