import { completeEvents, forgetEvents, openEvents, storeEvents } from '../../db/chats/discord-events.ts';
import { isTokenAlive } from '../../core/discord/answer.ts';
import type { Store } from '../../db/store/store.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { withTimeLimit } from '../shared/time-limit.ts';
import { createBatch } from './batch.ts';
import { taskSchema, type Incoming, type Question, type Task } from './event.ts';
import type { Turns } from './turns.ts';

export type Work = {
  /** `again`: an earlier process has begun it. */
  carryOut: (task: Task, isAgain: boolean) => Promise<void>;
  answer: (question: Question) => Promise<void>;
};

export type Events = {
  take: (incoming: Incoming) => void;
  /** Takes up what an earlier process did not end. */
  takeUp: () => Promise<void>;
  /** Resolves when all that was heard is done, or too long under way. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
};

type Deps = { store: Store; clock: Pick<Clock, 'now'>; turns: Pick<Turns, 'first'>; log: Log };

/** Work is done within moments; what takes longer than this hangs, and the next start takes it up. */
const FINISH_LIMIT_MS = 8_000;
const SEEN_MAX = 20_000;
const ROUND_MAX = 500;
/** More commands than anyone could type within the 15 minutes that count. */
const TAKEN_UP_MAX = 10_000;
const FORGET_AFTER_MS = 24 * 60 * 60_000;
const FORGET_EVERY_MS = 10 * 60_000;

/**
 * Handles each event once, however often it comes and even when the process dies over it. Discord delivers an event
 * once and is done with it when it is acknowledged, so it is stored before that. A failed event is done too: a member
 * who read that a tip failed types it again, and then the first must not be carried out any more.
 */
export function createEvents(deps: Deps, work: Work): Events {
  const { store, clock, turns, log } = deps;
  const seen = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const fresh = new Set<string>();
  const write = createBatch<Task>(async (tasks) => {
    const bodies = tasks.map((task) => ({ id: task.asked.id, body: task }));
    for (const id of await storeEvents(store, bodies, clock.now())) fresh.add(id);
  }, ROUND_MAX);
  const complete = createBatch<string>((ids) => completeEvents(store, ids, clock.now()), ROUND_MAX);

  function isNew(id: string): boolean {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest);
    return true;
  }

  function follow(handling: Promise<void>): void {
    const followed: Promise<void> = handling
      .catch((error: unknown) => log.error({ error: String(error) }, 'an event of Discord failed'))
      .finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  async function carryOut(task: Task, isAgain: boolean): Promise<void> {
    try {
      await work.carryOut(task, isAgain);
    } finally {
      await complete(task.asked.id);
    }
  }

  async function takeTask(task: Task): Promise<void> {
    await turns.first(() => write(task));
    // Another process has it, or had it before.
    if (fresh.delete(task.asked.id)) await carryOut(task, false);
  }

  const forgetting = startForgetting(deps);
  return {
    take(incoming) {
      if (!isNew(incoming.asked.id)) return;
      const isQuestion = incoming.kind === 'menu' || incoming.kind === 'suggest';
      follow(isQuestion ? work.answer(incoming) : takeTask(incoming));
    },
    async takeUp() {
      // It is called before anything is heard, so all that is open is what another process, or an earlier period, left.
      const left = await openEvents(store, TAKEN_UP_MAX);
      const old = left.flatMap(({ id, body }) => {
        const task = taskSchema.safeParse(body);
        if (!task.success || !isTokenAlive(id, clock.now())) return [id];
        if (isNew(id)) follow(carryOut(task.data, true));
        return [];
      });
      if (old.length === 0) return;
      // Nobody waits for them any more. Where one has become an order, the order is taken up by itself.
      log.warn({ count: old.length }, 'events of Discord are too old to be answered; they are dropped');
      await completeEvents(store, old, clock.now());
    },
    async idle() {
      await withTimeLimit(Promise.all(underWay), FINISH_LIMIT_MS, 'finishing what was heard on Discord').catch(
        (error: unknown) => log.error({ error: String(error) }, 'closing before all events were handled'),
      );
    },
    close: forgetting.close,
  };
}

function startForgetting({ store, clock, log }: Deps): Job {
  const step = async () => void (await forgetEvents(store, clock.now() - FORGET_AFTER_MS, TAKEN_UP_MAX));
  return startJob({ name: 'old events of Discord', everyMs: FORGET_EVERY_MS, step, log });
}
