import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherStory } from '../../../db/stories/other-story.ts';
import { searchStories } from '../../../db/stories/search.ts';
import { paymentStory } from '../../../db/stories/story.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { fillOthers, OTHERS } from '../../support/stories/others.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const { FROM, HASH, PROPOSAL, TO, WITHDRAWAL } = OTHERS;

onBothDatabases((fresh) => {
  let books: Books;
  let paymentId: string;
  beforeAll(async () => {
    books = await openBooks(await fresh());
    const paid = await books.pay({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
    ({ paymentId } = paid);
    await fillOthers(books.store, { payer: PAYER, paymentId, txnId: paid.lines[0]?.txnId ?? 0 });
  });
  afterAll(() => books.close());

  const found = async (text: string) =>
    (await searchStories(books.store, text)).others.map(({ kind, id }) => `${kind} ${id}`).toSorted();

  test.each([
    ['dist_1', ['reward dist_1']],
    ['reward_1', ['reward dist_1']],
    ['drop_1', ['drop drop_1']],
    ['ask_1', ['request ask_1']],
    ['ask_1.01', ['request ask_1']],
    [WITHDRAWAL, [`withdrawal ${WITHDRAWAL}`]],
    [PROPOSAL.toUpperCase(), [`withdrawal ${PROPOSAL}`]],
    [HASH, [`withdrawal ${WITHDRAWAL}`]],
    [FROM, ['reward dist_1', `withdrawal ${WITHDRAWAL}`]],
    [TO, [`withdrawal ${WITHDRAWAL}`, `withdrawal ${PROPOSAL}`]],
    ['x:alice', ['drop drop_1', `withdrawal ${WITHDRAWAL}`]],
    ['telegram:1', ['drop drop_1', 'request ask_1', 'reward dist_1']],
    ['telegram:3', ['request ask_1']],
    ['telegram:%', []],
    ['drop_none', []],
  ])('%s finds %j', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test('a bill is one find, with the sum of its requests', async () => {
    const [bill] = (await searchStories(books.store, 'telegram:3')).others;
    expect(bill).toMatchObject({ id: 'ask_1', amountMicroUsdc: 2n });
    expect((await searchStories(books.store, 'ask_1')).others[0]).toMatchObject({ amountMicroUsdc: 4n });
  });

  test('the story of each says which payment it led to, and the payment says what led to it', async () => {
    const { store } = books;
    expect((await paymentStory(store, paymentId))?.behind.map(({ id }) => id).toSorted()).toEqual([
      'ask_1',
      'dist_1',
      'drop_1',
    ]);
    const ofReward = await otherStory(store, { kind: 'reward', id: 'dist_1' });
    expect(ofReward).toMatchObject({ paymentId, card: { id: 'reward_1' } });
    expect(await otherStory(store, { kind: 'drop', id: 'drop_1' })).toMatchObject({ order: { paymentId } });
    expect(await otherStory(store, { kind: 'request', id: 'ask_1' })).toMatchObject({
      requests: [{ order: { paymentId } }, { order: null }],
    });
  });

  describe('nothing that was signed or is secret is in a story', () => {
    test.each([
      ['reward', 'dist_1'],
      ['drop', 'drop_1'],
      ['request', 'ask_1'],
      ['withdrawal', WITHDRAWAL],
      ['withdrawal', PROPOSAL],
    ] as const)('of a %s: %s', async (kind, id) => {
      const story = await otherStory(books.store, { kind, id });
      const text = JSON.stringify(story, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
      expect(text).toContain(id);
      expect(text).not.toMatch(/secret|10\.0\.0\.1/);
    });
  });
});
