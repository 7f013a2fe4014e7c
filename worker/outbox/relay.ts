import type { Logger } from 'pino';
import { handleEvent, isMoneyTopic, type ChatTopic, type MoneyTopic, type OutboxHandlers } from '../../core/outbox.ts';
import { completeItems, dueItems, findItem, postponeItem, type OutboxItem } from '../../db/store/outbox.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import { createShared } from '../../queue/by-key.ts';
import { startJob, type Job } from '../../queue/job.ts';
import { NotYet } from './not-yet.ts';
import { Unserved } from './unserved.ts';

/** A row that is still open this long after its wake-up is handled without the queue. */
const UNANSWERED_MS = 2_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_MAX = 500;
const WAIT_MAX_MS = 60_000;
/** A chat that hangs delays only its own rows: so many receipts may run at once. */
const RECEIPTS_AT_ONCE_MAX = 16;
/** Thousands of rows may be unserved, and each try costs a write. */
const UNSERVED_WAIT_MAX_MS = 10 * 60_000;

export type RelayDependencies = {
  store: Store;
  now: () => number;
  log: Logger;
  /** Wakes a worker through the queue; false when there is no queue. */
  notify: (items: readonly { id: number; topic: string }[]) => boolean;
  /** Wakes the rounds that find their work in rows of their own. `told`: of how many new ones; a sweep knows of none. */
  wakes: Readonly<Record<MoneyTopic, (told: number) => void>>;
  handlers: OutboxHandlers<ChatTopic>;
  /** Of several workers one handles what chats are told of where no wake-up has brought it to any of them. */
  hold: Pick<Hold, 'isHeld'>;
};

export type Relay = {
  wake: () => void;
  /** A wake-up named this row. */
  handle: (wakeUp: { id: number; topic: string }) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Brings outbox rows to their handlers. The queue makes it quick and spreads the work; the sweep makes it certain,
 * because it handles a row whose wake-up was lost or that has no queue. Every handler may run twice for one row. Rows
 * about money ask for a look and nothing else, so one look serves all that are due, and they are done together. A
 * receipt may take as long as its chat does, so the sweep does not wait for receipts: money comes right behind them.
 */
export function startRelay({ store, now, log, notify, wakes, handlers, hold }: RelayDependencies): Relay {
  const notifiedAtMs = new Map<number, number>();
  const noteUnserved = warnOfUnserved(log);
  const receipts = createShared<number, void>();
  let isFull = false;

  async function sweep(): Promise<void> {
    const found = await dueItems(store, now(), SWEEP_MAX);
    const due = found.filter(isOfChat);
    await look(
      found.filter(({ topic }) => isMoneyTopic(topic)),
      { store, wakes, nowMs: now() },
    );
    if (found.length === SWEEP_MAX && due.length < found.length) job.wake();
    const unnotified = due.filter(({ id }) => !notifiedAtMs.has(id));
    if (unnotified.length > 0 && notify(unnotified)) for (const { id } of unnotified) notifiedAtMs.set(id, now());
    // No wake-up was sent (there is no queue), or it was lost.
    const late = (hold.isHeld() ? due : []).filter(
      ({ id }) => now() - (notifiedAtMs.get(id) ?? -Infinity) >= UNANSWERED_MS,
    );
    for (const item of late) beginReceipt(item);
    for (const id of notifiedAtMs.keys()) if (!due.some((item) => item.id === id)) notifiedAtMs.delete(id);
  }

  function beginReceipt(item: ChatItem): void {
    if (receipts.has(item.id)) return;
    isFull = receipts.size() >= RECEIPTS_AT_ONCE_MAX;
    if (isFull) return;
    const work = receipts.share(item.id, () =>
      attend(item).catch((error: unknown) =>
        log.warn({ err: error, outboxId: item.id }, 'the outcome of a row could not be stored'),
      ),
    );
    // Rows that found no place are still due. Waiting for half of the places saves a sweep per row.
    void work.then(() => {
      if (isFull && receipts.size() <= RECEIPTS_AT_ONCE_MAX / 2) job.wake();
    });
  }

  async function handle({ id, topic }: { id: number; topic: string }): Promise<void> {
    if (isMoneyTopic(topic)) {
      wakes[topic](1);
      return job.wake();
    }
    const item = await findItem(store, id);
    if (item !== null && isOfChat(item)) await attend(item);
  }

  async function attend(item: ChatItem): Promise<void> {
    try {
      await handleEvent(handlers, item);
      await completeItems(store, [item.id], now());
    } catch (error) {
      const longestMs = error instanceof Unserved ? UNSERVED_WAIT_MAX_MS : WAIT_MAX_MS;
      const waitMs = Math.min(1_000 * 2 ** item.tries, longestMs);
      if (error instanceof Unserved) noteUnserved(error);
      else if (!(error instanceof NotYet))
        log.warn({ err: error, outboxId: item.id, topic: item.topic, waitMs }, 'outbox row failed; it is tried again');
      notifiedAtMs.delete(item.id);
      await postponeItem(store, item.id, now() + waitMs);
    }
  }

  const job: Job = startJob({ name: 'outbox', everyMs: SWEEP_EVERY_MS, step: sweep, log });
  const close = async () => {
    await job.close();
    await receipts.idle();
  };
  return { wake: job.wake, handle, close };
}

/** Or of a topic that only a newer version knows: it fails, and is left to a worker of that version. */
type ChatItem = OutboxItem & { topic: ChatTopic };
const isOfChat = (item: OutboxItem): item is ChatItem => !isMoneyTopic(item.topic);

/** Logged once for all rows that wait for the same. */
function warnOfUnserved(log: Logger): (error: Unserved) => void {
  const unserved = new Set<string>();
  return ({ what }) => {
    if (unserved.has(what)) return;
    unserved.add(what);
    log.warn({ what }, 'outbox rows wait for a worker that serves them');
  };
}

type Looking = Pick<RelayDependencies, 'store' | 'wakes'> & { nowMs: number };

/** Looked at before they are done: a process that ends in between leaves them to the next sweep. */
async function look(rows: readonly OutboxItem[], { store, wakes, nowMs }: Looking): Promise<void> {
  for (const topic of new Set(rows.map(({ topic }) => topic))) if (isMoneyTopic(topic)) wakes[topic](0);
  const ids = rows.map(({ id }) => id);
  await completeItems(store, ids, nowMs);
}
