import { CHATS, type ChatName } from '../../core/chats/chats.ts';
import {
  completeEvents,
  forgetEvents,
  openEvents,
  storeEvents,
  type EventBody,
  type OpenEvent,
} from '../../db/chats/chat-events.ts';
import type { Store } from '../../db/store/store.ts';
import { createShared } from '../../queue/by-key.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { RunnerHold } from '../../queue/runner.ts';
import type { Log } from '../shared/log.ts';
import { within } from '../../queue/deadline.ts';
import { createAgain, FINISH_LIMIT_MS } from './again.ts';
import { createBatch } from './batch.ts';

/**
 * Handles each event once, however often the platform delivers it and even when the process dies over it: it is stored
 * before the platform learns that it was taken, and is done when the core has taken it.
 */
export type Inbox<Event> = {
  /** To be called with what was received, before the platform is told. */
  store: (events: readonly Event[]) => Promise<void>;
  /** Does the work for an event that this process has stored; nothing for one that was seen before. */
  work: (id: string) => Promise<void>;
  /**
   * Takes up what is still open: at a start all of it, later what a process should have done by now. Resolves when all of
   * it is read, and `idle` waits for the work.
   */
  retry: (olderThanMs?: number) => Promise<void>;
  /** Something about an event goes on, and `idle` waits for it. */
  follow: (handling: Promise<void>) => void;
  /** Resolves when all that was heard is done, or too long under way. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
};

export type InboxDeps<Event extends object> = {
  chat: ChatName;
  store: Store;
  /** The platform's own id of an event. */
  idOf: (event: Event) => string;
  /** A stored event; null where another version has stored it in another form. */
  read: (body: EventBody) => Event | null;
  /** Nobody waits for it any more. */
  isOver: (event: Event, receivedAtMs: number) => boolean;
  /** Whose it is. Of one person's events that are taken up again, each waits for the one before. */
  personOf: (event: Event) => string;
  /** Called before an event that nobody waits for any more is given up. */
  drop?: (event: Event) => Promise<void>;
  /** Called again with the same event when a process died over it. `isAgain`: this is such a call. */
  handle: (event: Event, isAgain: boolean) => Promise<void>;
  now: () => number;
  log: Log;
  hold?: RunnerHold | undefined;
};

/** More than anyone could type in the time that matters. */
const OPEN_AT_ONCE = 10_000;
const ROUND_MAX = 500;
const FORGET_EVERY_MS = 10 * 60_000;
/** A younger one is still being worked on, or about to be. */
const RETRY_AFTER_MS = 20_000;

export function createInbox<Event extends object>(deps: InboxDeps<Event>): Inbox<Event> {
  const { chat, store, idOf, now, log } = deps;
  /** Stored by this process and not begun. */
  const fresh = new Map<string, Event>();
  const followed = new Set<Promise<void>>();
  const working = createWorking(deps);
  const begin = (event: Event) => working.begin(event, true);
  const again = createAgain({ ...deps, has: working.has, begin });
  const write = createBatch<Event>(async (events) => {
    const rows = events.map((event) => ({ id: idOf(event), body: Object.fromEntries(Object.entries(event)) }));
    const news = await storeEvents(store, chat, rows, now());
    for (const event of events) if (news.has(idOf(event))) fresh.set(idOf(event), event);
  }, ROUND_MAX);
  const forgetting = startForgetting(deps);

  /** Those that are too old by now; the others are begun, those of one person in their order. */
  function takeUp(open: readonly OpenEvent[]): Dropped<Event>[] {
    const old: Dropped<Event>[] = [];
    for (const { id, body, receivedAtMs } of open) {
      const event = deps.read(body);
      if (event === null || deps.isOver(event, receivedAtMs)) old.push({ id, event });
      else {
        fresh.delete(id);
        again.add(event);
      }
    }
    return old;
  }

  function follow(handling: Promise<void>): void {
    const one: Promise<void> = handling
      .catch((error: unknown) => log.error({ chat, error: String(error) }, 'an event was not taken'))
      .finally(() => followed.delete(one));
    followed.add(one);
  }

  return {
    store: async (events) => void (await Promise.all(events.map(write))),
    async work(id) {
      const known = fresh.get(id);
      if (known) await again.before(known);
      const event = fresh.get(id);
      fresh.delete(id);
      if (event) await working.begin(event, false);
    },
    async retry(olderThanMs = RETRY_AFTER_MS) {
      const old = takeUp(await openEvents(store, chat, now() - olderThanMs, OPEN_AT_ONCE));
      follow(giveUp(deps, old));
    },
    follow,
    async idle() {
      const all = Promise.all([again.idle(), working.idle(), ...followed]);
      await within(all, FINISH_LIMIT_MS, `finishing what was heard on ${chat}`).catch((error: unknown) =>
        log.error({ error: String(error) }, 'closing before all events were handled'),
      );
    },
    async close() {
      again.close();
      await forgetting.close();
    },
  };
}

type Dropped<Event> = { id: string; event: Event | null };

async function giveUp<Event extends object>(deps: InboxDeps<Event>, old: readonly Dropped<Event>[]): Promise<void> {
  const { chat, store, log, now } = deps;
  if (old.length === 0) return;
  // Where one has become an order, the order is taken up by itself.
  log.warn({ chat, count: old.length }, 'events are too old to be answered; they are dropped');
  for (const { id, event } of old) {
    // A failure must not keep it open for good.
    if (event !== null && deps.drop)
      await deps
        .drop(event)
        .catch((error: unknown) =>
          log.error({ chat, event: id, error: String(error) }, 'a dropped event was not answered'),
        );
    await completeEvents(store, chat, [id], now());
  }
}
/** The work on each event goes on once at a time. */
function createWorking<Event extends object>(deps: InboxDeps<Event>) {
  const { chat, store, idOf, now, log } = deps;
  const { repeatsFailedEvents } = CHATS[chat];
  const working = createShared<string, void>();
  const complete = createBatch<string>((ids) => completeEvents(store, chat, ids, now()), ROUND_MAX);

  /** Where a failed event is not repeated, its person has been told that it failed: then nothing may come of it later. */
  async function handle(event: Event, isAgain: boolean): Promise<void> {
    try {
      await deps.handle(event, isAgain);
    } catch (error) {
      if (!repeatsFailedEvents) await complete(idOf(event));
      throw error;
    }
    await complete(idOf(event));
  }

  return {
    idle: working.idle,
    has: working.has,
    begin(event: Event, isAgain: boolean): Promise<void> {
      const id = idOf(event);
      return working.share(id, () =>
        handle(event, isAgain).catch((error: unknown) => {
          log.error({ chat, event: id, error: String(error) }, 'an event failed');
        }),
      );
    },
  };
}

function startForgetting<Event extends object>({ chat, store, now, log, hold }: InboxDeps<Event>): Job {
  return startJob({
    name: `old events of ${chat}`,
    everyMs: FORGET_EVERY_MS,
    step: () => forgetEvents(store, chat, now() - CHATS[chat].eventKnownMs, OPEN_AT_ONCE),
    log,
    hold,
  });
}
