/** Payouts that are planned for an address whose key is not here, where no key was ever replaced. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { withoutFormers } from '../../../worker/evm/formers.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const payout = (id: string, fromAddress: string) => ({ id, fromAddress }) as TransferRow;

test('wait alone, and the others leave', async () => {
  const { store, clock } = books;
  const warned: unknown[] = [];
  const log = pino({ level: 'silent' });
  log.warn = (facts: unknown) => void warned.push(facts);
  const worker = { store, log, now: () => clock.nowMs, profile: { network: 'base' }, treasury: { address: TREASURY } };
  const queued = [payout('first', TREASURY), payout('astray', `0x${'22'.repeat(20)}`), payout('last', TREASURY)];
  const ready = await withoutFormers(worker as unknown as EvmWorker, queued);
  expect(ready.map(({ id }) => id)).toEqual(['first', 'last']);
  expect(warned).toEqual([{ network: 'base', payouts: ['astray'] }]);
});
