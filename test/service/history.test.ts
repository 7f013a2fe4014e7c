/** What was paid long ago costs nothing now. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKS_OF_ALL, findViolations, questionsOf } from '../../db/audit/invariants.ts';
import { startPass } from '../../db/audit/pass.ts';
import { endOfPart, type Key, type Part } from '../../db/audit/question.ts';
import { auditRound } from '../../db/audit/round.ts';
import { reservationsOf } from '../../db/scan/landings.ts';
import { openStore, type DatabaseAddress } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { finishPayments } from '../support/databases/finish-payments.ts';
import { readFinished } from '../support/databases/finished-payment.ts';
import { addHistory } from '../support/databases/history.ts';
import { GATHERING, readWhatGathered, useWhatGathers } from '../support/databases/gathering.ts';
import { recordStatements, type Recorded } from '../support/databases/recorded.ts';
import { readsOf, type Reads } from '../support/databases/rows-read.ts';
import { startLocalService } from '../support/local-service.ts';
import { payFrom } from '../support/payers.ts';
import { onBothDatabases } from '../support/postgres.ts';

const FEW = 300;
const MANY = 3_000;
const TOKEN = 't'.repeat(40);
const DAY_MS = 86_400_000;
const TOGETHER = 50;
const PART_ROWS = 60;
/** Pages or rows: an index may get a level deeper. */
const MORE_AT_MOST = 12;
/** A counter, or a choice of a person, is so short that many of them are few pages. */
const WIDE = GATHERING.filter((table) => table !== 'counters' && table !== 'quiet_people');
/** Planted: the first walks the table, the second an index, the others whatever else gathers. */
const BAD = {
  all: `select "id" from "payments" where "description" = 'no such'`,
  final: `select count(*) from "payments" where "status" = 'final' and "tries" > 1000`,
  ...Object.fromEntries(WIDE.map((table) => [table, `select * from "${table}"`])),
};

/** What a block with many payments asks, which here come one by one. */
async function askedTogether(database: DatabaseAddress): Promise<(readonly [string, readonly unknown[][]])[]> {
  const store = await openStore(database);
  const held = Array.from({ length: TOGETHER }, (_, at) => ({ payer: `0xpayer${at}`, nonce: `0xnonce${at}` }));
  const { sql, params } = reservationsOf(store.read, store.tables, 'base', held).toSQL();
  await store.close();
  return [[sql, [params]]];
}

/** Audits until the checkpoint has come up to the newest entry; answers what a round asks. */
async function audited(database: DatabaseAddress): Promise<(readonly [string, readonly unknown[][]])[]> {
  const store = await openStore(database);
  const pass = startPass();
  for (let rounds = 0; rounds < 2; rounds += 1) expect(await auditRound(store, pass, Date.now() + DAY_MS)).toEqual([]);
  const asked = [...questionsOf(store, 'changed').map(({ query }) => query.toSQL()), ...(await partsOf(store))];
  await store.close();
  return asked.map(({ sql, params }) => [sql, [params]] as const);
}

/**
 * What a round asks about one part of everything, and where the part ends. Of the accounts those of people: each of the few
 * others is summed at once, however many postings it has. A part of one row, because what is added later lies between.
 */
async function partsOf(store: Store): Promise<{ sql: string; params: unknown[] }[]> {
  const statements = [];
  for (const check of CHECKS_OF_ALL) {
    const { keys, rule } = check(store, 'all');
    if (keys === null) continue;
    const end = endOfPart(store, keys, rule === 'cached balance = sum' ? 'escrow:' : null, PART_ROWS);
    statements.push(end.toSQL(), check(store, partOfOne((await end)[0]?.key as Key | undefined)).query.toSQL());
  }
  expect(statements.length).toBeGreaterThan(16);
  return statements;
}

/** Keys of copies end with their number: a letter after a smaller digit is behind all that begin with that, and before the key. */
function partOfOne(key: Key | undefined): Part {
  if (key === undefined) return { after: null, upTo: null };
  if (typeof key === 'number') return { after: key - 1, upTo: key };
  const smaller = String.fromCodePoint((key.codePointAt(key.length - 1) ?? 1) - 1);
  return { after: `${key.slice(0, -1)}${smaller}z`, upTo: key };
}

type Asked = readonly (readonly unknown[])[];

/** What polls asks the same again and again. */
const distinct = (samples: Asked): Asked =>
  samples.filter((one, at) => !samples.slice(0, at).some((other) => isDeepStrictEqual(one, other)));

/** What reads little after `grow` has not grown, so where the books are a file it is left out before. */
async function readsAround(database: DatabaseAddress, asked: Recorded, grow: () => Promise<void>) {
  if (database.kind === 'postgres') {
    const before = await readsOf(database, asked);
    await grow();
    return { before, after: await readsOf(database, asked) };
  }
  const copy = { ...database, path: `${database.path}-before` };
  copyFileSync(database.path, copy.path);
  await grow();
  const after = await readsOf(database, asked);
  const large = [...asked].filter(([text]) => (after.get(text) ?? 0) > MORE_AT_MOST);
  return { before: await readsOf(copy, new Map(large)), after };
}

onBothDatabases((fresh) => {
  describe('beside ten times as many finished payments', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-history-'));
    const reads: { before: Reads; after: Reads }[] = [];
    let database: DatabaseAddress = { kind: 'sqlite', path: join(dataDir, 'pennypost.sqlite') };

    beforeAll(async () => {
      database = (await fresh()) ?? database;
      const recording = recordStatements();
      const env: Record<string, string> = database.kind === 'postgres' ? { DATABASE_URL: database.url } : {};
      const service = await startLocalService({ dataDir, slotMs: 50, env: { ...env, ADMIN_TOKEN: TOKEN } });
      const { store } = service;
      const scraped = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
      if (!scraped.ok) throw new Error(`no metrics: ${scraped.status}`);
      const ids = await finishPayments(service);
      await payFrom(service, 'base', 'x', { receiver: 'waiting', amount: 0.5 });
      await useWhatGathers(store, Date.now());
      const finished = await recording.without(async () => [
        ...(await Promise.all(ids.map((id) => readFinished(store, id)))),
        await readWhatGathered(store),
      ]);
      await service.close();
      recording.end();
      await addHistory(store, database, finished, { first: 1, copies: FEW });
      const statements = new Map([
        ...[...recording.statements].map(([text, samples]) => [text, distinct(samples)] as const),
        ...Object.values(BAD).map((text) => [text, [[]]] as const),
        ...(await audited(database)),
        ...(await askedTogether(database)),
      ]);
      const grow = async () => {
        await addHistory(store, database, finished, { first: FEW + 1, copies: MANY - FEW });
        await audited(database);
      };
      reads.push(await readsAround(database, statements, grow));
    }, 240_000);
    afterAll(() => rmSync(dataDir, { recursive: true }));

    const grown = () =>
      reads.flatMap(({ before, after }) =>
        [...after].filter(([text, read]) => read - (before.get(text) ?? 0) > MORE_AT_MOST).map(([text]) => text),
      );

    test('no statement of the running service reads more', () => {
      expect(grown().filter((text) => !Object.values(BAD).includes(text))).toEqual([]);
      expect(reads[0]?.after.size).toBeGreaterThan(150);
      // And all that gathers was asked about, so that the statements of each are among them.
      const asked = [...(reads[0]?.after.keys() ?? [])].filter((text) => !Object.values(BAD).includes(text));
      expect(GATHERING.filter((table) => !asked.some((text) => text.includes(`"${table}"`)))).toEqual([]);
    });

    test('a statement that walks what is finished is refused', () => {
      expect(grown()).toEqual(expect.arrayContaining(Object.values(BAD)));
    });

    test('the copies are sound books', async () => {
      const store = await openStore(database);
      expect(await findViolations(store)).toEqual([]);
      await store.close();
    });
  });
});
