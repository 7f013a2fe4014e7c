import { microUsdc } from '../../core/money.ts';
import type { Journal, Kept } from '../journal/payments.ts';
import type { PaymentRecord } from '../journal/record.ts';
import { isOver } from './purse.ts';
import { presentCharge, type Payable } from '../../client/charge.ts';
import { createPayments, type PaidPayment } from '../../client/payments.ts';
import type { Refused } from '../../client/refusal.ts';
import { CHARGES } from '../../core/payments/charge.ts';
import { toPaidAnswer, toRefusal, type PaidAnswer, type Refusal } from './service.ts';

/** The fate of a signed payment. */
export type Fate =
  | { kind: 'paid'; kept: Kept; answer: PaidAnswer }
  /** It was refused, and nothing was charged so far. No other header is signed until this one can take no effect. */
  | { kind: 'refused'; kept: Kept; refusal: Refusal }
  /** The service has not taken it, and it can no longer take effect. */
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

/** The money did move, for another purchase or back: the payer is told so, and the payment is not repeated. */
const MOVED: readonly string[] = ['payment_already_used', 'payment_returned'];

export const hasMoved = ({ word }: Pick<Refusal, 'word'>): boolean => MOVED.includes(word);

/**
 * Sends the one header of a payment until its fate is known or the time is up. A lost answer, a 500 or anything
 * unreadable leaves it open: nothing is ever signed beside it.
 */
export async function learnFate(deps: FateDeps, kept: Kept, waitMs: number): Promise<Fate> {
  const { state } = kept.record;
  if (state.kind === 'paid') return { kind: 'paid', kept, answer: { message: state.message, lines: state.lines } };
  const { service: baseUrl, id, route, body, header } = kept.record;
  const known: { fate: Fate } = { fate: { kind: 'unknown', kept } };
  const payable: Payable<PaidPayment> = {
    rules: CHARGES.commandLine,
    sinceMs: null,
    channel: createPayments({ ...deps, baseUrl }).channel({ id, route, body }),
    clock: deps,
    sendLimitMs: waitMs,
    isOver: () => isRecordOver(deps, kept.record),
    settle: async (paid) => void (known.fate = toPaid(deps, kept, paid)),
    fail: async (_failure, refused) => void (known.fate = toRefused(deps, kept, refused)),
    giveUp: async (refused) => void (known.fate = toDead(deps, kept, refused)),
    wait: async () => undefined,
  };
  await presentCharge(payable, header);
  return known.fate;
}

/** Whether asking again cannot charge a payer who was told that nothing was charged. */
export async function mayAskAgain(deps: FateDeps, { record }: Kept): Promise<boolean> {
  return record.state.kind !== 'refused' || isRecordOver(deps, record);
}

function toPaid({ journal }: FateDeps, kept: Kept, paid: PaidPayment): Fate {
  const answer = toPaidAnswer(paid);
  if (answer === null) return { kind: 'unknown', kept };
  return { kind: 'paid', kept: journal.update(kept, { kind: 'paid', ...answer }), answer };
}

function toRefused({ journal }: FateDeps, kept: Kept, refused: Refused | null): Fate {
  if (refused === null) throw new Error(`payment ${kept.record.id} was refused by nobody`);
  const refusal = toRefusal(refused);
  const changed = journal.update(kept, { kind: 'refused', ...refusal });
  if (hasMoved(refusal)) journal.end(changed);
  return { kind: 'refused', kept: changed, refusal };
}

/**
 * Its part of the day's cap stays reserved: only the service says that nothing was charged, and a lying service would
 * be paid over and over, whatever the cap.
 */
function toDead({ journal }: FateDeps, kept: Kept, refused: Refused): Fate {
  const refusal = toRefusal(refused);
  const changed = journal.update(kept, { kind: 'refused', ...refusal });
  journal.end(changed);
  return { kind: 'dead', record: changed.record, refusal };
}

function isRecordOver(deps: FateDeps, { end, mode }: PaymentRecord): Promise<boolean> {
  return isOver(end, { mode, solanaRpcUrl: deps.solanaRpcUrl }, deps);
}

/** Sum and fee, as signed. */
export function totalOf({ totalMicroUsdc }: PaymentRecord) {
  return microUsdc(BigInt(totalMicroUsdc));
}
