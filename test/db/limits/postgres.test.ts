/** Several processes settle and release at once: what left on a day is never more than its limit, and counted once. */
import { like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextDayMs } from '../../../db/limits/daily.ts';
import { dueHeldByLimit, releaseByLimit } from '../../../db/limits/release.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import type { Store } from '../../../db/store/store.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';

let books: Books;
let other: Store;
onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    books = await openBooks(address);
    other = await openMigrated(address);
  });
  afterAll(async () => {
    await other?.close();
    await books?.close();
  });

  test('two workers let go what a day has room for', async () => {
    const { store, clock } = books;
    await storePayoutSettings(store, { dailyMicroUsdc: { payer: 3_000_000n, recipient: 3_000_000n }, treasuries: {} });
    const payees = ['a', 'b', 'c', 'd'].map((name) => ({ name, stableId: name }));
    for (const { name } of payees) await books.link(await books.meet(name, name));
    for (let count = 0; count < 3; count += 1) await books.pay({ payees, payer: `0x${count % 2}` });
    const queued = async () => (await books.payouts()).filter(({ status }) => status === 'queued').length;
    expect(await queued()).toBe(6);
    clock.nowMs = nextDayMs(clock.nowMs);
    const due = await dueHeldByLimit(store, clock.nowMs, 100);
    expect(due).toHaveLength(6);
    const results = await Promise.all(
      due.flatMap((id) => [store, other].map((one) => releaseByLimit(one, id, clock.nowMs))),
    );
    const released = results.filter(Boolean).length;
    expect(await queued()).toBe(6 + released);
    const { counters } = store.tables;
    const used = await store.read.select().from(counters).where(like(counters.name, 'payer_daily:%'));
    for (const { used: amount } of used) expect(amount).toBeLessThanOrEqual(3_000_000n);
    expect(used.reduce((sum, row) => sum + row.used, 0n)).toBe(BigInt(6 + released) * 1_000_000n);
    // Five of the first payer waited, for whom the day has room for three, and one of the second.
    expect(released).toBe(4);
    await books.assertSound();
  });
});
