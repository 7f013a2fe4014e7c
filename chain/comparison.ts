import { ChainUnavailable } from './errors.ts';
import { createMoves, createPlace } from './node-progress.ts';

/**
 * How two nodes' answers to one question compare. `lags`: one of them does not have that part of the chain yet, from
 * which nothing follows.
 */
export type Verdict<T> = { kind: 'same'; answer: T } | { kind: 'lags' } | { kind: 'differs' };

export const same = <T>(answer: T): Verdict<T> => ({ kind: 'same', answer });
export const LAGS = { kind: 'lags' } as const;
export const DIFFERS = { kind: 'differs' } as const;

/** `behind`: from the start on, while it catches up with its chain; later too, where it is far from it. */
type Aside = 'silent' | 'stuck' | 'behind';

/** For the log. `aside`: the first node is trusted alone; `refuses`: it is for one kind of question. */
export type ComparisonNews =
  | { kind: 'aside'; why: Aside }
  | { kind: 'refuses'; method: string; at: string }
  | { kind: 'back' }
  | { kind: 'disagree'; about: string }
  | { kind: 'agree' };

export type ComparisonOptions<Node> = {
  first: Node;
  second: Node;
  /** The newest block or slot: it tells a lagging node from one that stands still. */
  heightOf: (node: Node) => Promise<number>;
  /** When the newest block was made, as the chain has it, in milliseconds. */
  timeMsOf: (node: Node) => Promise<number>;
  /** Within this distance of the first node's newest block, a second node is near. */
  nearBy: number;
  tell: (news: ComparisonNews) => void;
  /** In milliseconds; never jumps. */
  now?: () => number;
  /** Our clock, which may be minutes wrong. */
  wallNow?: () => number;
};

type Judge<T> = (first: T, second: T) => Verdict<T> | Promise<Verdict<T>>;
/** `at`: the block or slot that is asked about, or the word for it. A node may keep new state and no old state. */
type Asked = { method: string; at: number | string };
/** `about` names what is asked, so that the next question recognises what was contradicted. */
type One<Node, T> = Asked & { about: string; ask: (node: Node) => Promise<T>; judge: Judge<T> };
type Each<Node, T> = Asked & { about: readonly string[]; ask: (node: Node) => Promise<T[]>; judge: Judge<T> };

export type Comparison<Node> = {
  /** Answers what both nodes say. Throws ChainUnavailable while they do not say the same. */
  one: <T>(question: One<Node, T>) => Promise<T>;
  /** The same for a question of many parts, each judged alone. */
  each: <T>(question: Each<Node, T>) => Promise<T[]>;
  /** They have contradicted each other, and have not agreed on it since. */
  disagrees: () => boolean;
  /** False: the first node is trusted alone, about some questions or all. */
  compares: () => boolean;
};

/** Nodes that hear of the same block a moment apart disagree for that moment. Networks leave the terms within ten seconds. */
const DIFFERS_MS = 2_000;
/** A question that is not asked again no longer counts. */
const FORGET_MS = 60_000;
const DOUBTS_MAX = 1_000;
/** One lost answer is not silence. */
const SILENT_MS = 3_000;
const PROBE_EVERY_MS = 2_000;
/** Solana's code for a node that has not reached `minContextSlot`. */
const NOT_YET_THERE = -32_016;
const NEWEST = 'the newest block';

type Answered<T> = { answer: T } | { error: unknown };

/**
 * Compares a second node with the first. A second node that does not answer, or stands still, is left out with a warning:
 * it is there to catch a first node that lies, and if it could stop a network, two nodes could. So is one
 * that catches up with its chain from far below when the process starts, or is hours below it: its own blocks say so. Neither
 * the first node's height nor minutes of our clock leave any node out, because the one may be a lie and the other wrong: a node
 * that is ahead is asked about the newest block that both have, and one that lags is waited for. Where they contradict each
 * other neither is trusted.
 */
export function createComparison<Node>(options: ComparisonOptions<Node>): Comparison<Node> {
  const { first, second, now = () => performance.now() } = options;
  const doubts = createDoubts(now, options.tell);
  const state = createSecondState(options, doubts, now);

  async function each<T>({ method, at, about, ask, judge }: Each<Node, T>): Promise<T[]> {
    const question = { method, at };
    const probed = state.probeNowAndThen();
    // It is still asked while it is left out, so that its return is noticed; but nobody waits for that.
    const asked = settle(ask(second)).then((answered) => (state.note(question, answered), answered));
    const [answers] = await Promise.all([ask(first), probed]);
    if (state.isLeftOut(question)) return answers;
    if (state.isUndecided()) throw new ChainUnavailable(method, 'inconsistent');
    const other = await asked;
    if (state.isLeftOut(question)) return answers;
    if ('error' in other) throw other.error;
    if (other.answer.length !== answers.length) throw new ChainUnavailable(method, 'inconsistent');
    const verdicts = await Promise.all(other.answer.map(async (two, index) => judge(answers[index] as T, two)));
    for (const [index, { kind }] of verdicts.entries()) doubts.note(about[index] ?? method, kind);
    if (verdicts.some(({ kind }) => kind === 'differs')) throw new ChainUnavailable(method, 'contradicted');
    return verdicts.map((verdict) => {
      if (verdict.kind !== 'same') throw new ChainUnavailable(method, 'inconsistent');
      return verdict.answer;
    });
  }

  async function one<T>({ about, ask, judge, ...asked }: One<Node, T>): Promise<T> {
    const [answer] = await each<T>({ ...asked, about: [about], ask: async (node) => [await ask(node)], judge });
    return answer as T;
  }

  return { one, each, disagrees: doubts.isAny, compares: state.compares };
}

/** What the nodes contradict each other about, and since when. */
function createDoubts(now: () => number, tell: ComparisonOptions<unknown>['tell']) {
  const doubts = new Map<string, { sinceMs: number; lastMs: number }>();
  let wasAny = false;
  return {
    note(about: string, kind: Verdict<unknown>['kind'], sinceMs = doubts.get(about)?.sinceMs ?? now()): void {
      if (kind === 'same') doubts.delete(about);
      if (kind !== 'differs') return;
      if (doubts.size < DOUBTS_MAX || doubts.has(about)) doubts.set(about, { sinceMs, lastMs: now() });
    },
    isAny: (): boolean => {
      for (const [about, { lastMs }] of doubts) if (now() - lastMs > FORGET_MS) doubts.delete(about);
      const found = [...doubts].find(([, { sinceMs, lastMs }]) => lastMs - sinceMs >= DIFFERS_MS);
      if ((found !== undefined) !== wasAny) {
        wasAny = found !== undefined;
        tell(found === undefined ? { kind: 'agree' } : { kind: 'disagree', about: found[0] });
      }
      return wasAny;
    },
  };
}

type Failing = { sinceMs: number; lastMs: number; depth: number; isRefused: boolean };

/** Which kinds of question the second node fails: the same method, about blocks that are about as old. */
function createRefusals(heightNow: () => number, now: () => number, tell: ComparisonOptions<unknown>['tell']) {
  const failing = new Map<string, Failing>();

  /** Depths of one order of magnitude are one kind; inside it the least depth that failed is known. */
  function kindOf({ method, at }: Asked): { key: string; at: string; depth: number } {
    const depth = typeof at === 'number' ? Math.max(0, heightNow() - at) : 0;
    const words = typeof at === 'number' ? `${2 ** Math.floor(Math.log2(depth + 1)) - 1} blocks deep` : at;
    return { key: `${method} ${words}`, at: words, depth };
  }

  return {
    answered(asked: Asked): void {
      const { key, depth } = kindOf(asked);
      if (depth >= (failing.get(key)?.depth ?? Infinity)) failing.delete(key);
    },
    failed(asked: Asked, isHeard: boolean): void {
      const { key, at, depth } = kindOf(asked);
      const known = failing.get(key);
      const goesOn = known !== undefined && (known.isRefused || now() - known.lastMs <= FORGET_MS);
      const { sinceMs, ...before } = goesOn ? known : { sinceMs: now(), depth, isRefused: false };
      const isRefused = before.isRefused || (isHeard && now() - sinceMs >= SILENT_MS);
      failing.set(key, { sinceMs, lastMs: now(), depth: Math.min(before.depth, depth), isRefused });
      if (isRefused && !before.isRefused) tell({ kind: 'refuses', method: asked.method, at });
    },
    refuses(asked: Asked): boolean {
      const { key, depth } = kindOf(asked);
      const found = failing.get(key);
      return found !== undefined && found.isRefused && depth >= found.depth;
    },
    isAny: (): boolean => [...failing.values()].some(({ isRefused }) => isRefused),
  };
}

/** Whether the second node can be compared at all: it answers, moves, and is not far below its chain. */
function createSecondState<Node>(
  options: ComparisonOptions<Node>,
  doubts: ReturnType<typeof createDoubts>,
  now: () => number,
) {
  const { first, second, heightOf, timeMsOf, nearBy, tell, wallNow = Date.now } = options;
  const moves = { first: createMoves(now), second: createMoves(now) };
  const placeBelow = createPlace({ now, wallNow, timeMsOf: () => timeMsOf(second) });
  const refusals = createRefusals(moves.second.height, now, tell);
  let aside: Aside | null = null;
  /** It has caught up with its chain once: from then on it can only lag, fall silent or stand still. */
  let isUp = false;
  let isOld = false;
  let silentSinceMs: number | null = null;
  const probeNow = nowAndThen(now, probe);

  const leaveOut = (why: Aside): void => {
    if (aside === null) tell({ kind: 'aside', why });
    aside ??= why;
  };

  function note(asked: Asked, answered: Answered<unknown>): void {
    if (!('error' in answered)) {
      silentSinceMs = null;
      refusals.answered(asked);
      return;
    }
    const { error } = answered;
    if (error instanceof ChainUnavailable && error.code === NOT_YET_THERE) return;
    if (!isRefusal(error)) {
      silentSinceMs ??= now();
      if (now() - silentSinceMs >= SILENT_MS) leaveOut('silent');
    }
    // One that answers other questions in time may never answer this one.
    refusals.failed(asked, aside === null);
  }

  async function probe(): Promise<void> {
    const [mine, theirs] = await Promise.all([settle(heightOf(first)), settle(heightOf(second))]);
    note({ method: 'height', at: 'newest' }, theirs);
    if ('error' in mine || 'error' in theirs) return;
    moves.first.note(mine.answer);
    moves.second.note(theirs.answer);
    const ahead = mine.answer - theirs.answer;
    const isNear = ahead <= nearBy;
    const place = isNear ? 'up' : await placeBelow();
    isUp ||= place === 'up';
    isOld = place === 'old';
    if (place === 'far' || (!isUp && place === 'coming')) leaveOut('behind');
    const isStuck = (!isNear && moves.second.stillSinceMs() !== null) || (!isUp && place === 'slow');
    if (isStuck) leaveOut('stuck');
    noteFirst(doubts, -ahead > nearBy ? moves.first.stillSinceMs() : null);
    if (aside === null || isStuck || place !== 'up') return;
    aside = null;
    tell({ kind: 'back' });
  }

  return {
    note,
    isLeftOut: (asked: Asked): boolean => aside !== null || refusals.refuses(asked),
    /** Its newest block is old, and nothing has shown yet whether it is catching up. */
    isUndecided: (): boolean => !isUp && isOld,
    compares: (): boolean => aside === null && !refusals.isAny(),
    /** Waited for until it has shown once how far the second node is. */
    async probeNowAndThen(): Promise<void> {
      const probing = probeNow();
      if (!isUp && aside === null) await probing;
    },
  };
}

/** When the first node stands still nobody can be left out: its answers are all there is. */
function noteFirst(doubts: ReturnType<typeof createDoubts>, stillSinceMs: number | null): void {
  doubts.note(NEWEST, stillSinceMs === null ? 'same' : 'differs', stillSinceMs ?? undefined);
}

/** Runs at most this often, and one at a time; a call during a run gets that run's result. */
function nowAndThen(now: () => number, run: () => Promise<void>): () => Promise<void> | null {
  let lastMs = -Infinity;
  let running: Promise<void> | null = null;
  return () => {
    if (running === null && now() - lastMs >= PROBE_EVERY_MS) {
      lastMs = now();
      running = run().finally(() => (running = null));
    }
    return running;
  };
}

function settle<T>(promise: Promise<T>): Promise<Answered<T>> {
  return promise.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

/** It answers, but not this question, such as a node that keeps no old state. */
function isRefusal(error: unknown): boolean {
  return error instanceof ChainUnavailable && (error.fault === 'refused' || error.fault === 'malformed');
}
