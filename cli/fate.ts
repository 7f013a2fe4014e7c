import { microUsdc } from '../core/money.ts';
import type { Journal, Kept } from './journal/payments.ts';
import type { PaymentRecord } from './journal/record.ts';
import { isOver, type Chains } from './purse.ts';
import { sendUntilKnown, type Sent } from '../client/channel.ts';
import { createPayments, type PaidPayment } from '../client/payments.ts';
import { toPaidAnswer, toRefusal, type PaidAnswer, type Refusal } from './service.ts';

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

/**
 * Sends the one header of a payment until its fate is known or the time is up. A lost answer, a 500 or anything that
 * cannot be read leaves it open: nothing is ever signed beside it.
 */
export async function learnFate(deps: FateDeps, kept: Kept, waitMs: number): Promise<Fate> {
  const { state } = kept.record;
  if (state.kind === 'paid') return { kind: 'paid', kept, answer: { message: state.message, lines: state.lines } };
  const { service: baseUrl, id, route, body, header, end } = kept.record;
  const channel = createPayments({ ...deps, baseUrl }).channel({ id, route, body });
  let over = false;
  const send = async () => {
    // Asked before the header is sent: an answer counts as the last word only if the header was over by then.
    over = await isOver(end, chainsOf(deps, kept.record), deps);
    return channel.send(header);
  };
  return settle(deps, kept, await sendUntilKnown(send, { clock: deps, limitMs: waitMs }), over);
}

/** Whether it can be asked again without the risk that somebody is charged who was told that they are not. */
export async function mayAskAgain(deps: FateDeps, { record }: Kept): Promise<boolean> {
  return record.state.kind !== 'refused' || isOver(record.end, chainsOf(deps, record), deps);
}

function settle({ journal }: FateDeps, kept: Kept, presented: Sent<PaidPayment>, over: boolean): Fate {
  switch (presented.kind) {
    case 'pending':
      return { kind: 'unknown', kept };
    case 'paid': {
      const answer = toPaidAnswer(presented);
      if (answer === null) return { kind: 'unknown', kept };
      return { kind: 'paid', kept: journal.update(kept, { kind: 'paid', ...answer }), answer };
    }
    case 'refused': {
      const refusal = toRefusal(presented);
      const changed = journal.update(kept, { kind: 'refused', ...refusal });
      const isDead = over && presented.isUnclaimed;
      // Its part of the day stays taken: only the service says that nothing was charged, and one that lies about it
      // would be paid over and over, whatever the limit.
      if (isDead || MOVED.includes(refusal.word)) journal.end(changed);
      return isDead ? { kind: 'dead', record: changed.record, refusal } : { kind: 'refused', kept: changed, refusal };
    }
  }
}

function chainsOf({ solanaRpcUrl }: FateDeps, { mode }: PaymentRecord): Chains {
  return { mode, solanaRpcUrl };
}

/** Sum and fee, as it was signed. */
export function totalOf({ totalMicroUsdc }: PaymentRecord) {
  return microUsdc(BigInt(totalMicroUsdc));
}
