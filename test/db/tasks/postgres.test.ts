/** Amounts are told once, transfers pay once and sweeps are planned once where several processes write at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMigrated } from '../../support/databases/migrated.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import type { Store } from '../../../db/store/store.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import { payTask } from '../../../db/tasks/pay.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import { TREASURY } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';
import { open } from '../../support/tasks/tasks.ts';
import { openTaskBooks, TASK, type TaskBooks } from './world.ts';

let books: TaskBooks;
let other: Store;
onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    books = await openTaskBooks(address);
    other = await openMigrated(address);
  });
  afterAll(async () => {
    await books?.assertSound();
    await other?.close();
    await books?.close();
  });

  test('amounts, the caller’s limit, payments and sweeps', async () => {
    const { store, clock } = books;
    const networks = [{ network: 'base' as const, address: TASK, headBlock: books.height() }];
    const task = { networks, nowMs: clock.nowMs, amount: 1, unpaidMax: 6 };
    const opening = Array.from({ length: 10 }, (_, index) => open(index % 2 === 0 ? store : other, task, () => 0));
    const opened = (await Promise.all(opening)).flatMap((result) => (result.kind === 'opened' ? [result] : []));
    const amounts = opened.map(({ offers }) => offers[0]?.amountMicroUsdc);
    expect([opened.length, new Set(amounts).size]).toEqual([6, 6]);
    await books.land({ value: amounts[0] ?? 0n });
    const stray = await books.land({ value: 2_000_000n });
    const [fit] = await books.fits();
    if (fit === undefined) throw new Error('it fits');
    const results = await Promise.all([books.pay(fit), books.pay(fit), payInOther(fit)]);
    expect(results.filter((result) => result === 'paid')).toHaveLength(1);
    const place = { network: 'base' as const, address: TASK, treasury: TREASURY } as const;
    const plans = [store, other, store].map((one, index) =>
      planSweep(one, place, { id: `${index}`.repeat(32), minMicroUsdc: 1n, nowMs: clock.nowMs }),
    );
    expect((await Promise.all(plans)).filter(Boolean)).toHaveLength(1);
    clock.nowMs += 8 * 86_400_000;
    await expireTasks(store, clock.nowMs);
    const step = { network: 'base' as const, safeBlock: books.height(), finalizedBlock: books.height() };
    await store.tx((db) => advanceFinality(db, store, step, clock.nowMs));
    expect((await books.rowOf(stray))?.consumedBy).toBe('suspense');
  });
});

/** By another process. */
function payInOther(fit: Parameters<TaskBooks['pay']>[0]) {
  const { ids, clock, settle } = books;
  const line = {
    txnId: ids.txnId(),
    slug: ids.slug(),
    publicSlug: ids.slug(),
    identityId: ids.identityId(),
    recipient: { platform: 'x', stableId: '9', key: 'carol', display: 'carol' },
    receiver: 'carol',
    amountMicroUsdc: fit.task.sumMicroUsdc,
    note: null,
  };
  const order = { description: null, meta: null, payerReference: null };
  const paymentId = ids.attemptId(clock.nowMs);
  return payTask(other, { ...fit, paymentId, payTo: TREASURY, order, lines: [line] }, settle());
}
