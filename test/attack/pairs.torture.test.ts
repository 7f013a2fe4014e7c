/**
 * Each pair of money functions on PostgreSQL: the first stands still before each of its statements while the second runs as
 * far as it comes. The rows and the answers must be those of one after the other, in one order or the other.
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countHits, reportFaults } from '../../scripts/torture/faults.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { findPostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { holdStatements, interleave } from './pairs/held.ts';
import { dumpRows, FUNCTIONS, makeScene, type Scene } from './pairs/world.ts';

const bin = findPostgres();
const STATEMENTS_MAX = 80;
const ALL = Object.keys(FUNCTIONS);
/** Every run looks at these; `PAIRS` is how many of all pairs beside them, or `all`. */
const ONE = ['reserve with a key', 'reserve with the key again'] as const;
const EITHER_WAY = ['give back what is held', 'release what is held'] as const;
const EVERY = ALL.flatMap((one) => ALL.map((two) => [one, two] as const));
const wanted = process.env['PAIRS'] ?? '0';
const step = Math.floor(EVERY.length / Number(wanted));
const PAIRS = wanted === 'all' ? EVERY : [ONE, EITHER_WAY, ...EVERY.filter((_, index) => index % step === step - 1)];

describe.skipIf(bin === null && !process.env['CI'])('on PostgreSQL', () => {
  let server: Postgres;
  let scene: Scene;
  let watcher: Client;
  let copies = 0;

  beforeAll(async () => {
    if (bin === null) throw new Error('CI needs the package postgresql');
    server = await startPostgres(bin);
    watcher = new Client({ connectionString: server.url('postgres') });
    await watcher.connect();
    await execute('CREATE DATABASE scene');
    const migrated = await openStore({ kind: 'postgres', url: server.url('scene') });
    await migrated.close();
    scene = await makeScene({ kind: 'postgres', url: server.url('scene') });
  });
  afterAll(async () => {
    await watcher?.end();
    await server?.close();
  });

  async function execute(statement: string): Promise<void> {
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** Whether a transaction waits for another: of the two of a copy only the second can, because the first stands still. */
  async function isWaiting(): Promise<boolean> {
    const { rows } = await watcher.query('SELECT 1 FROM pg_locks WHERE NOT granted');
    return rows.length > 0;
  }

  /** What is left of the scene, and what was answered. A store for each function: those of one process wait in its memory. */
  async function onCopy<T>(work: (one: Store, two: Store) => Promise<T>): Promise<{ rows: string; result: T }> {
    copies += 1;
    const name = `copy_${copies}`;
    await execute(`CREATE DATABASE ${name} TEMPLATE scene`);
    const one = await openStore({ kind: 'postgres', url: server.url(name) });
    const two = await openStore({ kind: 'postgres', url: server.url(name) });
    try {
      const result = await work(one, two);
      return { result, rows: await dumpRows(server.url(name)) };
    } finally {
      await Promise.all([one.close(), two.close()]);
      await execute(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  }

  async function serial(one: string, two: string, isReversed: boolean): Promise<string> {
    const { rows, result } = await onCopy(async (store) => {
      if (!isReversed) return [await answerOf(one, store), await answerOf(two, store)];
      const second = await answerOf(two, store);
      return [await answerOf(one, store), second];
    });
    return textOf(rows, result);
  }

  /** What it answers, or the name of its failure. */
  const answerOf = async (name: string, store: Store): Promise<unknown> => {
    const run = FUNCTIONS[name];
    if (run === undefined) throw new Error(`there is no function ${name}`);
    return run(store, scene).catch((error: unknown) => `failed: ${error instanceof Error ? error.message : 'unknown'}`);
  };

  /** Where the first was held when the two came to something that neither order comes to; null when there is no such place. */
  async function findDifference(one: string, two: string): Promise<{ held: number; differs: number | null }> {
    const allowed = [await serial(one, two, false), await serial(one, two, true)];
    for (let at = 1; at <= STATEMENTS_MAX; at += 1) {
      const { rows, result } = await onCopy((ofOne, ofTwo) =>
        interleave(
          () => answerOf(one, ofOne),
          () => answerOf(two, ofTwo),
          { at, isWaiting },
        ),
      );
      if (result === null) return { held: at - 1, differs: null };
      reportFaults(countHits([result.waited ? 'waited for a lock' : 'ran between two statements']));
      if (!allowed.includes(textOf(rows, [result.first, result.second]))) return { held: at, differs: at };
    }
    throw new Error(`${one} has more than ${STATEMENTS_MAX} statements`);
  }

  test.each(PAIRS)('%s, held at each statement by %s, is as if one came after the other', async (one, two) => {
    const undo = holdStatements();
    const { held, differs } = await findDifference(one, two).finally(undo);
    expect(differs).toBeNull();
    expect(held).toBeGreaterThan(2);
  });

  test('CONTROL: without locks and without SERIALIZABLE two differ', async () => {
    const undo = holdStatements((begin) =>
      begin.replace('SERIALIZABLE', 'READ COMMITTED').replace(/LOCK TABLE [^;]+;/, ''),
    );
    const { differs } = await findDifference(...EITHER_WAY).finally(undo);
    expect(differs).not.toBeNull();
  });
});

const textOf = (rows: string, answers: readonly unknown[]) =>
  `${rows}\n${JSON.stringify(answers, (key, value: unknown) => (key === 'outboxId' ? null : typeof value === 'bigint' ? `${value}` : value))}`;
