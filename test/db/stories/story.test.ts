import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { searchStories } from '../../../db/stories/search.ts';
import { paymentStory } from '../../../db/stories/story.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const ALICE = { name: 'alice', stableId: '1' };

onBothDatabases((fresh) => {
  let books: Books;
  beforeAll(async () => {
    books = await openBooks(await fresh());
    const dailyMicroUsdc = { payer: 1_000_000n, recipient: null };
    await storePayoutSettings(books.store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
    await books.link(await books.meet('alice', '1'));
    for (let count = 0; count < 2; count += 1) {
      books.clock.nowMs += 1_000;
      await books.pay({ payees: [ALICE] });
    }
  });
  afterAll(() => books.close());

  test('what an operator did is in the story of the payment that it was about, and of no other', async () => {
    const { store, clock } = books;
    const held = (await books.payouts()).find(({ status }) => status === 'held');
    const command = { name: 'release', arguments: [held?.id ?? ''], who: 'console:ada' };
    await releaseByOperator(store, { payoutId: held?.id ?? '' }, command, clock.nowMs);
    const { payments } = await searchStories(store, 'x:alice');
    const stories = await Promise.all(payments.map(({ id }) => paymentStory(store, id)));
    expect(stories.map((story) => story?.actions.map(({ who }) => who))).toEqual([['console:ada'], []]);
    for (const story of stories) {
      expect(story?.entries.map(({ cause }) => cause.split(':')[0])).toEqual(['in', 'out.reserve']);
      expect(
        story?.entries.every(({ postings }) => postings.reduce((sum, { amount }) => sum + amount, 0n) === 0n),
      ).toBe(true);
      expect(story?.payment).not.toHaveProperty('signature');
    }
  });

  test('a payment is found by its line, its payout, its payer and its transaction', async () => {
    const { store } = books;
    const [payment] = await store.read.select().from(store.tables.payments);
    const lines = await store.read.select().from(store.tables.lines);
    const line = lines.find(({ paymentId }) => paymentId === payment?.id);
    const names = [payment?.id, line?.txnId, line?.payoutId, line?.slug, line?.publicSlug, payment?.landedTransaction];
    for (const name of names) {
      const found = await searchStories(store, ` ${String(name)} `);
      expect(found.payments.map(({ id }) => id)).toEqual([payment?.id]);
    }
    expect((await searchStories(store, payment?.payer ?? '')).payments).toHaveLength(2);
    expect((await searchStories(store, 'claim_none')).payments).toEqual([]);
  });
});
