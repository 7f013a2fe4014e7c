import { afterEach, beforeEach, expect, test } from 'vitest';
import { CARRIERS } from '../../core/transfers/carriers.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { createSigningGuard } from '../../worker/may-sign.ts';
import { openBooks, type Books } from '../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

test('a stop that comes in the middle of a round holds for the next signature', async () => {
  const { store } = books;
  let [nowMs, holds] = [1_000, true];
  const asking = { store, settings: { carriers: CARRIERS }, profile: { network: 'base' as const }, now: () => nowMs };
  const guard = createSigningGuard(asking, { holds: () => holds });
  const payout = { kind: 'payout', step: 'new' } as const;
  await guard(payout);
  await stopSigning(store, { reason: 'operator_payouts', network: 'base', detail: 'a test' }, nowMs);
  nowMs += 250;
  await expect(guard(payout)).rejects.toThrow('no payout is signed: it is stopped on base');
  await guard({ kind: 'payout', step: 'replacement' });
  await guard({ kind: 'inbound', step: 'new' });
  holds = false;
  await expect(guard({ kind: 'inbound', step: 'new' })).rejects.toThrow('lease');
});
