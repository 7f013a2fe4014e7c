import { ChainUnavailable } from './errors.ts';

/**
 * What two nodes' answers to one question are together. `lags`: one of them does not have that part of the chain yet, from
 * which nothing follows.
 */
export type Verdict<T> = { kind: 'same'; answer: T } | { kind: 'lags' } | { kind: 'differs' };

export const same = <T>(answer: T): Verdict<T> => ({ kind: 'same', answer });
export const LAGS = { kind: 'lags' } as const;
export const DIFFERS = { kind: 'differs' } as const;

/** For the log. `aside`: the first node is believed alone; `refuses`: it is for one kind of question. */
export type ComparisonNews =
  | { kind: 'aside'; why: 'silent' | 'stuck' }
  | { kind: 'refuses'; method: string }
  | { kind: 'back' }
  | { kind: 'disagree'; about: string }
  | { kind: 'agree' };

export type ComparisonOptions<Node> = {
  first: Node;
  second: Node;
  /** The newest block or slot: it tells a node that lags from one that stands still. */
  heightOf: (node: Node) => Promise<number>;
  /** A second node that was left out is believed again when it is this near to the first one's newest block. */
  nearBy: number;
  tell: (news: ComparisonNews) => void;
  /** In milliseconds; never jumps. */
  now?: () => number;
};

type Judge<T> = (first: T, second: T) => Verdict<T> | Promise<Verdict<T>>;
/** `about` names what is asked, so that what is contradicted is known again in the next question. */
type One<Node, T> = { method: string; about: string; ask: (node: Node) => Promise<T>; judge: Judge<T> };
type Each<Node, T> = { method: string; about: readonly string[]; ask: (node: Node) => Promise<T[]>; judge: Judge<T> };

export type Comparison<Node> = {
  /** Answers what both nodes say. Throws ChainUnavailable while they do not say the same. */
  one: <T>(question: One<Node, T>) => Promise<T>;
  /** The same for a question of many parts, each judged alone. */
  each: <T>(question: Each<Node, T>) => Promise<T[]>;
  /** They have contradicted each other, and have not agreed on it since. */
  disagrees: () => boolean;
  /** False: the first node is believed alone, about some questions or all. */
  compares: () => boolean;
};

/** Nodes that hear of the same block a moment apart differ for a moment. Networks leave the terms within ten seconds. */
const DIFFERS_MS = 2_000;
/** A question that is not asked again says nothing any more. */
const FORGET_MS = 60_000;
const DOUBTS_MAX = 1_000;
/** One lost answer is no silence. */
const SILENT_MS = 3_000;
/** No chain of ours goes so long without a block. */
const STUCK_MS = 30_000;
const PROBE_EVERY_MS = 2_000;
/** Solana's code for a node that has not come to `minContextSlot`. */
const NOT_YET_THERE = -32_016;
const STANDS_STILL = 'the newest block';

type Answered<T> = { answer: T } | { error: unknown };

/**
 * Compares a second node with the first. A second node that does not answer, or stands still, is left out with a warning:
 * it is there to find out a first node that lies, and if it could stop a network there would be two that can. A second
 * node that lags is waited for, and what is contradicted is believed of neither.
 */
export function createComparison<Node>(options: ComparisonOptions<Node>): Comparison<Node> {
  const { first, second, now = () => performance.now() } = options;
  const doubts = createDoubts(now, options.tell);
  const state = createSecondState(options, doubts, now);

  async function each<T>({ method, about, ask, judge }: Each<Node, T>): Promise<T[]> {
    state.probeNowAndThen();
    // Asked on while it is left out, so that it is noticed when it answers again; but nobody waits for that.
    const asked = settle(ask(second)).then((answered) => (state.note(method, answered), answered));
    const answers = await ask(first);
    if (state.isLeftOut(method)) return answers;
    const other = await asked;
    if (state.isLeftOut(method)) return answers;
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

  async function one<T>({ method, about, ask, judge }: One<Node, T>): Promise<T> {
    const [answer] = await each<T>({ method, about: [about], ask: async (node) => [await ask(node)], judge });
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

/** Whether the second node can be compared at all: it answers, moves, and is near enough. */
function createSecondState<Node>(
  { first, second, heightOf, nearBy, tell }: ComparisonOptions<Node>,
  doubts: ReturnType<typeof createDoubts>,
  now: () => number,
) {
  const failing = new Map<string, number>();
  const refused = new Set<string>();
  const moves = { first: { height: -1, atMs: now() }, second: { height: -1, atMs: now() } };
  let aside: 'silent' | 'stuck' | null = null;
  let silentSinceMs: number | null = null;
  let probedMs = -Infinity;
  let isProbing = false;

  function leaveOut(why: 'silent' | 'stuck'): void {
    if (aside === null) tell({ kind: 'aside', why });
    aside ??= why;
  }

  function note(method: string, answered: Answered<unknown>): void {
    if (!('error' in answered)) {
      silentSinceMs = null;
      failing.delete(method);
      refused.delete(method);
      return;
    }
    const { error } = answered;
    if (error instanceof ChainUnavailable && error.code === NOT_YET_THERE) return;
    // One that answers other questions in time may never answer this one.
    const sinceMs = failing.get(method) ?? now();
    failing.set(method, sinceMs);
    if (!isRefusal(error)) {
      silentSinceMs ??= now();
      if (now() - silentSinceMs >= SILENT_MS) leaveOut('silent');
    }
    if (aside !== null || now() - sinceMs < SILENT_MS || refused.has(method)) return;
    refused.add(method);
    tell({ kind: 'refuses', method });
  }

  async function probe(): Promise<void> {
    const [mine, theirs] = await Promise.all([settle(heightOf(first)), settle(heightOf(second))]);
    probedMs = now();
    note('height', theirs);
    if ('error' in mine || 'error' in theirs) return;
    const found = { first: mine.answer, second: theirs.answer };
    for (const node of ['first', 'second'] as const) {
      if (found[node] > moves[node].height) moves[node] = { height: found[node], atMs: now() };
    }
    const ahead = found.first - found.second;
    const stillSinceMs = (node: 'first' | 'second') => (now() - moves[node].atMs >= STUCK_MS ? moves[node].atMs : null);
    if (ahead > nearBy && stillSinceMs('second') !== null) leaveOut('stuck');
    // Nobody can be left out when the first stands still: what it says is all that there is.
    const firstStillMs = -ahead > nearBy ? stillSinceMs('first') : null;
    doubts.note(STANDS_STILL, firstStillMs === null ? 'same' : 'differs', firstStillMs ?? undefined);
    if (ahead > nearBy || aside === null) return;
    aside = null;
    tell({ kind: 'back' });
  }

  return {
    note,
    isLeftOut: (method: string): boolean => aside !== null || refused.has(method),
    compares: (): boolean => aside === null && refused.size === 0,
    probeNowAndThen(): void {
      if (isProbing || now() - probedMs < PROBE_EVERY_MS) return;
      isProbing = true;
      void probe().finally(() => (isProbing = false));
    },
  };
}

function settle<T>(promise: Promise<T>): Promise<Answered<T>> {
  return promise.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

/** It answers, but not this, such as a node that keeps no old state. */
function isRefusal(error: unknown): boolean {
  return error instanceof ChainUnavailable && (error.fault === 'refused' || error.fault === 'malformed');
}
