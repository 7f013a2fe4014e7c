/** Anyone can send us any number of small transfers: finding the names of what left must not grow with them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcile } from '../../../db/operator/reconcile.ts';
import { lostNames, type Naming } from '../../../db/operator/lost-names.ts';
import { openOutflows } from '../../../db/operator/lost-outflows.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { openLostTime } from './lost-time.ts';

const [PAYER, FRIEND, STRANGER] = ['99', '77', '55'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const LATER_MS = START_MS + 70 * 60_000;
/** More than one page of them. */
const DUST = 210;

let books: Books;
let lostTime: ReturnType<typeof openLostTime>;
beforeEach(async () => {
  books = await openBooks();
  lostTime = openLostTime(books);
});
afterEach(() => books.close());

const seeDust = (value = 1n) =>
  lostTime.seeLost(Array.from({ length: DUST }, () => ({ from: STRANGER, to: TREASURY, value })));

/** Counts the names that were made. */
function counting(): { naming: Naming; count: () => number } {
  let made = 0;
  const { namesOf } = lostTime.naming;
  const naming = {
    ...lostTime.naming,
    namesOf: (id: string) => {
      made += 1;
      return namesOf(id);
    },
  };
  return { naming, count: () => made };
}

async function run() {
  const { naming, count } = counting();
  await lostTime.seeLost([], LATER_MS);
  const command = { name: 'reconcile', arguments: [], who: 'a test' };
  const result = await reconcile(books.store, [], { ...naming, newId: () => 'id', command, nowMs: LATER_MS });
  return { result, made: count() };
}

test('no name is made where nothing left', async () => {
  await lostTime.notice();
  await seeDust();
  const { result, made } = await run();
  expect([result.kind, made]).toEqual(['done', 0]);
});

test('dust of the lost time is not looked at once each outflow has its name', async () => {
  await lostTime.notice();
  const fact = await lostTime.seePaid(PAYER, 3_000_000n);
  await lostTime.seeLeft(fact, 1, FRIEND, 2_000_000n);
  await lostTime.seeLeft(fact, 7, FRIEND, 1_000_000n);
  await seeDust();
  const { result, made } = await run();
  expect(result).toMatchObject({ kind: 'done', landed: 2, lost: 0 });
  expect(made).toBeLessThan(102);
  await books.assertSound();
});

test('of what bears no wanted name nothing is kept, and the last of many is found', async () => {
  await lostTime.notice();
  const last = (await seeDust(2_000n)).toSorted().at(-1) ?? '';
  const [least = ''] = await lostTime.seeLost([{ from: PAYER, to: TREASURY, value: 1_000n }]);
  const left = [await lostTime.seeLeft(last, 9, FRIEND, 2_000n), await lostTime.seeLeft(least, 4, FRIEND, 1_000n)];
  await lostTime.seeLost([{ from: TREASURY, to: FRIEND, value: 5n }]);
  const outflows = await openOutflows(books.store.read, books.store);
  const found = await lostNames(books.store, lostTime.naming, outflows);
  const nonceOf = (wanted?: string) => outflows.find(({ fact }) => fact === wanted)?.nonce;
  expect([...found]).toEqual([
    [nonceOf(left[0]), expect.objectContaining({ kind: 'inbound', line: 9 })],
    [nonceOf(left[1]), expect.objectContaining({ kind: 'inbound', line: 4 })],
  ]);
});

test('older money that went back in the lost time is known by its name, and looked at last', async () => {
  const older = await lostTime.seePaid(PAYER, 1_000_000n);
  await lostTime.notice();
  const fact = await lostTime.seePaid(PAYER, 500_000n);
  await lostTime.seeLeft(fact, 0, FRIEND, 500_000n);
  const { naming, count } = counting();
  const outflows = await openOutflows(books.store.read, books.store);
  await lostNames(books.store, naming, outflows);
  expect(count()).toBe(1);
  await lostTime.seeLeft(older, 0, PAYER, 1_000_000n);
  expect((await run()).result).toMatchObject({ kind: 'done', landed: 2, lost: 0 });
  await books.assertSound();
});
