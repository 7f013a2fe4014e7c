/** Books that begin anew over a chain on which those before them have paid: nothing is paid twice, and others go on. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { AUTHORIZATION_USED_TOPIC, TRANSFER_TOPIC } from '../../../chain/evm/rpc/usdc.ts';
import { toTopic } from '../../../chain/evm/rpc/usdc-logs.ts';
import { giveBackHeld } from '../../../db/operator/give-back.ts';
import { heldList, releaseByOperator } from '../../../db/operator/held.ts';
import { clearStop, listStops } from '../../../db/operator/stops.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { renewExpired } from '../../../worker/evm/renew.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';

type Hex = `0x${string}`;
const profile = evmProfile('base', 'local');
const OWN = TREASURY as Hex;
const SENT = `0x${'ab'.repeat(32)}` as const;
const BLOCK_HASH = `0x${'cd'.repeat(32)}` as const;
/** After the window of all that is signed here. */
const OVER = 2_000;
const command = { name: 'it', arguments: [], who: 'a test' };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** The chain has one transfer of the treasury, in the block in which the books begin. */
function workerOf(paid: TransferRow): EvmWorker {
  const [nonce, value] = [paid.nonce as Hex, `0x${paid.amountMicroUsdc.toString(16).padStart(64, '0')}`];
  const place = { address: profile.usdc.toLowerCase(), transaction: SENT, block: 1, blockHash: BLOCK_HASH };
  const used = { ...place, logIndex: 0, topics: [AUTHORIZATION_USED_TOPIC, toTopic(OWN), nonce], data: '0x' };
  const topics = [TRANSFER_TOPIC, toTopic(OWN), toTopic(paid.toAddress as Hex)];
  const moved = { ...place, logIndex: 1, topics, data: value };
  const isIt = (key: { nonce: string }) => key.nonce === nonce;
  const worker = {
    store: books.store,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
    profile,
    ownAddresses: [OWN],
    rpc: {
      authorizationStates: (keys: readonly { nonce: string }[]) => Promise.resolve(keys.map(isIt)),
      authorizationLogs: (key: { nonce: string }) => Promise.resolve(isIt(key) ? [used] : []),
      receipts: () => Promise.resolve([{ transaction: SENT, logs: [used, moved] }]),
      blocks: () => Promise.resolve([{ number: 1, hash: BLOCK_HASH, time: 1 }]),
    },
  };
  return worker as unknown as EvmWorker;
}

const renew = (worker: EvmWorker) =>
  renewExpired(worker, () => Promise.resolve({ finalized: { number: 1, time: OVER } } as never));

/** Two payouts that are signed, and have run out. */
async function signedPayouts(): Promise<TransferRow[]> {
  for (const [name, stableId] of [
    ['alice', '1'],
    ['bob', '2'],
  ] as const) {
    await books.link(await books.meet(name, stableId));
    await books.pay({ payees: [{ name, stableId }] });
    books.clock.nowMs += 1_000;
  }
  const signed = (await books.payouts()).map((payout, index) => ({
    ...payout,
    nonce: `0x${String(index + 1).repeat(64)}`,
    validBefore: 1_000,
    signature: 's',
    exposed: false,
  }));
  await assignTransfers(books.store, signed, { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
  return books.payouts();
}

const states = async () => (await books.payouts()).map(({ status, heldReason }) => [status, heldReason]);

test('what those before have paid is held, is neither released nor given back, and stops signing once', async () => {
  const { store, clock } = books;
  const [paid] = await signedPayouts();
  if (paid === undefined) throw new Error('nothing is paid out');
  const worker = workerOf(paid);
  await renew(worker);
  // The other one is dead, and goes on.
  const after = [
    ['held', 'before_books'],
    ['queued', null],
  ];
  expect(await states()).toEqual(after);
  expect((await heldList(store, 10)).map(({ payout }) => payout.id)).toEqual([paid.id]);
  const [stop, ...others] = await listStops(store);
  expect([stop?.reason, stop?.detail, others]).toEqual([
    'unexplained_outflow',
    expect.stringContaining(`${paid.id} generation 0: paid before these books began`),
    [],
  ]);
  if (stop === undefined) throw new Error('nothing is stopped');
  expect(await clearStop(store, stop, { command, detail: 'seen' }, clock.nowMs)).toBe(true);
  await renew(worker);
  expect(await listStops(store)).toEqual([]);

  for (const which of [{ payoutId: paid.id }, { reason: 'before_books' }])
    expect((await releaseByOperator(store, which, command, clock.nowMs)).count).toBe(0);
  expect(await giveBackHeld(store, paid.id, command, clock.nowMs)).toEqual({ kind: 'before_books' });
  expect(await states()).toEqual(after);
  await books.assertSound();
});
