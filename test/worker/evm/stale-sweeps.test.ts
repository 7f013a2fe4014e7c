/** A sweep that was signed before its treasury was replaced, and never sent. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import { readStuck } from '../../../db/rotations/stuck.ts';
import { openBooks, TREASURY as FORMER, type Books } from '../../support/books.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { composeTransfers } from '../../../worker/evm/transfers.ts';

const [TASK, NEXT] = [`0x${'22'.repeat(20)}`, `0x${'88'.repeat(20)}`];
const network = 'base' as const;

let books: Books;
/** The issuer of USDC bars every address that is asked about. */
let isBarred = false;
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
        Promise.resolve(calls.map(() => ({ success: !isBarred }))),
      areBlacklisted: (addresses: readonly string[]) => Promise.resolve(addresses.map(() => isBarred)),
      authorizationStates: (keys: readonly unknown[]) => Promise.resolve(keys.map(() => false)),
      head: () => Promise.resolve({ safe: { number: 1, time: 1 } }),
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

test('what is at a former address that the issuer bars is known to be stuck, until it can be swept', async () => {
  await signedTo(NEXT, 'new', FORMER);
  const place = { network, address: FORMER };
  const isStuck = async () => (await readStuck(books.store.read, books.store.tables)).has(place);
  isBarred = true;
  expect([await composed([FORMER]), await isStuck()]).toEqual([[], true]);
  isBarred = false;
  books.clock.nowMs += 10_000;
  expect([await composed([FORMER]), await isStuck()]).toEqual([['new'], false]);
});
