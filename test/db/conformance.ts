import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { and, asc, eq, getTableColumns, sql, type InferInsertModel, type Table } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isUniqueViolation, violatedConstraint } from './constraint.ts';
import { ledgerLock, type Lock } from '../../db/store/locks.ts';
import { openStore, type DatabaseAddress, type OpenOptions } from '../../db/store/open.ts';
import { placeholder, prepare } from '../../db/store/prepare.ts';
import { stampStore } from '../../db/store/stamp.ts';
import type { Db, Store } from '../../db/store/store.ts';
import { compileProgram } from '../support/compiled-program.ts';

/** Makes a database without rows, or one without tables. */
export type Fresh = (isEmpty?: boolean) => Promise<{ address: DatabaseAddress; remove: () => Promise<void> }>;

const MAX = 2n ** 53n - 1n;

/** What every database must do for the rest of the code to be right about money. The tests share one, and leave no counters. */
export function conformance(name: string, fresh: Fresh): void {
  describe(name, () => {
    let address: DatabaseAddress;
    let remove: () => Promise<void>;
    const stores: Store[] = [];
    let store: Store;

    const open = async (options?: OpenOptions) => {
      const opened = await openStore(address, options);
      stores.push(opened);
      return opened;
    };

    beforeAll(async () => {
      ({ address, remove } = await fresh());
      store = await openStore(address);
    });
    afterEach(async () => {
      for (const opened of stores.splice(0)) await opened.close();
      await store.tx(async (db) => {
        await db.delete(counters());
        await db.delete(store.tables.stamps);
      });
    });
    afterAll(() => store.close().then(remove));

    const counters = () => store.tables.counters;
    const insertCounter = (db: Db, counter: string, used = 0n) => db.insert(counters()).values({ name: counter, used });
    const readCounters = async () => {
      const rows = await store.read.select().from(counters()).orderBy(asc(counters().name));
      return rows.map((row) => `${row.name}=${row.used}`);
    };
    const insertEntry = async (db: Db, cause: string) => {
      const rows = await db.insert(store.tables.entries).values({ cause, createdAtMs: 1 }).returning();
      return rows[0]!.id;
    };

    describe('a transaction', () => {
      test('is read as soon as it is answered', async () => {
        const result = await store.tx(async (db) => {
          await insertCounter(db, 'a', 1n);
          return 'done';
        });
        expect(result).toBe('done');
        expect(await readCounters()).toEqual(['a=1']);
      });

      test('may be one query, given back without await', async () => {
        expect(await store.tx((db) => insertCounter(db, 'a').returning())).toEqual([{ name: 'a', used: 0n }]);
      });

      test('sees what it wrote itself', async () => {
        const seen = await store.tx(async (db) => {
          await insertCounter(db, 'a', 1n);
          return db.select().from(counters());
        });
        expect(seen).toEqual([{ name: 'a', used: 1n }]);
      });

      test('that throws leaves nothing, and its error arrives as it was thrown', async () => {
        const error = new Error('no');
        const failing = store.tx(async (db) => {
          await insertCounter(db, 'a');
          throw error;
        });
        await expect(failing).rejects.toBe(error);
        expect(await readCounters()).toEqual([]);
      });

      test('that throws before its first await leaves nothing', async () => {
        const failing = store.tx(() => {
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        await store.tx((db) => insertCounter(db, 'a'));
        expect(await readCounters()).toEqual(['a=0']);
      });

      test('is not read before it is committed', async () => {
        let during: unknown;
        await store.tx(async (db) => {
          await insertCounter(db, 'a');
          during = await store.read.select().from(counters());
        });
        expect(during).toEqual([]);
        expect(await readCounters()).toEqual(['a=0']);
      });

      test('called inside another throws at once instead of waiting for ever', async () => {
        const outer = store.tx(async (db) => {
          await insertCounter(db, 'outer');
          await Promise.resolve();
          await store.tx((inner) => insertCounter(inner, 'inner'));
        });
        await expect(outer).rejects.toThrow('tx was called inside a transaction function');
        expect(await readCounters()).toEqual([]);
      });

      test('may be called by what goes on after another was answered', async () => {
        await store.tx((db) => insertCounter(db, 'a')).then(() => store.tx((db) => insertCounter(db, 'b')));
        expect(await readCounters()).toEqual(['a=0', 'b=0']);
      });

      test('that caught a failed statement is undone all the same', async () => {
        await store.tx((db) => insertCounter(db, 'a', 1n));
        const caught = store.tx(async (db) => {
          await insertCounter(db, 'b');
          await insertCounter(db, 'a').catch(() => 'ignored');
          return 'kept';
        });
        await expect(caught).rejects.toSatisfy(isUniqueViolation);
        expect(await readCounters()).toEqual(['a=1']);
      });

      test('in which a statement failed takes no other, and fails with the first error', async () => {
        await store.tx((db) => insertCounter(db, 'a', 1n));
        let second: unknown;
        const going = store.tx(async (db) => {
          await insertCounter(db, 'a').catch(() => 'ignored');
          second = await insertCounter(db, 'b').catch((error: unknown) => error);
        });
        await expect(going).rejects.toSatisfy(isUniqueViolation);
        expect(second).toBeInstanceOf(Error);
        expect(await readCounters()).toEqual(['a=1']);
      });

      test('is undone when a statement failed that nobody awaited', async () => {
        await store.tx((db) => insertCounter(db, 'a', 1n));
        const careless = store.tx(async (db) => {
          await insertCounter(db, 'b');
          void insertCounter(db, 'a').catch(() => 'ignored');
        });
        await expect(careless).rejects.toThrow();
        expect(await readCounters()).toEqual(['a=1']);
      });

      test('whose function does not finish is undone, rejected, and cannot write any more', async () => {
        const hasty = await open({ itemLimitMs: 40 });
        let wake: () => void = () => undefined;
        let late: Promise<unknown> = Promise.resolve();
        const stuck = hasty.tx(async (db) => {
          await insertCounter(db, 'stuck');
          const sleeping = new Promise<void>((resolve) => (wake = resolve));
          late = sleeping.then(() => insertCounter(db, 'late'));
          await late;
        });
        const next = hasty.tx((db) => insertCounter(db, 'next'));
        await expect(stuck).rejects.toThrow('did not finish in 40 ms');
        await next;
        // Woken inside a later transaction: its statement must not slip into that one.
        const later = hasty.tx(async (db) => {
          await insertCounter(db, 'later');
          wake();
          await expect(late).rejects.toSatisfy(saysOver);
        });
        await later;
        expect(await readCounters()).toEqual(['later=0', 'next=0']);
      });
    });

    describe('a handle whose transaction is over', () => {
      const stale = async () => {
        let kept: Db | undefined;
        let builder: PromiseLike<unknown> | undefined;
        await store.tx(async (db) => {
          kept = db;
          builder = insertCounter(db, 'builder');
        });
        return { db: kept!, builder: builder! };
      };

      test('cannot write, not even inside another transaction', async () => {
        const { db } = await stale();
        await expect((async () => insertCounter(db, 'a'))()).rejects.toSatisfy(saysOver);
        await store.tx(async (other) => {
          await insertCounter(other, 'b');
          await expect((async () => insertCounter(db, 'a'))()).rejects.toSatisfy(saysOver);
        });
        expect(await readCounters()).toEqual(['b=0']);
      });

      test('cannot run a query that was built before', async () => {
        const { builder } = await stale();
        await store.tx(async (other) => {
          await insertCounter(other, 'b');
          await expect((async () => builder)()).rejects.toSatisfy(saysOver);
        });
        expect(await readCounters()).toEqual(['b=0']);
      });

      test('cannot run a prepared query', async () => {
        const insert = prepare((db, tables) =>
          db.insert(tables.counters).values({ name: placeholder('name'), used: 0n }),
        );
        const { db } = await stale();
        await store.tx(async (other) => {
          await insert(other, { name: 'b' });
          await expect(insert(db, { name: 'a' })).rejects.toSatisfy(saysOver);
        });
        expect(await readCounters()).toEqual(['b=0']);
      });
    });

    describe('reading', () => {
      test('cannot write', async () => {
        await expect((async () => insertCounter(store.read, 'a'))()).rejects.toThrow();
        expect(await readCounters()).toEqual([]);
      });

      test('inside as many transactions as there may be does not wait for them', async () => {
        const all = Array.from({ length: 30 }, (_, index) =>
          store.tx(async (db) => {
            await store.read.select().from(counters());
            await insertCounter(db, `c${index}`);
          }),
        );
        await Promise.all(all);
        expect(await readCounters()).toHaveLength(30);
      });
    });

    describe('many at once', () => {
      test('a failing transaction among 100 takes none of the others with it', async () => {
        const all = Array.from({ length: 100 }, (_, index) =>
          store.tx(async (db) => {
            await insertCounter(db, `c${String(index).padStart(2, '0')}`);
            if (index % 10 === 3) throw new Error(`failed ${index}`);
            return index;
          }),
        );
        const results = await Promise.allSettled(all);
        const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        expect(kept).toHaveLength(90);
        expect(await readCounters()).toEqual(kept.map((index) => `c${String(index).padStart(2, '0')}=0`));
      });

      test('200 guarded increments stop exactly at the cap', async () => {
        await store.tx((db) => insertCounter(db, 'cap'));
        const take = () =>
          store.tx((db) =>
            db
              .update(counters())
              .set({ used: sql`${counters().used} + ${7n}` })
              .where(and(eq(counters().name, 'cap'), sql`${counters().used} + ${7n} <= ${1000n}`))
              .returning(),
          );
        const taken = await Promise.all(Array.from({ length: 200 }, take));
        expect(taken.filter((rows) => rows.length === 1)).toHaveLength(142);
        expect(await readCounters()).toEqual(['cap=994']);
      });

      test('of 50 who claim one key with ON CONFLICT DO NOTHING RETURNING, one gets it', async () => {
        const claims = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            store.tx((db) => insertCounter(db, 'key', BigInt(index)).onConflictDoNothing().returning()),
          ),
        );
        const won = claims.flat();
        expect(won).toHaveLength(1);
        expect(await readCounters()).toEqual([`key=${won[0]!.used}`]);
      });

      test('a caller who finds the key taken can read by whom', async () => {
        const owners = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            store.tx(async (db) => {
              await insertCounter(db, 'key', BigInt(index)).onConflictDoNothing();
              const [row] = await db.select().from(counters()).where(eq(counters().name, 'key'));
              return row!.used;
            }),
          ),
        );
        expect(new Set(owners).size).toBe(1);
      });

      test('what a transaction decided on stays true until it is committed', async () => {
        // Both read, then write where the other one read: only one order after another gives a right answer.
        const addUnlessCrowded = (index: number) =>
          store.tx(async (db) => {
            const rows = await db.select().from(counters());
            if (rows.length >= 3) return false;
            await insertCounter(db, `c${index}`);
            return true;
          });
        const added = await Promise.all(Array.from({ length: 40 }, (_, index) => addUnlessCrowded(index)));
        expect(added.filter(Boolean)).toHaveLength(3);
        expect(await readCounters()).toHaveLength(3);
      });

      test('transactions of two stores on one database lose no update', async () => {
        const other = await open();
        await store.tx((db) => insertCounter(db, 'sum'));
        const increment = (target: Store) =>
          target.tx(async (db) => {
            const [row] = await db.select().from(counters()).where(eq(counters().name, 'sum'));
            await db.update(counters()).set({ used: row!.used + 1n });
          });
        const all = Array.from({ length: 120 }, (_, index) => increment(index % 2 === 0 ? store : other));
        await Promise.all(all);
        expect(await readCounters()).toEqual(['sum=120']);
      });

      test('what was answered is there and what was rejected is not, whatever each of them does', async () => {
        const what = fc.constantFrom('keep', 'keep', 'throw', 'catch a conflict', 'forget a conflict', 'conflict');
        // Those that wait for the same locks are written in groups.
        const locks = fc.constantFrom([], [ledgerLock('a')], [ledgerLock('a')], [ledgerLock('a'), ledgerLock('b')]);
        let round = 0;
        const property = async (actions: { what: string; locks: readonly Lock[] }[]) => {
          round += 1;
          await store.tx((db) => insertCounter(db, `${round} taken`));
          const run = (action: (typeof actions)[number], index: number) =>
            store.tx(async (db) => {
              await insertCounter(db, `${round}.${index}`);
              if (action.what === 'throw') throw new Error(`thrown by ${index}`);
              if (action.what === 'conflict') await insertCounter(db, `${round} taken`);
              if (action.what === 'catch a conflict') await insertCounter(db, `${round} taken`).catch(() => null);
              await db
                .update(counters())
                .set({ used: 1n })
                .where(eq(counters().name, `${round}.${index}`));
              if (action.what === 'forget a conflict') void insertCounter(db, `${round} taken`).catch(() => null);
            }, action.locks);
          const results = await Promise.allSettled(actions.map(run));
          const stored = new Set(await readCounters());
          results.forEach((result, index) => {
            const isKept = actions[index]?.what === 'keep';
            expect(result.status).toBe(isKept ? 'fulfilled' : 'rejected');
            if (actions[index]?.what === 'throw')
              expect(result).toMatchObject({ reason: { message: `thrown by ${index}` } });
            expect(stored.has(`${round}.${index}=1`)).toBe(isKept);
            expect(stored.has(`${round}.${index}=0`)).toBe(false);
          });
        };
        const actions = fc.array(fc.record({ what, locks }), { minLength: 1, maxLength: 40, size: 'max' });
        await fc.assert(fc.asyncProperty(actions, property), { numRuns: 8 });
      });
    });

    describe('values', () => {
      test('bigints come back as they went in', async () => {
        const all = [0n, 1n, -1n, MAX, -MAX];
        await store.tx((db) => db.insert(counters()).values(all.map((used, index) => ({ name: `c${index}`, used }))));
        const rows = await store.read.select().from(counters()).orderBy(asc(counters().name));
        expect(rows.map(({ used }) => used)).toEqual(all);
      });

      test('sums of bigints come back as bigints', async () => {
        await store.tx((db) =>
          db.insert(counters()).values([
            { name: 'a', used: MAX - 1n },
            { name: 'b', used: 1n },
          ]),
        );
        const total = sql<bigint>`sum(${counters().used})`.mapWith(BigInt);
        expect(await store.read.select({ total }).from(counters())).toEqual([{ total: MAX }]);
      });

      test('json keeps its shape and the order of its keys, booleans and nulls stay what they are', async () => {
        const { heartbeats, transfers } = store.tables;
        const detail = { z: 1, a: { nested: [true, null, 'é\u2028"'], empty: {} }, n: 1.5, nul: '\u0000' };
        await store.tx((db) => db.insert(heartbeats).values({ name: 'x', atMs: 1_763_680_000_000, detail }));
        const [row] = await store.read.select().from(heartbeats);
        expect(row).toEqual({ name: 'x', atMs: 1_763_680_000_000, detail });
        expect(JSON.stringify(row!.detail)).toBe(JSON.stringify(detail));

        await store.tx((db) =>
          db
            .insert(transfers)
            .values([filled(transfers, { exposed: true }), filled(transfers, { exposed: false, id: 'other' })]),
        );
        const found = await store.read.select().from(transfers).where(eq(transfers.exposed, false));
        expect(found).toMatchObject([{ id: 'other', exposed: false, landedBlock: null }]);
      });

      test('serial ids are positive, different for everybody, and rise for one after another', async () => {
        const ids = await Promise.all(
          Array.from({ length: 60 }, (_, index) => store.tx((db) => insertEntry(db, `e${index}`))),
        );
        expect(new Set(ids).size).toBe(60);
        const first = await store.tx((db) => insertEntry(db, 'first'));
        const second = await store.tx((db) => insertEntry(db, 'second'));
        expect(Math.min(...ids)).toBeGreaterThan(0);
        expect(second).toBeGreaterThan(first);
      });
    });

    describe('constraints', () => {
      const account = { name: 'a', unit: 'usdc', side: 'asset', balance: 0n, balanceWei: '0' } as const;

      test('a broken one is told apart', async () => {
        await store.tx((db) => insertEntry(db, 'once'));
        const broken: [string, (db: Db) => Promise<unknown>][] = [
          ['unique', async (db) => insertEntry(db, 'once')],
          ['check', async (db) => db.insert(store.tables.accounts).values({ ...account, balance: -1n })],
          // @ts-expect-error a column that must not be null
          ['notNull', async (db) => db.insert(store.tables.accounts).values({ ...account, unit: null })],
        ];
        for (const [kind, work] of broken) {
          const error: unknown = await store.tx<unknown>(work).catch((reason: unknown) => reason);
          expect([kind, violatedConstraint(error), isUniqueViolation(error)]).toEqual([kind, kind, kind === 'unique']);
        }
      });

      test('the error of a failed statement does not carry its values', async () => {
        await store.tx((db) => insertCounter(db, 'a'));
        const error: unknown = await store
          .tx((db) => insertCounter(db, 'a', 987_654n))
          .catch((reason) => reason as Error);
        expect(String(error)).not.toContain('987654');
      });
    });

    describe('what is written once', () => {
      const statements: [string, (db: Db) => PromiseLike<unknown>][] = [
        ['an entry changed', (db) => db.update(store.tables.entries).set({ createdAtMs: 2 })],
        ['an entry deleted', (db) => db.delete(store.tables.entries)],
        ['a posting changed', (db) => db.update(store.tables.postings).set({ amount: 2n })],
        ['a posting deleted', (db) => db.delete(store.tables.postings)],
        ['a seal changed', (db) => db.update(store.tables.seals).set({ hash: 'other' })],
        ['a seal deleted', (db) => db.delete(store.tables.seals)],
        ['an action changed', (db) => db.update(store.tables.operatorActions).set({ result: 'other' })],
        ['an action deleted', (db) => db.delete(store.tables.operatorActions)],
        ['an answer changed', (db) => db.update(store.tables.payments).set({ answer: { a: 2 } })],
        ['an answer removed', (db) => db.update(store.tables.payments).set({ answer: null })],
        [
          'a transfer explained again',
          (db) => db.update(store.tables.observedTransfers).set({ consumedBy: 'payment:2' }),
        ],
        ['a transfer unexplained', (db) => db.update(store.tables.observedTransfers).set({ consumedBy: null })],
        [
          'an entry replaced',
          (db) =>
            db
              .insert(store.tables.entries)
              .values({ cause: 'c', createdAtMs: 9 })
              .onConflictDoUpdate({ target: store.tables.entries.cause, set: { createdAtMs: 9 } }),
        ],
      ];

      beforeAll(async () => {
        const { postings, seals, payments, observedTransfers } = store.tables;
        await store.tx(async (db) => {
          const entryId = await insertEntry(db, 'c');
          const posting = { account: 'a', unit: 'usdc', amountWei: '0', entryId } as const;
          await db.insert(postings).values([
            { ...posting, position: 0, amount: 1n },
            { ...posting, position: 1, amount: -1n },
          ]);
          await db.insert(seals).values({ entryId, hash: 'h' });
          await db
            .insert(store.tables.operatorActions)
            .values({ who: 'a test', command: 'resume', arguments: [], result: 'done', atMs: 1 });
          await db.insert(payments).values(filled(payments));
          await db.insert(observedTransfers).values(filled(observedTransfers));
        });
        await store.tx(async (db) => {
          await db.update(payments).set({ answer: { a: 1 } });
          await db.update(observedTransfers).set({ consumedBy: 'payment:1' });
        });
      });

      test('is kept: what would change it aborts its transaction and no other', async () => {
        for (const [what, statement] of statements) {
          const [before, failed, beside] = await Promise.allSettled([
            store.tx((db) => insertCounter(db, `${what}: before`)),
            store.tx(async (db) => statement(db)),
            store.tx((db) => insertCounter(db, `${what}: beside`)),
          ]);
          const broken = violatedConstraint(failed.status === 'rejected' ? failed.reason : null);
          expect([what, before.status, broken, beside.status]).toEqual([what, 'fulfilled', 'immutable', 'fulfilled']);
        }
        expect(await readCounters()).toHaveLength(2 * statements.length);
      });

      test('may be written again as it is, beside other columns', async () => {
        const { payments, observedTransfers } = store.tables;
        await store.tx(async (db) => {
          await db.update(payments).set({ answer: { a: 1 }, status: 'final' });
          await db.update(observedTransfers).set({ consumedBy: 'payment:1', landed: false });
        });
        expect(await store.read.select({ status: payments.status }).from(payments)).toEqual([{ status: 'final' }]);
      });
    });

    describe('prepared queries', () => {
      const insert = prepare((db, tables) =>
        db
          .insert(tables.counters)
          .values({ name: placeholder('name'), used: placeholder('used') })
          .onConflictDoNothing()
          .returning(),
      );
      const find = prepare((db, tables) =>
        db
          .select()
          .from(tables.counters)
          .where(eq(tables.counters.name, placeholder('name'))),
      );

      test('give what built ones give, in transactions and for reading', async () => {
        const inserted = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            store.tx((db) => insert(db, { name: `c${index % 10}`, used: BigInt(index) })),
          ),
        );
        const won = inserted.flat();
        expect(won).toHaveLength(10);
        const name = 'c3';
        expect(await find(store.read, { name })).toEqual(won.filter((row) => row.name === name));
        expect(await store.tx((db) => find(db, { name: 'none' }))).toEqual([]);
      });

      test('are undone with their transaction', async () => {
        const failing = store.tx(async (db) => {
          await insert(db, { name: 'a', used: 1n });
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        expect(await readCounters()).toEqual([]);
      });

      test('asked together run in their order, and where one fails none is kept and all can be asked again', async () => {
        const strict = prepare((db, tables) =>
          db.insert(tables.counters).values({ name: placeholder('name'), used: placeholder('used') }),
        );
        const [, seen] = await store.tx((db) =>
          Promise.all([
            insert(db, { name: 'a', used: 1n }),
            find(db, { name: 'a' }),
            insert(db, { name: 'b', used: 2n }),
          ]),
        );
        expect(seen).toEqual([{ name: 'a', used: 1n }]);
        const later = prepare((db, tables) => db.select({ used: tables.counters.used }).from(tables.counters));
        const ask = (name: string) =>
          store.tx((db) =>
            Promise.all([insert(db, { name: 'c', used: 3n }), strict(db, { name, used: 4n }), later(db, {})]),
          );
        // The last is asked for the first time where the one before it has failed.
        await expect(ask('a')).rejects.toSatisfy(isUniqueViolation);
        expect(await readCounters()).toEqual(['a=1', 'b=2']);
        const [, , all] = await ask('d');
        expect(all).toHaveLength(4);
      });

      test('see what their own transaction wrote, not the reader', async () => {
        const seen = await store.tx(async (db) => {
          await insert(db, { name: 'a', used: 1n });
          return [await find(db, { name: 'a' }), await find(store.read, { name: 'a' })];
        });
        expect(seen).toEqual([[{ name: 'a', used: 1n }], []]);
      });
    });

    describe('a stamp', () => {
      const local = { mode: 'local', treasury: '0xA' };

      test('is written by the first and accepted from the same again', async () => {
        await Promise.all([stampStore(store, local), stampStore(store, local)]);
        await stampStore(store, { ...local });
        expect(await store.read.select().from(store.tables.stamps)).toHaveLength(2);
      });

      test('refuses another value, one that is missing, and one that is new', async () => {
        await stampStore(store, local);
        const others: [Record<string, string>, string][] = [
          [{ mode: 'mainnet', treasury: '0xA' }, 'belongs to mode local; it was opened for mode mainnet'],
          [{ mode: 'local' }, 'belongs to treasury 0xA; it was opened for treasury (none)'],
          [{ ...local, token: '0xT' }, 'belongs to token (none); it was opened for token 0xT'],
        ];
        for (const [values, message] of others) await expect(stampStore(store, values)).rejects.toThrow(message);
        await stampStore(store, local);
      });
    });

    describe('a stamp of a network', () => {
      const local = { mode: 'local' };
      const base = { 'base:treasury': '0xA' };
      const solana = { 'solana:treasury': 'So1' };

      test('may come later and may be left out, but never be another', async () => {
        await stampStore(store, local, base);
        await stampStore(store, local, { ...base, ...solana });
        await stampStore(store, local, base);
        await expect(stampStore(store, local, { ...base, 'solana:treasury': 'So2' })).rejects.toThrow(
          'belongs to solana:treasury So1; it was opened for solana:treasury So2',
        );
        await expect(stampStore(store, local, { 'base:treasury': '0xB' })).rejects.toThrow(
          'belongs to base:treasury 0xA',
        );
      });
    });

    describe('opening and closing', () => {
      test('close waits for what is queued, and then takes nothing more', async () => {
        const closing = await open();
        const queued = Array.from({ length: 20 }, (_, index) => closing.tx((db) => insertCounter(db, `c${index}`)));
        await closing.close();
        await closing.close();
        expect(await readCounters()).toHaveLength(20);
        await Promise.all(queued);
        await expect(closing.tx((db) => insertCounter(db, 'late'))).rejects.toThrow('the store is closed');
      });

      test('what was committed is there after opening again', async () => {
        await store.tx((db) => insertCounter(db, 'a', 5n));
        await store.close();
        store = await openStore(address);
        expect(await readCounters()).toEqual(['a=5']);
      });

      test('several processes may start on an empty database at once', async () => {
        const empty = await fresh(true);
        try {
          const starters = Array.from({ length: 3 }, () => startChild('open', empty.address));
          const codes = await Promise.all(starters.map(async ({ ended }) => ended));
          expect(codes).toEqual([0, 0, 0]);
        } finally {
          await empty.remove();
        }
      });

      test('a database with migrations of another version is refused', async () => {
        const foreign = await fresh();
        await (await openStore(foreign.address)).close();
        await markForeign(foreign.address);
        await expect(openStore(foreign.address)).rejects.toThrow('is not one of the 2 of this version');
        await foreign.remove();
      });
    });

    describe('a process that is killed under load', () => {
      test('leaves everything that was answered, whole', async () => {
        const killed = await fresh();
        const child = startChild('load', killed.address);
        const answered = await killAfter(child, 150);
        const after = await openStore(killed.address);
        const { entries, postings } = after.tables;
        // At one moment: the server may still write down what it was sent before the death.
        const [stored, rows] = await after.tx(async (db) => [
          await db.select({ cause: entries.cause, id: entries.id }).from(entries),
          await db.select({ id: postings.entryId }).from(postings),
        ]);
        await after.close();
        await killed.remove();
        const causes = new Set(stored.map((entry) => entry.cause));
        expect(answered.filter((cause) => !causes.has(cause))).toEqual([]);
        expect(answered.length).toBeGreaterThanOrEqual(150);
        // Whole: each entry with both of its postings, and no posting without its entry.
        expect(rows.map((row) => row.id).sort(byNumber)).toEqual(
          stored.flatMap((entry) => [entry.id, entry.id]).sort(byNumber),
        );
      });
    });
  });
}

const byNumber = (a: number, b: number) => a - b;

function saysOver(error: unknown): boolean {
  const { message, cause } = error as Error;
  return [message, (cause as Error | undefined)?.message].includes(
    'this transaction is over; its db cannot be used any more',
  );
}

const CHILD = await compileProgram(join(import.meta.dirname, 'child.ts'));

function startChild(task: 'open' | 'load', address: DatabaseAddress) {
  const child = spawn(process.execPath, [CHILD, task, JSON.stringify(address)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended };
}

/** Kills -9 after so many answers, and returns all that had arrived, those after the signal included. */
async function killAfter({ child, ended }: ReturnType<typeof startChild>, count: number): Promise<string[]> {
  const answered: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    answered.push(line);
    if (answered.length === count) child.kill('SIGKILL');
  });
  await once(lines, 'close');
  expect(await ended).toBeNull();
  return answered;
}

async function markForeign(address: DatabaseAddress): Promise<void> {
  const statement = "UPDATE migrations SET hash = 'foreign'";
  if (address.kind === 'sqlite') {
    const { default: Database } = await import('better-sqlite3');
    const handle = new Database(address.path);
    handle.exec(statement);
    handle.close();
    return;
  }
  const { Client } = await import('pg');
  const client = new Client({ connectionString: address.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A row with something in every column that must not be empty, whatever columns the table has this week. */
function filled<T extends Table>(table: T, over: Partial<InferInsertModel<T>> = {}): InferInsertModel<T> {
  const samples: Record<string, unknown> = { string: 'x', number: 1, bigint: 1n, custom: 1n, boolean: true, json: {} };
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => column.notNull && !column.hasDefault);
  const row = columns.map(([key, column]) => [key, column.enumValues?.[0] ?? samples[column.dataType]]);
  return { ...Object.fromEntries(row), ...over } as InferInsertModel<T>;
}
