import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGroupCommit, type GroupCommit, type GroupLimits, type Writer } from '../../../db/store/group-commit.ts';
import { kit } from '../../../db/dialects/kit-sqlite.ts';
import { prepare } from '../../../db/store/prepare.ts';
import { createSqliteWriter } from '../../../db/store/sqlite-writer.ts';
import { openSqlite } from '../../../db/store/store-sqlite.ts';
import type { Db } from '../../../db/store/store.ts';
import { takeTurn } from '../../../db/store/busy.ts';
import { defineTables } from '../../../db/schema/tables.ts';
import { copyMigrated } from '../../support/databases/migrated.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

const LIMITS: GroupLimits = { itemsMax: 256, waitingMax: 1000, itemLimitMs: 5_000, busyLimitMs: 5_000 };
const tables = defineTables(kit);
const { counters } = tables;
const readCounters = prepare((db, { counters: all }) => db.select().from(all));

describe('group commit', () => {
  let folder: string;
  let path: string;
  let handle: ReturnType<typeof openSqlite>;
  let other: ReturnType<typeof openSqlite>;
  let commits: number;
  let group: GroupCommit;

  beforeEach(async () => {
    folder = createDiskFolder('group-');
    path = join(folder, 'test.db');
    await copyMigrated(path);
    handle = openSqlite(path, 0);
    other = openSqlite(path, 0);
    commits = 0;
    group = create();
  });

  afterEach(async () => {
    await group.close();
    handle.close();
    other.close();
    rmSync(folder, { recursive: true });
  });

  function create(change: (writer: Writer) => Partial<Writer> = () => ({}), limits: Partial<GroupLimits> = {}) {
    const writer = createSqliteWriter(handle, tables);
    const commit = () => {
      commits += 1;
      writer.commit();
    };
    const counted = { ...writer, commit };
    return createGroupCommit({ ...counted, ...change(counted) }, { ...LIMITS, ...limits });
  }

  const insert = (db: Db, name: string) => db.insert(counters).values({ name, used: 1n });
  const addOne = (db: Db, name: string) =>
    db
      .insert(counters)
      .values({ name, used: 1n })
      .onConflictDoUpdate({ target: counters.name, set: { used: sql`${counters.used} + 1` } });
  const stored = () =>
    other
      .prepare('SELECT name, used FROM counters ORDER BY name')
      .all()
      .map((row) => Object.values(row as { name: string; used: number }).join('='));
  const outcomes = async (all: Promise<unknown>[]) => (await Promise.allSettled(all)).map((result) => result.status);
  const trigger = (raise: string) =>
    other.exec(
      `CREATE TRIGGER bomb BEFORE INSERT ON counters WHEN NEW.name = 'bomb' BEGIN SELECT RAISE(${raise}, 'boom'); END`,
    );

  test('lets 50 who wait share their commits', async () => {
    const rounds = 10;
    const write = async (writer: number) => {
      for (let round = 0; round < rounds; round += 1) await group.tx((db) => insert(db, `${writer}.${round}`));
    };
    await Promise.all(Array.from({ length: 50 }, (_, writer) => write(writer)));
    expect(stored()).toHaveLength(50 * rounds);
    expect(commits).toBeLessThanOrEqual(2 * rounds);
  });

  test('takes at most so many into one group', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, index) => group.tx((db) => insert(db, `c${index}`))));
    expect(commits).toBe(3);
  });

  test('runs the items one after another, in the order of their calls', async () => {
    const steps: string[] = [];
    const item = (name: string) =>
      group.tx(async (db) => {
        steps.push(`${name} begins`);
        await insert(db, name);
        await nextTurn();
        await db.select().from(counters);
        steps.push(`${name} ends`);
      });
    await Promise.all(['a', 'b', 'c'].map(item));
    expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  test('runs each item in the async context of its caller', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) => context.run(name, () => group.tx(async () => context.getStore()))),
    );
    context.disable();
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['asks prepared queries', async (db: Db) => void (await readCounters(db, {}))],
    ['gives turns itself', async (db: Db) => takeTurn(db)],
  ])('an item that takes long and %s stops nothing else in the process', async (_name, step) => {
    let turns = 0;
    const looking = setInterval(() => (turns += 1), 1);
    let isOver = false;
    const long = group.tx(async (db) => {
      await insert(db, 'long');
      const untilMs = performance.now() + 150;
      while (performance.now() < untilMs) await step(db);
      expect(turns).toBeGreaterThan(2);
      isOver = true;
    });
    const next = group.tx(async (db) => {
      expect(isOver).toBe(true);
      await insert(db, 'next');
    });
    await nextTurn();
    expect(stored()).toEqual([]);
    await Promise.all([long, next]);
    clearInterval(looking);
    expect(stored()).toEqual(['long=1', 'next=1']);
  });

  test('refuses more than may wait', async () => {
    const small = create(undefined, { waitingMax: 2 });
    const all = ['a', 'b', 'c'].map((name) => small.tx((db) => insert(db, name)));
    expect(await outcomes(all)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('close cannot be called inside an item, where it would wait for itself', async () => {
    await expect(group.tx(async () => group.close())).rejects.toThrow('close was called inside a transaction function');
    await group.tx((db) => insert(db, 'a'));
  });

  test.each(['commit', 'ROLLBACK', ' savepoint x', 'release item', 'pragma synchronous = OFF', 'END'])(
    'no item can run %j',
    async (statement) => {
      const all = [
        group.tx((db) => insert(db, 'before')),
        group.tx(async (db) => {
          await insert(db, 'mine');
          await db.run(sql.raw(statement));
        }),
        group.tx((db) => insert(db, 'after')),
      ];
      expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(stored()).toEqual(['after=1', 'before=1']);
    },
  );

  describe('an item that is stuck', () => {
    const never = new Promise<never>(() => undefined);

    test('costs its neighbours nothing but time', async () => {
      const hasty = create(undefined, { itemLimitMs: 30 });
      const all = [
        hasty.tx((db) => insert(db, 'before')),
        hasty.tx(async (db) => {
          await insert(db, 'stuck');
          await never;
        }),
        hasty.tx((db) => insert(db, 'after')),
      ];
      expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(stored()).toEqual(['after=1', 'before=1']);
      expect(commits).toBe(1);
    });

    test('cannot start another transaction when it wakes up', async () => {
      const hasty = create(undefined, { itemLimitMs: 30 });
      let wake: () => void = () => undefined;
      let late: Promise<unknown> = Promise.resolve();
      const stuck = hasty.tx(async () => {
        const sleeping = new Promise<void>((resolve) => (wake = resolve));
        late = sleeping.then(() => hasty.tx((db) => insert(db, 'late')));
        await late;
      });
      await expect(stuck).rejects.toThrow('did not finish in 30 ms');
      wake();
      await expect(late).rejects.toThrow('tx was called inside a transaction function');
      expect(stored()).toEqual([]);
    });
  });

  describe('a transaction that the database rolls back', () => {
    beforeEach(() => void trigger('ROLLBACK'));

    const bombAfter = (name: string) => async (db: Db) => {
      await addOne(db, name);
      await insert(db, 'bomb');
    };

    test('costs the neighbours of its cause nothing, and each has its effect once', async () => {
      const all = [
        group.tx((db) => addOne(db, 'before')),
        group.tx(bombAfter('mine')),
        group.tx((db) => addOne(db, 'after')),
      ];
      expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(stored()).toEqual(['after=1', 'before=1']);
      await expect(all[1]).rejects.toThrow('boom');
    });

    test('lets no later statement of its cause commit by itself', async () => {
      const stubborn = group.tx(async (db) => {
        await addOne(db, 'first');
        await insert(db, 'bomb').catch(() => 'ignored');
        await addOne(db, 'second').catch(() => 'ignored');
        return 'kept';
      });
      expect(await outcomes([stubborn, group.tx((db) => addOne(db, 'after'))])).toEqual(['rejected', 'fulfilled']);
      expect(stored()).toEqual(['after=1']);
    });

    test('takes back what an earlier neighbour decided on', async () => {
      // In the group it sees the key taken; but who took it is not kept, so alone it finds it free.
      const takeKey = async (db: Db) => {
        const rows = await insert(db, 'key').onConflictDoNothing().returning();
        if (rows.length === 0) throw new Error('taken');
      };
      const all = [group.tx(bombAfter('key')), group.tx(takeKey), group.tx(bombAfter('x'))];
      expect(await outcomes(all)).toEqual(['rejected', 'fulfilled', 'rejected']);
      expect(stored()).toEqual(['key=1']);
    });

    test('leaves no way to write without one', async () => {
      const writer = createSqliteWriter(handle, tables);
      writer.begin();
      const { db } = writer.lease();
      handle.exec('ROLLBACK');
      await expect((async () => insert(db, 'alone'))()).rejects.toThrow('was rolled back by the database');
      expect(stored()).toEqual([]);
    });

    test('is answered when its cause is alone', async () => {
      await expect(group.tx(bombAfter('a'))).rejects.toThrow('boom');
      await group.tx((db) => addOne(db, 'b'));
      expect(stored()).toEqual(['b=1']);
    });
  });

  test('a failed statement inside one item leaves the group as it is', async () => {
    trigger('ABORT');
    const all = [
      group.tx((db) => insert(db, 'a')),
      group.tx((db) => insert(db, 'bomb')),
      group.tx((db) => insert(db, 'b')),
    ];
    expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits).toBe(1);
  });

  test('on a full disk exactly what was answered is there, and writing goes on when there is room', async () => {
    handle.pragma(`max_page_count = ${(handle.pragma('page_count', { simple: true }) as number) + 12}`);
    const big = 'x'.repeat(8_000);
    const write = (index: number) => group.tx((db) => insert(db, `${String(index).padStart(2, '0')}${big}`));
    const results = await outcomes(Array.from({ length: 20 }, (_, index) => write(index)));
    const kept = results.flatMap((status, index) => (status === 'fulfilled' ? [index] : []));
    expect(stored().map((name) => Number(name.slice(0, 2)))).toEqual(kept);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(20);
    handle.pragma('max_page_count = 100000');
    await write(50);
    expect(stored()).toHaveLength(kept.length + 1);
  });

  describe('a COMMIT that fails', () => {
    const failing = (times: number) => (writer: Writer) => {
      let left = times;
      const commit = () => {
        left -= 1;
        if (left >= 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
        writer.commit();
      };
      return { commit };
    };
    const writeThree = (target: GroupCommit) => ['a', 'b', 'c'].map((name) => target.tx((db) => addOne(db, name)));

    test('once: each item runs again by itself, with its effect once', async () => {
      expect(await outcomes(writeThree(create(failing(1))))).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      expect(stored()).toEqual(['a=1', 'b=1', 'c=1']);
    });

    test('twice: the first of them is rejected and not there', async () => {
      expect(await outcomes(writeThree(create(failing(2))))).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      expect(stored()).toEqual(['b=1', 'c=1']);
    });

    test('always: all are rejected, and nothing is there', async () => {
      expect(await outcomes(writeThree(create(failing(100))))).toEqual(['rejected', 'rejected', 'rejected']);
      expect(stored()).toEqual([]);
      expect(handle.inTransaction).toBe(false);
    });
  });

  describe('while another process holds the lock', () => {
    test('items wait, the event loop does not, and all go into one group', async () => {
      other.exec('BEGIN IMMEDIATE');
      const all = Array.from({ length: 10 }, (_, index) => group.tx((db) => insert(db, `c${index}`)));
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      all.push(group.tx((db) => insert(db, 'late')));
      other.exec('COMMIT');
      await Promise.all(all);
      expect(stored()).toHaveLength(11);
      expect(commits).toBe(1);
    });

    test('for too long, they are rejected, and later ones are not', async () => {
      const hasty = create(undefined, { busyLimitMs: 30 });
      other.exec('BEGIN IMMEDIATE');
      const all = ['a', 'b'].map((name) => hasty.tx((db) => insert(db, name)));
      await expect(all[0]).rejects.toThrow('database is locked');
      await expect(all[1]).rejects.toThrow('database is locked');
      other.exec('COMMIT');
      await hasty.tx((db) => insert(db, 'c'));
      expect(stored()).toEqual(['c=1']);
    });
  });

  /** Each takes one safeguard away, and the harm that it prevents is seen. */
  describe('control:', () => {
    test('without the savepoint, a failed item stays', async () => {
      const broken = create(() => ({ rollbackToSavepoint: () => undefined }));
      const failing = broken.tx(async (db) => {
        await insert(db, 'failed');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(stored()).toEqual(['failed=1']);
    });

    test('without looking whether the transaction is still there, an answer is given for what is not', async () => {
      trigger('ROLLBACK');
      const blind = (run: () => void) => () => {
        if (handle.inTransaction) run();
      };
      const broken = create((writer) => ({
        inTransaction: () => true,
        savepoint: blind(writer.savepoint),
        rollbackToSavepoint: blind(writer.rollbackToSavepoint),
        release: blind(writer.release),
        commit: blind(writer.commit),
      }));
      const all = [broken.tx((db) => addOne(db, 'before')), broken.tx((db) => insert(db, 'bomb'))];
      expect(await outcomes(all)).toEqual(['fulfilled', 'rejected']);
      expect(stored()).toEqual([]);
    });

    test('without a COMMIT that waits for the disk, an answer is given for what is not', async () => {
      const broken = create((writer) => ({ commit: writer.rollback }));
      await broken.tx((db) => insert(db, 'a'));
      expect(stored()).toEqual([]);
    });

    test('without revoking, a kept handle writes into the transaction of another', async () => {
      const broken = create((writer) => ({ lease: () => ({ ...writer.lease(), revoke: () => undefined }) }));
      let kept: Db | undefined;
      await broken.tx(async (db) => void (kept = db));
      await broken.tx(async () => void (await insert(kept!, 'stale')));
      expect(stored()).toEqual(['stale=1']);
    });

    test('without remembering a failed statement, an item that caught it is half kept', async () => {
      const broken = create((writer) => ({ lease: () => ({ ...writer.lease(), failure: () => null }) }));
      await broken.tx((db) => insert(db, 'a'));
      await broken.tx(async (db) => {
        await insert(db, 'half');
        await insert(db, 'a').catch(() => 'ignored');
      });
      expect(stored()).toEqual(['a=1', 'half=1']);
    });
  });
});

describe('a connection to SQLite', () => {
  test('has the settings that durability and triggers rest on', () => {
    const folder = createDiskFolder('settings-');
    const handle = openSqlite(join(folder, 'test.db'), 0);
    const setting = (name: string) => handle.pragma(name, { simple: true });
    expect(setting('journal_mode')).toBe('wal');
    // 2 is FULL: the log is synced at each commit.
    expect(setting('synchronous')).toBe(2);
    expect(setting('foreign_keys')).toBe(1);
    expect(setting('recursive_triggers')).toBe(1);
    handle.close();
    rmSync(folder, { recursive: true });
  });

  test.each(['', ':memory:'])('needs a file, not %j', (path) => {
    expect(() => openSqlite(path, 0)).toThrow('a SQLite database needs a file');
  });
});

describe('a bigint that a double cannot hold', () => {
  const column = counters.used;

  test.each([2n ** 53n, -(2n ** 53n), 2n ** 63n])('is refused, not rounded: %s', (value) => {
    expect(() => column.mapToDriverValue(value)).toThrow('does not fit');
    expect(() => column.mapFromDriverValue(Number(value) as never)).toThrow('does not fit');
  });

  test('is told from the largest that it can hold', () => {
    expect(column.mapFromDriverValue(Number.MAX_SAFE_INTEGER as never)).toBe(2n ** 53n - 1n);
  });
});
