import { microUsdc } from '../core/money.ts';
import type { Journal, Kept } from './journal/payments.ts';
import type { PaymentRecord } from './journal/record.ts';
import { isOver, type Chains } from './purse.ts';
import { present, type PaidAnswer, type Presented, type Refusal } from './service.ts';

/** What a payment that was signed has come to. */
export type Fate =
  | { kind: 'paid'; kept: Kept; answer: PaidAnswer }
  /** It was refused, and nothing was charged so far. Its header stays the only one until it can take no effect. */
  | { kind: 'refused'; kept: Kept; refusal: Refusal }
  /** The service has not taken it, and it can take no effect any more: it is over. */
  | { kind: 'dead'; record: PaymentRecord; refusal: Refusal }
  /** Only the same header may be sent again. */
  | { kind: 'unknown'; kept: Kept };

export type FateDeps = {
  fetch: typeof globalThis.fetch;
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  journal: Journal;
  solanaRpcUrl: string | null;
};

/** Money that did move, for something else or back: whoever asks is told so, and it is no payment to be made again. */
const MOVED: readonly string[] = ['payment_already_used', 'payment_returned'];

const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 10_000;

/**
 * Sends the one header of a payment until its fate is known or the time is up. A lost answer, a 500 or anything that
 * cannot be read leaves it open: nothing is ever signed beside it.
 */
export async function learnFate(deps: FateDeps, kept: Kept, waitMs: number): Promise<Fate> {
  const { state } = kept.record;
  if (state.kind === 'paid') return { kind: 'paid', kept, answer: { message: state.message, lines: state.lines } };
  const deadline = deps.now() + waitMs;
  for (let tries = 1; ; tries++) {
    // Asked before the header is sent: an answer counts as the last word only if the header was over by then.
    const over = await isOver(kept.record.end, chainsOf(deps, kept.record), deps);
    const presented = await present(deps.fetch, toRequest(kept.record), kept.record.header);
    const fate = settle(deps, kept, presented, over);
    const pauseMs = pauseFor(presented, tries);
    if (fate.kind !== 'unknown' || deps.now() + pauseMs >= deadline) return fate;
    await deps.sleep(pauseMs);
  }
}

/** Whether it can be asked again without the risk that somebody is charged who was told that they are not. */
export async function mayAskAgain(deps: FateDeps, { record }: Kept): Promise<boolean> {
  return record.state.kind !== 'refused' || isOver(record.end, chainsOf(deps, record), deps);
}

function settle({ journal }: FateDeps, kept: Kept, presented: Presented, over: boolean): Fate {
  switch (presented.kind) {
    case 'open':
      return { kind: 'unknown', kept };
    case 'paid': {
      const { answer } = presented;
      return { kind: 'paid', kept: journal.update(kept, { kind: 'paid', ...answer }), answer };
    }
    case 'refused': {
      const { refusal, unclaimed } = presented;
      const changed = journal.update(kept, { kind: 'refused', ...refusal });
      const isDead = over && unclaimed;
      // Its part of the day stays taken: only the service says that nothing was charged, and one that lies about it
      // would be paid over and over, whatever the limit.
      if (isDead || MOVED.includes(refusal.word)) journal.end(changed);
      return isDead ? { kind: 'dead', record: changed.record, refusal } : { kind: 'refused', kept: changed, refusal };
    }
  }
}

function toRequest({ service, route, body, id }: PaymentRecord) {
  return { service, route, body, id };
}

function chainsOf({ solanaRpcUrl }: FateDeps, { mode }: PaymentRecord): Chains {
  return { mode, solanaRpcUrl };
}

function pauseFor(presented: Presented, tries: number): number {
  const asked = presented.kind === 'open' ? presented.waitMs : null;
  return Math.min(Math.max(asked ?? PAUSE_MIN_MS * 2 ** (tries - 1), PAUSE_MIN_MS), PAUSE_MAX_MS);
}

/** Sum and fee, as it was signed. */
export function totalOf({ totalMicroUsdc }: PaymentRecord) {
  return microUsdc(BigInt(totalMicroUsdc));
}
