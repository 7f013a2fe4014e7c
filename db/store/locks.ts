import { createHash } from 'node:crypto';

/**
 * What a transaction may hold alone. Of the transactions that hold the same lock one runs at a time, in whichever process (of a
 * payer's: in its own process); all others run beside it. SQLite has one writer and needs none.
 */
export type Lock = string & { readonly lock: unique symbol };

/** Everything that is posted to the accounts of a network, which nearly all its entries share. */
export const ledgerLock = (network: string) => `ledger:${network}` as Lock;
const PAYER = 'payer:';
/**
 * What one payer reserves: their open payments, their keys, and which of their requests joins an earlier one. Nothing that
 * a function with this lock reads is written for another payer, except in guarded statements. So the functions of a process
 * share transactions, in which different payers run side by side. What another process does for the same payer is met as
 * a conflict.
 */
export const payerLock = (payer: string) => `${PAYER}${payer}` as Lock;
/** Those that met a conflict, whatever it was about: run side by side again, they would meet the next one. */
export const conflictLock = 'conflict' as Lock;
/** No lock: a short statement on rows of one process alone never waits for what others do. */
export const aside = 'aside' as Lock;
/**
 * No lock and no snapshot (READ COMMITTED): for functions of which each statement decides by itself, about no rows but those
 * that it writes. They meet no conflict but with another writer of the same row, and who only reads such a row is not
 * protected from them. Those of a process share transactions, in which they run side by side. After a conflict they run as all
 * others do. Answers share with answers alone, so that none waits until a stranger's payment is written.
 */
export const answers = 'answers' as Lock;
/** The same for what is marked as done. */
export const marks = 'marks' as Lock;
/** A running total with a cap. */
export const counterLock = (name: string) => `counter:${name}` as Lock;

/** The turn of all payers of a process. */
const PAYERS = 'payers';
const WITHOUT_SNAPSHOT: ReadonlySet<string> = new Set([answers, marks]);
const SHARED: ReadonlySet<string> = new Set([...WITHOUT_SNAPSHOT, PAYERS]);
/** Empty tables that exist only to be locked; `db/rules/pg.sql` makes as many. */
const LOCKS_MAX = 64;

/** Whether a transaction begins beside all others, however many conflicts there are. */
export const isBeside = (locks: ReadonlySet<Lock>) => locks.has(aside) || decideByThemselves(locks);

/** Whether its statements need no snapshot in common. */
export const decideByThemselves = (locks: ReadonlySet<Lock>) => [...locks].some((lock) => WITHOUT_SNAPSHOT.has(lock));

/** The lock of a payer among them; null where there is none. */
export const payerLockIn = (locks: ReadonlySet<Lock>) => [...locks].find(isPayer) ?? null;

const isPayer = (lock: Lock) => lock.startsWith(PAYER);
const hasTable = (lock: Lock) => lock !== aside && !WITHOUT_SNAPSHOT.has(lock) && !isPayer(lock);

const numberOf = (lock: Lock) => createHash('sha256').update(lock).digest().readUInt16BE() % LOCKS_MAX;
const CONFLICT_NUMBER = numberOf(conflictLock);
const CONFLICT_TABLE = `lock_${CONFLICT_NUMBER}`;
/** That of all comes last, so that nobody has it while waiting for another. */
const placeOf = (number: number) => (number - CONFLICT_NUMBER - 1 + LOCKS_MAX) % LOCKS_MAX;

/**
 * What a transaction waits for, in one order for all, so that no two wait for each other in a circle: tables, or its
 * process alone. Two locks may share a table: then they wait for each other now and then, which is slower and never wrong.
 */
export function turnNames(locks: ReadonlySet<Lock>): string[] {
  const numbers = [...locks].filter(hasTable).map(numberOf);
  if (numbers.length === 0)
    return payerLockIn(locks) === null ? [...locks].filter((lock) => SHARED.has(lock)) : [PAYERS];
  const inOrder = [...new Set(numbers)].toSorted((one, other) => placeOf(one) - placeOf(other));
  return inOrder.map((number) => `lock_${number}`);
}

/** Whether it takes its turn where there are conflicts, or shares a transaction that meets none. */
export const hasTurn = (names: readonly string[]) => names.includes(CONFLICT_TABLE) || needNoSnapshot(names);

export const needNoSnapshot = (names: readonly string[]) => names.some((name) => WITHOUT_SNAPSHOT.has(name));

/** Whether the functions of a process share these transactions without holding any table. */
export const isTogether = (names: readonly string[]) => names.some((name) => SHARED.has(name));

export const tablesOf = (names: readonly string[]) => names.filter((name) => !SHARED.has(name));

const wanted = new WeakMap<object, Set<Lock>>();

/**
 * Says inside a transaction function which lock it would have needed. After a conflict the function runs again with it, so
 * that it cannot lose for ever against those who hold it from the beginning.
 */
export function wantLock(db: object, lock: Lock): void {
  wanted.get(db)?.add(lock);
}

/** For the stores: the set that collects what a transaction's function wants. */
export function collectLocks(db: object, locks: Set<Lock>): void {
  wanted.set(db, locks);
}

/** Those whose transaction was undone for what a neighbour did, and those that have not begun. */
export type LeftOver<Item> = { undone: Item[]; waiting: Item[] };

/** At most so many share a transaction; how long it may keep its locks is the caller's to say. */
const TOGETHER_MAX = 32;

export type Turns<Item> = { enter: (names: readonly string[], item: Item, isAlone: boolean) => void };

/**
 * The queues inside one process, before the database's own. Of those that need the same table one asks for it, so that a
 * process that is stopped keeps one place among those who wait, where each of its connections would be waited for in turn.
 * Meanwhile all that need the same tables gather behind it, and run together: `take` ends the gathering. `run` never
 * rejects, and answers those that come again, each list of them together, when those who wait by then have had their turn: the
 * `undone` with nobody else, and the `waiting` with all that gather. `names` are in the order of `turnNames`.
 */
export function createTurns<Item>(
  run: (names: readonly string[], take: () => Item[]) => Promise<LeftOver<Item>>,
): Turns<Item> {
  const waiting = new Map<string, (() => void)[]>();
  const gathering = new Map<string, Item[]>();

  function enter(names: readonly string[], item: Item, isAlone: boolean): void {
    const key = names.join();
    const group = gathering.get(key);
    if (!isAlone && group !== undefined && group.length < TOGETHER_MAX) return void group.push(item);
    ask(names, [item], !isAlone && names.length > 0);
  }

  function ask(names: readonly string[], own: Item[], gathers: boolean): void {
    const key = names.join();
    if (gathers) gathering.set(key, own);
    const take = () => {
      if (gathering.get(key) === own) gathering.delete(key);
      return own;
    };
    void inTurn(names, async () => {
      const { undone, waiting: left } = await run(names, take);
      if (undone.length > 0) ask(names, undone, false);
      if (left.length > 0) ask(names, left, !gathering.has(key));
    });
  }

  async function inTurn(names: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const name of names) await takeTurn(name);
    await work();
    for (const name of names) giveBack(name);
  }

  async function takeTurn(name: string): Promise<void> {
    const queue = waiting.get(name);
    if (queue === undefined) waiting.set(name, []);
    else await new Promise<void>((resolve) => queue.push(resolve));
  }

  function giveBack(name: string): void {
    const next = waiting.get(name)?.shift();
    if (next === undefined) waiting.delete(name);
    else next();
  }

  return { enter };
}
