import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/**
 * Stands still before its statement number `at` (from 1, BEGIN and COMMIT included), the first time that it comes there, and
 * so do those that are asked together with it and stand behind it.
 */
type Hold = { at: number; count: number; reached: () => void; goOn: Promise<void> };

const holds = new AsyncLocalStorage<Hold>();
const query: unknown = Reflect.get(Client.prototype, 'query');

/** The server ends who is silent in a transaction. One that is held here is silent for as long as the second takes. */
const patient = (begin: string) => begin.replace(/(idle_in_transaction_session_timeout = )\d+/, `$1${HELD_MAX_MS}`);
const HELD_MAX_MS = 60_000;
const LOOK_EVERY_MS = 5;

/** From now on statements of this process can be held. Answers how to undo that. `weaken` changes what BEGIN says. */
export function holdStatements(weaken: (begin: string) => string = (begin) => begin): () => void {
  if (typeof query !== 'function') throw new Error('a connection of pg has a query');
  const held = async function (this: Client, ...parameters: unknown[]): Promise<unknown> {
    const hold = holds.getStore();
    if (hold) {
      hold.count += 1;
      if (hold.count === hold.at) hold.reached();
      if (hold.count >= hold.at) await hold.goOn;
    }
    const [text, ...rest] = parameters;
    const isBegin = typeof text === 'string' && text.startsWith('BEGIN');
    return Reflect.apply(query, this, [isBegin ? patient(weaken(text)) : text, ...rest]);
  };
  Reflect.set(Client.prototype, 'query', held);
  return () => void Reflect.set(Client.prototype, 'query', query);
}

/**
 * Runs `first` until its statement number `at`, then `second` until it is over or `isWaiting`, then lets the first go on.
 * Answers null when the first has no such statement.
 */
export async function interleave<A, B>(
  first: () => Promise<A>,
  second: () => Promise<B>,
  { at, isWaiting }: { at: number; isWaiting: () => Promise<boolean> },
): Promise<{ first: A; second: B; waited: boolean } | null> {
  let reached = () => {};
  let letGo = () => {};
  const isThere = new Promise<'there'>((resolve) => (reached = () => resolve('there')));
  const hold = { at, count: 0, reached, goOn: new Promise<void>((resolve) => (letGo = resolve)) };
  const running = holds.run(hold, first);
  // A failure is looked at below, where both are awaited.
  if ((await Promise.race([isThere, over(running)])) === 'over') {
    await running;
    return null;
  }
  const beside = second();
  let waited = false;
  try {
    while (!waited && (await Promise.race([over(beside), pause(LOOK_EVERY_MS)])) !== 'over') waited = await isWaiting();
  } finally {
    letGo();
  }
  return { first: await running, second: await beside, waited };
}

const over = (work: Promise<unknown>) =>
  work.then(
    () => 'over' as const,
    () => 'over' as const,
  );
