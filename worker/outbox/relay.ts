import type { Logger } from 'pino';
import { completeItems, dueItems, findItem, postponeItem, type OutboxItem, type OutboxTopic } from '../../db/outbox.ts';
import type { Store } from '../../db/store.ts';
import { startLoop } from '../loop.ts';

/** A row that was rung but is still open after this time is taken without the queue. */
const UNANSWERED_MS = 2_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_MAX = 500;

export type RelayDependencies = {
  store: Store;
  now: () => number;
  log: Logger;
  /** Rings a worker through the queue; false when there is no queue to ring. */
  ring: (items: readonly { id: number; topic: string }[]) => boolean;
  handlers: Record<OutboxTopic, (key: string) => Promise<void>>;
};

export type Relay = {
  wake: () => void;
  /** A bell has rung for this row. */
  handle: (id: number) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Brings outbox rows to their handlers. The queue makes it quick and spreads the work; the sweep makes it certain: a
 * row whose bell was lost, or that finds no queue at all, is handled here. Every handler may run twice for one row.
 */
export function startRelay({ store, now, log, ring, handlers }: RelayDependencies): Relay {
  const rungMs = new Map<number, number>();

  async function sweep(): Promise<void> {
    const due = await dueItems(store, now(), SWEEP_MAX);
    const unrung = due.filter(({ id }) => !rungMs.has(id));
    if (unrung.length > 0 && ring(unrung)) for (const { id } of unrung) rungMs.set(id, now());
    // Never rung (there is no queue), or rung in vain.
    const late = due.filter(({ id }) => now() - (rungMs.get(id) ?? -Infinity) >= UNANSWERED_MS);
    for (const item of late) await attend(item);
    const open = new Set(due.map(({ id }) => id));
    for (const id of rungMs.keys()) if (!open.has(id)) rungMs.delete(id);
  }

  async function handle(id: number): Promise<void> {
    const item = await findItem(store, id);
    if (item !== null) await attend(item);
  }

  async function attend(item: OutboxItem): Promise<void> {
    try {
      await handlers[item.topic](item.key);
      await completeItems(store, [item.id], now());
    } catch (error) {
      const waitMs = Math.min(1_000 * 2 ** item.tries, 60_000);
      log.warn({ err: error, outboxId: item.id, topic: item.topic, waitMs }, 'outbox row failed; it is tried again');
      rungMs.delete(item.id);
      await postponeItem(store, item.id, now() + waitMs);
    }
  }

  const loop = startLoop({ name: 'outbox', everyMs: SWEEP_EVERY_MS, step: sweep, log });
  return { wake: loop.wake, handle, close: loop.close };
}
