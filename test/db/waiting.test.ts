/** What waits may be very much, for months: no round of a job reads all of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dueReminders, dueWaits, lookForMailed } from '../../db/notices/due.ts';
import { lookAtWaiting, startWalk, type Walk } from '../../db/payments/records/waiting-people.ts';
import { lookForPublishers, walletless } from '../../db/published/waiting.ts';
import { expiredLines } from '../../db/refunds/refund-line.ts';
import { lookForPayable, payableLines } from '../../db/transfers/waiting.ts';
import { openStore, type DatabaseAddress } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { limitsRound } from '../../worker/limits.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';
import { readWhole, type Finished } from '../support/databases/finished-payment.ts';
import { addHistory } from '../support/databases/history.ts';
import { recordStatements, type Recorded } from '../support/databases/recorded.ts';
import { readsOf, type Reads } from '../support/databases/rows-read.ts';
import { onBothDatabases } from '../support/postgres.ts';

/** More than a look reads, of each kind too. */
const FEW = 3_060;
/** PostgreSQL counts rows, where three times as many show; SQLite counts pages with many rows each, and needs five. */
const TIMES = { sqlite: 5, postgres: 3 };
const LIMIT = 50;
/** Pages or rows. Where an index gets a level deeper, each line of a look costs a page more: that is never twice as much. */
const isMore = (before: number, after: number): boolean => after > 2 * before + 12;
/** Of the look at 1,000 lines: a page of another table for each, because few of them share one any more, and its own. */
const LOOK_READS_MAX = 1_200;
const isLook = (text: string): boolean => text.includes('"ahead"');
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const PUBLISHING = ['code', 'web'] as const;
/** Planted: what a round would ask if it looked at everybody. */
const BAD = [
  `select count(*) from "lines" where "status" = 'escrowed' and "amount_micro_usdc" > 0`,
  `select count(distinct "wallets"."identity_id") from "lines" join "wallets" on "wallets"."identity_id" = "lines"."identity_id" where "lines"."status" = 'escrowed'`,
];

/** Of each kind one: for a mailbox, for who may publish an address, and for who has one where our money does not reach. */
async function openWaiting(books: Books): Promise<{ people: string[]; waiting: Finished[] }> {
  const names = [
    { platform: 'email', name: 'a-mailbox@example.com', stableId: 'a-mailbox@example.com' },
    { platform: 'web', name: 'a-website.example', stableId: 'a-website.example' },
    { platform: 'x', name: 'a-far-wallet', stableId: '12345678901' },
  ];
  const paid = [];
  for (const payee of names) paid.push(await books.pay({ payees: [payee] }));
  await books.mine([], books.height());
  const people = paid.flatMap(({ lines }) => lines.map(({ identityId }) => identityId));
  await books.link(people[2] ?? '', SOLANA, 'solana');
  const waiting = await Promise.all(paid.map(({ paymentId }) => readWhole(books.store, paymentId)));
  return { people, waiting };
}

/** A walk that has begun already, and one that begins. */
const WALKS: readonly Walk[] = [{ after: { expiresAtMs: START_MS, txnId: 0 } }, startWalk()];

async function askLikeRounds(store: Store, books: Books, people: readonly string[]): Promise<void> {
  const nowMs = books.clock.nowMs;
  for (const walk of WALKS) {
    await lookForPayable(store, walk, nowMs);
    await lookForMailed(store, walk);
    await lookForPublishers(store, walk, PUBLISHING);
  }
  await payableLines(store, people, nowMs, LIMIT);
  await dueWaits(store, people, nowMs, LIMIT);
  await dueReminders(store, people, nowMs, LIMIT);
  await walletless(store, people, nowMs);
  await expiredLines(store, nowMs, LIMIT);
  await limitsRound({ store, transferIdOf: books.transferIdOf, now: () => nowMs, log: pino({ level: 'silent' }) });
}

onBothDatabases((fresh) => {
  describe('beside many times as much that waits', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pennypost-waiting-'));
    let database: DatabaseAddress = { kind: 'sqlite', path: join(folder, 'books.sqlite') };
    let store: Store;
    let originals: readonly string[] = [];
    let many = 0;
    const reads: { before: Reads; after: Reads }[] = [];

    beforeAll(async () => {
      database = (await fresh()) ?? database;
      many = TIMES[database.kind] * FEW;
      const books = await openBooks(database);
      const { people, waiting } = await openWaiting(books);
      originals = people;
      const recording = recordStatements();
      await askLikeRounds(books.store, books, people);
      recording.end();
      await addHistory(books.store, database, waiting, { first: 1, copies: FEW });
      const asked: Recorded = new Map([...recording.statements, ...BAD.map((text) => [text, [[]]] as const)]);
      const before = await readsOf(database, asked);
      await addHistory(books.store, database, waiting, { first: FEW + 1, copies: many - FEW });
      reads.push({ before, after: await readsOf(database, asked) });
      await books.close();
      store = await openStore(database);
    }, 240_000);
    afterAll(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });

    const grown = () =>
      reads.flatMap(({ before, after }) =>
        [...after]
          .filter(([text, read]) => isMore(before.get(text) ?? 0, read) && !(isLook(text) && read <= LOOK_READS_MAX))
          .map(([text]) => text),
      );

    test('no round reads more', () => {
      expect(grown().filter((text) => !BAD.includes(text))).toEqual([]);
      expect(reads[0]?.after.size).toBeGreaterThan(15);
    });

    test('a statement that walks all that waits is refused', () => {
      expect(grown()).toEqual(expect.arrayContaining(BAD));
    });

    test('and a walk comes to everybody, in looks of a thousand lines, and begins anew', async () => {
      const seen = new Set<string>();
      const walk = startWalk();
      let looks = 0;
      do {
        const { people, next } = await lookAtWaiting(store, walk, () => undefined);
        for (const person of people) seen.add(person);
        expect(people.length).toBeLessThanOrEqual(1_200);
        walk.after = next;
        looks += 1;
      } while (walk.after !== null && looks < many);
      expect(seen.size).toBe(many + 3);
      expect(looks).toBe(Math.ceil((many + 3) / 1_000));
    });

    test('what is the newest is in the first look, however much waits', async () => {
      const { people } = await lookForMailed(store, startWalk());
      expect(people).toContain(originals[0]);
      expect(people).not.toContain(originals[1]);
    });
  });
});
