import type { Answer } from '../../core/discord/answer.ts';
import type { View } from '../../core/view.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { createSlots, type Slots } from './slots.ts';

/**
 * Shows the newest view of each message, and never an older one after it. One edit of a message is under way at a time,
 * and a view that is overtaken before its turn is never sent.
 *
 * An edit whose outcome nobody knows may still be carried out, after newer ones. So what is shown meanwhile is shown
 * once more when that cannot happen any more, and only then counts as shown.
 */
export type LatestEdits = {
  /**
   * Resolves at once for a step on the way. Else it resolves when the message shows this view or a newer one for good,
   * and rejects when that is not known; called again it goes on from there.
   */
  show: (answer: Answer, view: View) => Promise<void>;
};

type Deps = {
  /** One attempt; rejects when its outcome is unknown. */
  attempt: (answer: Answer, view: View) => Promise<void>;
  clock: Clock;
  log: Log;
};

/** A step that is over sooner needs no edit of its own. */
export const STEP_LASTS_MS = 700;
/**
 * How long Discord may still carry out a call that we gave up. It promises nothing, but the servers before it give up
 * after some seconds, and an edit takes a tenth of one.
 */
export const HANDLED_LATE_MAX_MS = 15_000;
const ATTEMPTS_MAX = 3;
/** More at once would only wait on Discord's side, where their time limit runs. */
const AT_ONCE_MAX = 50;
/** In a rush people prefer to see the end sooner than the steps on the way. */
const RUSH = 20;
/** Messages about which something is unknown. */
const KEPT_MAX = 10_000;

type Waiter = { shown: () => void; failed: (error: unknown) => void };
type Wanted = { answer: Answer; view: View; dueAtMs: number; attempts: number; waiters: readonly Waiter[] };
/** One message. `doubtUntilMs`: until then something older may still appear. */
type Message = { wanted: Wanted | null; isWorkedOn: boolean; doubtUntilMs: number; wake: () => void };
type Works = Deps & { slots: Slots };

export function createLatestEdits(deps: Deps): LatestEdits {
  const { clock } = deps;
  const messages = new Map<string, Message>();
  const works = { ...deps, slots: createSlots(AT_ONCE_MAX) };

  function messageOf({ messageId }: Answer): Message {
    const known = messages.get(messageId);
    if (known) return known;
    forgetSome();
    const message = { wanted: null, isWorkedOn: false, doubtUntilMs: 0, wake: () => {} };
    messages.set(messageId, message);
    return message;
  }

  /** Forgets the oldest first, and messages in doubt only when there is no room left. */
  function forgetSome(): void {
    for (const [id, { isWorkedOn, doubtUntilMs }] of messages) {
      if (messages.size < KEPT_MAX && (isWorkedOn || doubtUntilMs > clock.now())) return;
      if (!isWorkedOn) messages.delete(id);
    }
  }

  return {
    show(answer, view) {
      const message = messageOf(answer);
      const nowMs = clock.now();
      const wanted = { answer, view, attempts: 0, waiters: [] };
      if (isPassing(view)) {
        want(works, message, { ...wanted, dueAtMs: nowMs + STEP_LASTS_MS });
        return Promise.resolve();
      }
      return new Promise((shown, failed) => {
        want(works, message, { ...wanted, dueAtMs: nowMs, waiters: [{ shown, failed }] });
      });
    },
  };
}

/** A caller that waits for an older view waits for this one from now on. */
function want(works: Works, message: Message, wanted: Wanted): void {
  message.wanted = { ...wanted, waiters: [...(message.wanted?.waiters ?? []), ...wanted.waiters] };
  message.wake();
  if (!message.isWorkedOn) void workOn(works, message);
}

async function workOn(works: Works, message: Message): Promise<void> {
  message.isWorkedOn = true;
  while (message.wanted) {
    const { wanted } = message;
    const changed = new Promise<void>((resolve) => (message.wake = resolve));
    try {
      await Promise.race([untilDue(works, wanted), changed]);
    } catch (error) {
      // The bot closes, and the next one shows it.
      giveUp(message, error);
      break;
    }
    // Else overtaken; the newer one may be due at another time.
    if (message.wanted === wanted) await works.slots.use(() => showWanted(works, message));
  }
  message.isWorkedOn = false;
}

async function untilDue({ clock }: Works, { dueAtMs }: Wanted): Promise<void> {
  const leftMs = dueAtMs - clock.now();
  if (leftMs > 0) await clock.sleep(leftMs);
}

/** Whatever is the newest by now. */
async function showWanted({ attempt, clock, slots, log }: Works, message: Message): Promise<void> {
  const { wanted } = message;
  if (!wanted) return;
  message.wanted = null;
  if (isStep(wanted) && slots.busy() > RUSH) return;
  const begunMs = Math.max(clock.now(), wanted.dueAtMs);
  try {
    await attempt(wanted.answer, wanted.view);
  } catch (error) {
    message.doubtUntilMs = clock.now() + HANDLED_LATE_MAX_MS;
    if (isStep(wanted)) log.info({ error: String(error) }, 'a step may not be shown on Discord');
    else tryAgain(message, wanted, error);
    return;
  }
  if (isStep(wanted)) return;
  const isCertain = begunMs >= message.doubtUntilMs;
  if (!isCertain || message.wanted) return again(message, { ...wanted, dueAtMs: message.doubtUntilMs, attempts: 0 });
  for (const { shown } of wanted.waiters) shown();
}

function tryAgain(message: Message, wanted: Wanted, error: unknown): void {
  const attempts = wanted.attempts + 1;
  again(message, { ...wanted, attempts });
  if (attempts === ATTEMPTS_MAX && message.wanted?.view === wanted.view) giveUp(message, error);
}

/** Wants this view again. Where a newer one has come, its waiters wait for that one. */
function again(message: Message, wanted: Wanted): void {
  const newer = message.wanted;
  message.wanted = newer === null ? wanted : { ...newer, waiters: [...wanted.waiters, ...newer.waiters] };
}

function giveUp(message: Message, error: unknown): void {
  const waiters = message.wanted?.waiters ?? [];
  message.wanted = null;
  for (const { failed } of waiters) failed(error);
}

/** Nobody waits until it is shown. */
function isStep({ view, waiters }: Wanted): boolean {
  return isPassing(view) && waiters.length === 0;
}

/**
 * May get lost, because something else follows by itself. Nothing follows a card until a person presses a button, and
 * without its buttons nobody could.
 */
function isPassing({ state, actions }: View): boolean {
  return state === 'working' && !actions.some(({ kind }) => kind === 'button');
}
