import {
  completeUpdate,
  forgetUpdates,
  openUpdates,
  storeUpdates,
  type OpenUpdate,
  type UpdateBody,
} from '../../db/chats/telegram-updates.ts';
import type { Store } from '../../db/store/store.ts';
import { createShared } from '../../queue/by-key.ts';
import type { Log } from '../shared/log.ts';
import { updateSchema, type KnownUpdate } from './update.ts';

/**
 * Stores what comes in. An update is stored before Telegram hears that we have it, and is done when the core has taken
 * it: whatever happens in between, the next start finds it. A second delivery is known by its number.
 */
export type Inbox = {
  /** To be called with what was received, before it is confirmed. */
  store: (updates: readonly unknown[]) => Promise<void>;
  /** Does the work once for an update that was stored, and once more if it failed, later. */
  work: (updateId: number) => Promise<void>;
  /** Takes up what is still open: at a start all of it, later what another process should have done by now. */
  retry: (olderThanMs?: number) => Promise<void>;
  idle: () => Promise<void>;
};

export type InboxDeps = {
  store: Store;
  /** Called anew with the same update after any failure; resolves when nothing of it can be lost any more. */
  handle: (update: KnownUpdate) => Promise<void>;
  nowMs: () => number;
  log: Log;
};

const OPEN_AT_ONCE = 200;
const FORGET_AT_ONCE = 1_000;
/** Telegram keeps updates for a day. */
const KNOWN_MS = 3 * 24 * 3_600_000;
/** After this time the sender has written it again. */
const GIVEN_UP_MS = 24 * 3_600_000;
/** What is younger is still being worked on, or about to be. */
const RETRY_AFTER_MS = 20_000;

export function createInbox({ store, handle, nowMs, log }: InboxDeps): Inbox {
  /** Stored by this process and not begun. */
  const fresh = new Map<number, KnownUpdate>();
  const working = createShared<number, void>();

  function begin(update: KnownUpdate): Promise<void> {
    const id = update.update_id;
    return working.share(id, () =>
      handle(update)
        .then(() => completeUpdate(store, id, nowMs()))
        .catch((error: unknown) => log.error({ updateId: id, error: String(error) }, 'an update stays open')),
    );
  }

  async function take({ id, body, receivedAtMs }: OpenUpdate): Promise<void> {
    const read = updateSchema.safeParse(body);
    if (read.success && nowMs() - receivedAtMs < GIVEN_UP_MS) {
      fresh.delete(id);
      return begin(read.data);
    }
    log.error({ updateId: id }, 'an update is given up');
    await completeUpdate(store, id, nowMs());
  }

  return {
    async store(updates) {
      const known = updates.flatMap((update) => {
        const read = updateSchema.safeParse(update);
        return read.success ? [read.data] : [];
      });
      const rows = known.map((update) => ({ id: update.update_id, body: update as UpdateBody }));
      const news = await storeUpdates(store, rows, nowMs());
      for (const update of known) if (news.has(update.update_id)) fresh.set(update.update_id, update);
    },
    async work(updateId) {
      const update = fresh.get(updateId);
      fresh.delete(updateId);
      if (update) await begin(update);
    },
    async retry(olderThanMs = RETRY_AFTER_MS) {
      const open = await openUpdates(store, nowMs() - olderThanMs, OPEN_AT_ONCE);
      await Promise.all(open.map((row) => take(row)));
      await forgetUpdates(store, nowMs() - KNOWN_MS, FORGET_AT_ONCE);
    },
    idle: working.idle,
  };
}
