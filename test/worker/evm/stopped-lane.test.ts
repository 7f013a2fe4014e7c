/** A batch of payouts that was sent before a stop, while gas rises. */
import { generatePrivateKey } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { OPERATOR_STOPS, type StopKind } from '../../../core/payments/stops.ts';
import { CARRIERS } from '../../../core/transfers/carriers.ts';
import { insertCarrier } from '../../../db/carriers/carriers.ts';
import { signingTx } from '../../../db/processes/signing.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { createLane } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { createLaneScheduler } from '../../../worker/evm/lanes/lane-scheduler.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { readMaySign } from '../../../worker/may-sign.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** How many versions of the batch are stored once its lane was looked after. */
async function versionsAfter(...stops: StopKind[]): Promise<number> {
  const { store } = books;
  const key = generatePrivateKey();
  const profile = evmProfile('base', 'local');
  const lane = createLane(localEvmKey(key), profile);
  const now = () => START_MS + 60_000;
  const fees = { maxFeePerGas: 2_000_000n, maxPriorityFeePerGas: 1_000_000n };
  const batch = {
    id: 'c',
    network: 'base' as const,
    kind: 'payout' as const,
    sender: lane.address,
    laneNonce: 0,
    calldata: '["0xcf092995"]',
    gasLimit: 100_000,
    signed: { hash: '0x01', bytes: '0x02', ...fees },
  };
  await signingTx(store, { under: null, carrier: null }, (db) =>
    insertCarrier(db, store, batch, { itemIds: ['payout'], nowMs: START_MS }),
  );
  for (const kind of stops)
    await stopSigning(store, { reason: OPERATOR_STOPS[kind], network: 'base', detail: 'a test' }, START_MS);
  const worker = {
    store,
    profile,
    now,
    lanes: [lane],
    settings: { carriers: CARRIERS },
    pace: { replaceAfterMs: 1_000 },
    rpc: { latest: async () => ({ baseFee: 1_500_000n }), sendRaw: async () => undefined },
    log: { info: () => undefined },
  } as unknown as EvmWorker;
  const scheduler = createLaneScheduler(worker, { isMine: () => true });
  await scheduler.keepMoving(await readMaySign(worker));
  return (await store.read.select().from(store.tables.carrierTransactions)).length;
}

test('gets higher fees during a stop of payouts, or its nonce would keep the lane from payments', async () => {
  expect(await versionsAfter('payouts', 'payments')).toBe(2);
});

test('gets none during a stop of signing', async () => {
  expect(await versionsAfter('signing')).toBe(1);
});
