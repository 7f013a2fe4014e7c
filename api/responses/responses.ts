import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../core/errors.ts';
import type { Heard, OpenResponse } from '../../core/payments/joins.ts';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import type { Owner, ProcessLease } from '../../db/processes/owner.ts';
import {
  askResponses,
  handResponse,
  readQuestions,
  renewResponses,
  type HeldResponse,
} from '../../db/processes/responses.ts';
import type { Store } from '../../db/store/store.ts';
import { realTimer, type Timer } from '../../queue/alarm.ts';
import { ANSWERED, awaitAnswers, idsOf } from './answers.ts';
import { watchTaking, type Exchange, type Taking } from './taking.ts';

/** A caller's connection, from its request until its answer has left. */
export type CallerConnection = {
  /** Names its row. */
  id: string;
  /** Aborted when the caller hangs up, and by `destroy`. */
  signal: AbortSignal;
  /** Ends it without an answer. */
  destroy: () => void;
  /** Calls back once its answer is written, whatever it says, or it was closed. */
  whenOver?: (listener: () => void) => void;
  /** Once its answer is written: finds out whether it was turned away, which ends the response before the next turn. */
  look?: () => void;
};

export type Responses = {
  /**
   * Before a row of it can exist. A process that lost its lease, because it was stopped for a while, has the next one a
   * moment later: this waits for it. Throws when none came, or the caller is gone by then.
   */
  hold: (connection: CallerConnection) => Promise<HeldResponse>;
  /** It has a row, which waits for this payment. */
  opened: (connection: CallerConnection, paymentId: string) => void;
  /** It has no row and waits no longer. */
  release: (connection: CallerConnection) => void;
  /** Before the first byte of a 200. Destroys the connection and throws when no answer may leave. */
  hand: (connection: CallerConnection, paymentId: string) => Promise<void>;
  /** Tells once whether its caller took the answer that is written now (taking.ts). */
  follow: (connection: CallerConnection, exchange: Exchange, tell: (taking: Taking) => void) => void;
  /** What became of it. Never rejects: a note that fails is made again with the next beat. */
  end: (connection: CallerConnection, paymentId: string, delivery: 'handed' | 'missed') => Promise<void>;
  /** No caller waits here for an answer. */
  isQuiet: () => boolean;
  /** Finds out which of these callers are still there. Throws when the caller that wants to know hangs up. */
  hear: (responses: readonly OpenResponse[], signal: AbortSignal) => Promise<Heard>;
};

export type ResponsesOptions = {
  store: Store;
  lease: ProcessLease;
  log: Pick<Logger, 'warn'>;
  /** Announcements make an answer quicker; without them it comes with the owner's next beat. */
  announcer: {
    announce: (channel: string) => void;
    subscribe: (channel: string, listener: () => void) => () => void;
    waitFor: (channel: string, timeoutMs: number, signal?: AbortSignal) => Promise<unknown>;
  };
  timer?: Timer;
};

/** A hang-up may be on its way through a proxy while the same client's next request is here already. */
const HANG_UP_MS = 250;
/** Beginning a lease takes one answer of the database. */
const NEXT_LEASE_MS = 3_000;
const askedOf = (process: string) => `asked:${process}`;

type Held = {
  connection: CallerConnection;
  owner: Owner;
  /** The payment of its row; null: it has none. */
  paymentId: string | null;
  /** Null while the answer may still leave. */
  delivery: 'handed' | 'missed' | null;
  /** A 200 is about to leave, or has left: what became of it is told by `follow`. */
  isHanding: boolean;
  /** The lease that it was held under is over. */
  isDropped: boolean;
};

function newlyHeld(connection: CallerConnection, owner: Owner, paymentId: string | null): Held {
  return { connection, owner, paymentId, delivery: null, isHanding: false, isDropped: false };
}

/** The connections of this process that wait for a payment, and the questions between processes about them. */
export function createResponses(options: ResponsesOptions): Responses {
  const { store, lease, announcer } = options;
  const held = new Map<string, Held>();
  const answers = createAnswers(options, held);
  const nextLease = createNextLease(lease, options.timer ?? realTimer);
  lease.onBeat(() => void answers.tend());
  lease.onLost(() => held.forEach(drop));
  announcer.subscribe(askedOf(lease.owner().process), () => void answers.tend());

  async function hold(connection: CallerConnection): Promise<HeldResponse> {
    if (!lease.holds()) await nextLease();
    // What a stopped process reads first when it wakes may be the request of a caller that has signed anew elsewhere.
    if (!lease.holds() || connection.signal.aborted) throw new AppError('settlement_pending', { retryAfterSeconds: 5 });
    const owner = lease.owner();
    held.set(connection.id, newlyHeld(connection, owner, null));
    connection.whenOver?.(() => void leave(connection));
    return { id: connection.id, ...owner };
  }

  /**
   * Whatever failed on the way, a caller that was answered and not handed its 200 has missed it: it signs anew, and no
   * connection of its first request may speak for it.
   */
  async function leave(connection: CallerConnection): Promise<void> {
    const mine = held.get(connection.id);
    if (mine === undefined || mine.isHanding || mine.delivery !== null) return;
    if (hasRow(mine)) await answers.end(connection, mine.paymentId, 'missed');
    else held.delete(connection.id);
  }

  async function hand(connection: CallerConnection, paymentId: string): Promise<void> {
    const mine = held.get(connection.id);
    if (mine !== undefined) mine.isHanding = true;
    try {
      const isMoved = !hasRow(mine) || (await handResponse(store, { id: connection.id, ...mine.owner }));
      if (isMoved && mine?.isDropped !== true && lease.holds()) return;
    } catch (error) {
      await answers.end(connection, paymentId, 'missed');
      throw error;
    }
    connection.destroy();
    await answers.end(connection, paymentId, 'missed');
    throw new AppError('settlement_pending', { settlementAttemptId: paymentId, retryAfterSeconds: 5 });
  }

  return {
    hold,
    hand,
    opened: (connection, paymentId) => {
      const mine = held.get(connection.id);
      if (mine !== undefined) {
        mine.paymentId = paymentId;
        return;
      }
      // It was over while its row was written.
      held.set(connection.id, newlyHeld(connection, lease.owner(), paymentId));
      void answers.end(connection, paymentId, 'missed');
    },
    release: ({ id }) => {
      if (held.get(id)?.paymentId === null) held.delete(id);
    },
    end: answers.end,
    isQuiet: () => ![...held.values()].some(waits),
    follow: (connection, exchange, tell) => {
      connection.look = watchTaking(exchange, tell, options.timer ?? realTimer);
    },
    hear: (responses, signal) => hear(options, held, responses, signal),
  };
}

/** Resolves once the process has its next lease, or when that takes too long. */
function createNextLease(lease: ProcessLease, timer: Timer): () => Promise<void> {
  const waiting = new Set<() => void>();
  lease.onBeat(() => {
    for (const goOn of waiting) goOn();
  });
  return () =>
    new Promise((resolve) => {
      const goOn = () => {
        callOff();
        waiting.delete(goOn);
        resolve();
      };
      const callOff = timer.after(NEXT_LEASE_MS, goOn);
      waiting.add(goOn);
    });
}

function hasRow(mine: Held | undefined): mine is Held & { paymentId: string } {
  return mine !== undefined && mine.paymentId !== null;
}

/** One that is dropped is destroyed, so its signal is aborted. */
function waits({ delivery, isHanding, connection }: Held): boolean {
  return delivery === null && !isHanding && !connection.signal.aborted;
}

function drop(mine: Held): void {
  if (mine.delivery !== null) return;
  mine.isDropped = true;
  mine.connection.destroy();
}

/** Those whose callers wait, or have taken the answer. A hang-up that has arrived is read first. */
async function findPresent<Row extends { id: string }>(
  held: ReadonlyMap<string, Held>,
  rows: readonly Row[],
): Promise<Row[]> {
  for (const { id } of rows) held.get(id)?.connection.look?.();
  await setImmediate();
  return rows.filter(({ id }) => isPresent(held.get(id)));
}

function isPresent(mine: Held | undefined): boolean {
  if (mine === undefined || mine.isDropped) return false;
  return mine.delivery === null ? !mine.connection.signal.aborted : mine.delivery === 'handed';
}

/** What this process says about its own connections: to the database, and to those that ask. */
function createAnswers({ store, lease, log, announcer, timer = realTimer }: ResponsesOptions, held: Map<string, Held>) {
  let tending: Promise<void> | null = null;
  let isAskedAgain = false;

  async function end(connection: CallerConnection, paymentId: string, delivery: 'handed' | 'missed'): Promise<void> {
    const mine = held.get(connection.id);
    // A process that wakes after its lease says nothing, not even that it does not know.
    if (mine !== undefined && !lease.holds()) drop(mine);
    if (mine !== undefined) mine.delivery ??= delivery;
    try {
      await markDelivery(store, paymentId, mine?.delivery ?? delivery, hasRow(mine) ? connection.id : null);
      held.delete(connection.id);
    } catch (error) {
      log.warn({ err: error, paymentId, delivery }, 'could not note a delivery; it is tried again');
    }
  }

  /** Never rejects; what is asked meanwhile is answered by another round. */
  function tend(): Promise<void> {
    if (tending !== null) isAskedAgain = true;
    tending ??= tendAll().finally(() => (tending = null));
    return tending;
  }

  async function tendAll(): Promise<void> {
    do {
      isAskedAgain = false;
      try {
        await noteAgain();
        await answerQuestions();
      } catch (error) {
        log.warn({ err: error }, 'could not answer for waiting callers; a retry joins their payments');
      }
    } while (isAskedAgain);
  }

  async function noteAgain(): Promise<void> {
    for (const { connection, paymentId, delivery } of held.values()) {
      if (delivery !== null && paymentId !== null) await end(connection, paymentId, delivery);
    }
  }

  async function answerQuestions(): Promise<void> {
    const owner = lease.owner();
    const questions = await readQuestions(store, owner);
    if (questions.length === 0) return;
    // After the questions were read: only then does an open connection answer them.
    await pause(timer, HANG_UP_MS);
    const present = await findPresent(held, questions);
    await renewResponses(store, owner, present);
    for (const { id, paymentId } of questions.filter((question) => !present.includes(question))) {
      await markDelivery(store, paymentId, 'missed', id);
    }
    announcer.announce(ANSWERED);
  }

  return { end, tend };
}

const pause = (timer: Timer, ms: number) => new Promise<void>((resolve) => void timer.after(ms, resolve));

/** Its own connections are looked at; for all others their owners are asked, each for a lease at most. */
async function hear(
  options: ResponsesOptions,
  held: ReadonlyMap<string, Held>,
  responses: readonly OpenResponse[],
  signal: AbortSignal,
): Promise<Heard> {
  const { process } = options.lease.owner();
  const own = responses.filter((response) => response.process === process);
  if (own.length > 0) {
    const present = await findPresent(held, own);
    const gone = own.filter((response) => !present.includes(response));
    return { present: idsOf(present), silent: new Map(gone.map(({ id }) => [id, Infinity])) };
  }
  const questions = await askResponses(
    options.store,
    responses.map(({ id }) => id),
  );
  for (const owner of new Set(questions.map((question) => question.process)))
    options.announcer.announce(askedOf(owner));
  return awaitAnswers(options, questions, signal);
}
