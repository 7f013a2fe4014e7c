import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIL_SHARES, mailsOf } from '../../../core/costs/mails.ts';
import { giveMailBack, takeMail } from '../../../db/claims/mail-limit.ts';
import { readMails } from '../../../db/costs/mails.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Eight for those who ask, four for holders. */
const DAILY = 20;
const CENT = 10_000n;
const DOLLAR = 1_000_000n;

test.each([20, 33, 999, 2_000])('the shares of %i mails sum to no more than these', (dailyMax) => {
  const all = MAIL_SHARES.map((share) => mailsOf(share, dailyMax));
  expect(Math.min(...all)).toBeGreaterThan(0);
  expect(all.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(dailyMax);
});

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    books.clock.nowMs += HOUR_MS - (books.clock.nowMs % DAY_MS);
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  let count = 0;
  /** Each time for another address; `receipt` null: a stranger with a network of their own. */
  function ask(receipt: string | null, waitingMicroUsdc: bigint | null = null, dailyMax: number | null = DAILY) {
    count += 1;
    const caller = { name: receipt ?? `network ${count}`, waitingMicroUsdc, hourMax: 10 };
    const mail = { address: `${count}@example.com`, linkHash: `link ${count}`, caller, dailyMax };
    return takeMail(books.store, { ...mail, nowMs: books.clock.nowMs });
  }
  const kinds = async (mails: readonly Promise<{ kind: string }>[]) =>
    (await Promise.all(mails)).filter(({ kind }) => kind === 'taken').length;
  const askOften = (times: number, ...of: Parameters<typeof ask>) =>
    kinds(Array.from({ length: times }, () => ask(...of)));
  const nextDayMs = () => (Math.floor(books.clock.nowMs / DAY_MS) + 1) * DAY_MS;

  test('strangers at once, each with a network of their own, have their share, and are told the day on which it is new', async () => {
    expect(await askOften(30, null)).toBe(8);
    expect(await ask(null)).toEqual({ kind: 'refused', againAtMs: nextDayMs(), limit: 'day' });
    books.clock.nowMs = nextDayMs() - 1;
    expect(await ask(null)).toMatchObject({ kind: 'refused' });
    books.clock.nowMs += 1;
    expect(await ask(null)).toMatchObject({ kind: 'taken' });
  });

  test('a holder of a receipt goes on after them, one of a small sum in half of the share', async () => {
    await askOften(30, null);
    expect(await askOften(3, 'small receipt', CENT)).toBe(2);
    expect(await askOften(3, 'receipt', DOLLAR)).toBe(2);
    expect(await ask('another receipt', DOLLAR)).toEqual({ kind: 'refused', againAtMs: nextDayMs(), limit: 'holders' });
  });

  test('what was not sent is the day’s again, and what was refused counts for no caller', async () => {
    const first = await ask(null);
    expect(await askOften(30, null)).toBe(7);
    if (first.kind !== 'taken') return expect.unreachable();
    await giveMailBack(books.store, first.mail);
    expect(await askOften(3, null)).toBe(1);
    expect(await askOften(20, 'one network')).toBe(0);
    books.clock.nowMs = nextDayMs();
    expect(await askOften(8, 'one network')).toBe(8);
    expect(await readMails(books.store, books.clock.nowMs)).toContainEqual({ share: 'asked', used: 8 });
  });

  if (!isSqlite) return;

  test('one receipt takes five mails of the share, in whatever hours, and one whose money left takes none', async () => {
    const large = [null, 200] as const;
    await askOften(90, null, ...large);
    expect(await askOften(3, 'empty receipt', 0n, 200)).toBe(0);
    let taken = 0;
    for (let hour = 0; hour < 8; hour += 1) {
      taken += await askOften(1, 'receipt', DOLLAR, 200);
      books.clock.nowMs += HOUR_MS;
    }
    expect(taken).toBe(5);
    expect(await askOften(1, 'another receipt', DOLLAR, 200)).toBe(1);
  });

  test('CONTROL: without a budget strangers get as many as they ask for, and they are counted', async () => {
    expect(await askOften(30, null, null, null)).toBe(30);
    expect(await readMails(books.store, books.clock.nowMs)).toContainEqual({ share: 'asked', used: 30 });
  });
});
