/**
 * Updates on their way to the bot. Only a `getUpdates` with a higher offset confirms one: until then it comes again to
 * every caller. An update that a test delivers again keeps its update_id and goes in front, so that offsets only grow.
 */
import type { Update } from 'grammy/types';
import { conflict } from './refusal.ts';

export type UpdateKind = Exclude<keyof Update, 'update_id'>;

/** These must be asked for by name. */
const ON_REQUEST: UpdateKind[] = ['chat_member', 'message_reaction', 'message_reaction_count'];

type Again = { update: Update; handedOut: boolean };
type Poller = {
  answer: (updates: Update[]) => void;
  refuse: (error: Error) => void;
  limit: number;
  timer: NodeJS.Timeout;
};

export type Queue = {
  /** Makes an update, unless the bot did not ask for its kind: then null, and nobody ever gets it. */
  add: (content: Omit<Update, 'update_id'>) => Update | null;
  /** The bot gets it once more, after it has confirmed it. */
  redeliver: (update: Update) => void;
  deliverTimes: (times: number) => void;
  /** Answers what is there, or waits for it. A second poller ends the first one with 409. */
  poll: (request: { offset: number; limit: number; timeoutSeconds: number; hungUp: AbortSignal }) => Promise<Update[]>;
  endPoll: (why: string) => void;
  allow: (kinds: UpdateKind[] | undefined) => void;
  allowed: () => UpdateKind[] | null;
  dropPending: () => void;
  pending: () => Update[];
  /** All that were ever made. */
  made: () => Update[];
  /** Notes that the bot is handed this update now. */
  noteDelivery: (update: Update) => void;
  deliveries: (updateId: number) => number[];
  /** Called for each update and for each repetition, with whom to tell when it is done; for webhooks. */
  setPush: (push: ((update: Update) => void) | null) => void;
  confirm: (update: Update) => void;
};

export function createQueue(nowMs: () => number): Queue {
  let lastId = 700_000_000;
  let pending: Update[] = [];
  let again: Again[] = [];
  let allowed: UpdateKind[] | null = null;
  let times = 1;
  let poller: Poller | null = null;
  let push: ((update: Update) => void) | null = null;
  const made: Update[] = [];
  const deliveredAtMs = new Map<number, number[]>();
  /** How often each update is still to be delivered after this time. */
  const repetitions = new Map<Update, number>();

  function add(content: Omit<Update, 'update_id'>): Update | null {
    const kind = kindOf(content);
    if (allowed ? !allowed.includes(kind) : ON_REQUEST.includes(kind)) return null;
    lastId += 1;
    // A copy: what the bot gets is what was true then, whatever becomes of the message.
    const update: Update = structuredClone({ update_id: lastId, ...content });
    made.push(update);
    pending.push(update);
    repetitions.set(update, times - 1);
    wake();
    for (let delivery = 0; push && delivery < times; delivery += 1) push(update);
    return update;
  }

  function redeliver(update: Update): void {
    if (push) return push(update);
    again.push({ update, handedOut: false });
    wake();
  }

  function take(limit: number): Update[] {
    // Only what is confirmed comes again: the offset after anything younger would confirm what nobody has got yet.
    const confirmedBelow = pending[0]?.update_id ?? Number.POSITIVE_INFINITY;
    // An answer never holds an update twice: its second repetition comes with the next answer.
    const repeated = new Map<number, Update>();
    for (const entry of again) {
      const { update } = entry;
      if (repeated.size === limit) break;
      if (entry.handedOut || repeated.has(update.update_id) || update.update_id >= confirmedBelow) continue;
      repeated.set(update.update_id, update);
      entry.handedOut = true;
    }
    const inOrder = [...repeated.values()].toSorted((one, other) => one.update_id - other.update_id);
    const batch = [...inOrder, ...pending.slice(0, limit - inOrder.length)];
    for (const update of batch) noteDelivery(update);
    return batch;
  }

  function noteDelivery({ update_id: id }: Update): void {
    deliveredAtMs.set(id, [...(deliveredAtMs.get(id) ?? []), nowMs()]);
  }

  /** Those which the offset confirms are gone; one that is to come again does so now, in a later answer. */
  function confirmBelow(offset: number): void {
    again = again.filter((entry) => !(entry.handedOut && entry.update.update_id < offset));
    // Handed out and not confirmed: that answer was lost, or the bot died over it.
    for (const entry of again) entry.handedOut = false;
    const confirmed = pending.filter((update) => update.update_id < offset);
    pending = pending.filter((update) => update.update_id >= offset);
    for (const update of confirmed) {
      for (let left = repetitions.get(update) ?? 0; left > 0; left -= 1) again.push({ update, handedOut: false });
      repetitions.delete(update);
    }
  }

  function wake(): void {
    if (!poller) return;
    const updates = take(poller.limit);
    if (updates.length > 0) finishPoll((waiting) => waiting.answer(updates));
  }

  function finishPoll(how: (waiting: Poller) => void): void {
    const waiting = poller;
    poller = null;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    how(waiting);
  }

  const endPoll = (why: string) => finishPoll((waiting) => waiting.refuse(conflict(why)));

  const poll: Queue['poll'] = async ({ offset, limit, timeoutSeconds, hungUp }) => {
    endPoll('terminated by other getUpdates request; make sure that only one bot instance is running');
    if (offset < 0) {
      // A negative offset keeps the last ones and forgets the rest.
      pending = pending.slice(offset);
    } else {
      confirmBelow(offset);
    }
    const updates = take(limit);
    if (updates.length > 0 || timeoutSeconds === 0) return updates;
    return new Promise<Update[]>((answer, refuse) => {
      const timer = setTimeout(() => finishPoll((waiting) => waiting.answer([])), timeoutSeconds * 1000);
      const mine: Poller = { answer, refuse, limit, timer };
      poller = mine;
      // A caller that hung up gets nothing; its updates stay for the next one.
      hungUp.addEventListener('abort', () => {
        if (poller === mine) finishPoll((waiting) => waiting.answer([]));
      });
    });
  };

  return {
    add,
    redeliver,
    deliverTimes: (wanted) => void (times = wanted),
    poll,
    endPoll,
    // An empty list means the default again; none at all leaves things as they are.
    allow: (kinds) => {
      if (kinds) allowed = kinds.length === 0 ? null : kinds;
    },
    allowed: () => allowed,
    dropPending: () => {
      pending = [];
      again = [];
      repetitions.clear();
    },
    pending: () => [...pending],
    made: () => [...made],
    noteDelivery,
    deliveries: (id) => deliveredAtMs.get(id) ?? [],
    setPush: (next) => {
      push = next;
      if (push) for (const update of pending) push(update);
    },
    confirm: (update) => {
      pending = pending.filter((waiting) => waiting !== update);
    },
  };
}

export function kindOf(content: Omit<Update, 'update_id'>): UpdateKind {
  const kind = KINDS.find((name) => content[name] !== undefined);
  if (!kind) throw new Error('an update holds one of the kinds that are modelled here');
  return kind;
}

const KINDS = [
  'message',
  'edited_message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'message_reaction',
] as const satisfies UpdateKind[];
