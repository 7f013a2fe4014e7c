import type { Store } from '../store/store.ts';
import { CHECKS_OF_ALL, toViolation, type Violation } from './invariants.ts';
import { endOfPart, type Check, type Key, type Question } from './question.ts';

/** An audit comes this long after the one before it. */
export const AUDIT_EVERY_MS = 30_000;
/** Everything is asked about once in this time, however much it is: what is found sound may be seen to have changed an hour later. */
const PASS_MS = 45 * 60_000;
/** Rows of a part. A part takes milliseconds, except where one account has most of the postings: its balance is their sum. */
const PART_ROWS = 5_000;
/** Of a round, while it is not known how long a pass takes, and at least. */
const FIRST_SHARE_MS = 1_000;
const LEAST_SHARE_MS = 50;

/** What an audit remembers between its rounds: how far it has come in asking about everything. */
export type Pass = {
  /** The next check, and the key after which it goes on. */
  check: number;
  after: Key | null;
  partRows: number;
  /** How long a round may ask, and how long this pass has asked. */
  shareMs: number;
  spentMs: number;
  /** How often everything was asked about. */
  over: number;
};

export const startPass = ({ shareMs = FIRST_SHARE_MS, partRows = PART_ROWS } = {}): Pass => ({
  check: 0,
  after: null,
  partRows,
  shareMs,
  spentMs: 0,
  over: 0,
});

/** Asks about the next parts of everything until this round's share of the time is used up, or the pass is over. */
export async function continuePass(store: Store, pass: Pass): Promise<Violation[]> {
  const found: Violation[] = [];
  const { over, shareMs } = pass;
  const beganMs = performance.now();
  let spentMs: number;
  do {
    found.push(...(await askNext(store, pass)));
    spentMs = performance.now() - beganMs;
  } while (pass.over === over && spentMs < shareMs);
  pass.spentMs += spentMs;
  if (pass.over > over) {
    pass.shareMs = Math.max(LEAST_SHARE_MS, (pass.spentMs * AUDIT_EVERY_MS) / PASS_MS);
    pass.spentMs = 0;
  }
  return found;
}

async function askNext(store: Store, pass: Pass): Promise<Violation[]> {
  const check = CHECKS_OF_ALL[pass.check];
  if (check === undefined) throw new Error(`there is no check ${pass.check}`);
  const { question, upTo } = await nextPart(store, check, pass);
  const [rows = []] = await store.snapshot([question.query.toSQL()]);
  pass.after = upTo;
  if (upTo === null) {
    pass.check = (pass.check + 1) % CHECKS_OF_ALL.length;
    if (pass.check === 0) pass.over += 1;
  }
  return rows.map(([detail, network]) => toViolation(question.rule, detail, network));
}

/** `upTo`: where it ends; null: that was all. */
async function nextPart(store: Store, check: Check, pass: Pass): Promise<{ question: Question; upTo: Key | null }> {
  const { after, partRows } = pass;
  const whole = check(store, 'all');
  if (whole.keys === null) return { question: whole, upTo: null };
  const [ends = []] = await store.snapshot([endOfPart(store, whole.keys, after, partRows).toSQL()]);
  const upTo = toKey(ends[0]?.[0]);
  return { question: check(store, { after, upTo }), upTo };
}

function toKey(value: unknown): Key | null {
  if (value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`a key is text or a number, found ${typeof value}`);
}
