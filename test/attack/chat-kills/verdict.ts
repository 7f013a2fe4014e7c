import type { Books } from './books.ts';
import type { Person } from './person.ts';
import type { Plan, TipPlan } from './plan.ts';

/** What became of one tip, by the chain and the books on one side and by what its payer sees on the other. */
export type Outcome = {
  tip: TipPlan;
  orders: number;
  isOver: boolean;
  payments: number;
  /** With the recipient, or in escrow for them. */
  arrived: bigint;
  /** Messages that say that it was sent, and messages that are its receipts. */
  ends: number;
  receipts: number;
  /** Messages that still say it is being paid, or say something that nobody expects. */
  others: number;
};

export type Verdict = {
  tips: number;
  exact: number;
  lost: number;
  spentTwice: number;
  receiptsTwice: number;
  /** Payers whose balance on the chain went down by anything but the sum of their tips. */
  wrongPayers: number;
  /** Messages that say for ever that something is being worked on. */
  stuck: number;
  /**
   * The same on Telegram, which knows no key for a message: what a kill leaves twice there is a placeholder, and that is
   * allowed.
   */
  placeholders: number;
};

export const END = /^Sent /;
/** The reader of this waits; it names nobody. */
export const WORKING = /^(?:\(thinking\)|One moment…|Asking for the price…|\S+ …|.+ sent you something …)$/;
/** Of more tips than a channel wants messages, others read in one; their payers read each end all the same. */
const SHARED = /\d+ tips? from \d+ (?:person|people)/;
const RECEIPT = /is waiting for|is on its way to| received | collected /;

export type Chain = {
  /** By the tip's index; zero where the recipient has no wallet. */
  received: ReadonlyMap<number, bigint>;
  /** By the payer's place in the plan. */
  spent: readonly bigint[];
};

export function judgeTips(plan: Plan, people: readonly Person[], books: Books, received: Chain['received']): Outcome[] {
  const seen = people.map((person) => person.sees());
  return plan.tips.map((tip) => {
    const entry = books.entries.get(tip.handle);
    const texts = (seen[tip.payer] ?? []).filter((text) => text.includes(`${tip.handle} on X`) && !SHARED.test(text));
    const ends = texts.filter((text) => END.test(text)).length;
    // The tip's own message says where the money is; another one would be a receipt beside it.
    const receipts = texts.filter((text) => !END.test(text) && RECEIPT.test(text)).length;
    return {
      tip,
      orders: entry?.orders ?? 0,
      isOver: entry?.isOver ?? false,
      payments: entry?.payments ?? 0,
      arrived: (entry?.inEscrow ?? 0n) + (received.get(tip.index) ?? 0n),
      ends,
      receipts,
      others: texts.length - ends - receipts,
    };
  });
}

export const isLost = ({ tip, isOver, arrived, ends }: Outcome): boolean =>
  !isOver || arrived < tip.amount || ends === 0;

export const isSpentTwice = ({ tip, orders, payments, arrived }: Outcome): boolean =>
  arrived > tip.amount || payments > 1 || orders > 1;

export const isReceiptTwice = ({ receipts, ends }: Outcome): boolean => receipts > 0 || ends > 1;

export const isExact = (outcome: Outcome): boolean =>
  !isLost(outcome) && !isSpentTwice(outcome) && outcome.ends === 1 && outcome.receipts === 0 && outcome.others === 0;

export function countVerdict(
  plan: Plan,
  people: readonly Person[],
  outcomes: readonly Outcome[],
  spent: Chain['spent'],
): Verdict {
  const due = plan.payers.map(() => 0n);
  for (const { payer, amount } of plan.tips) due[payer] = (due[payer] ?? 0n) + amount;
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter((outcome) => is(outcome)).length;
  const working = people.map((person) => person.sees().filter((text) => WORKING.test(text)).length);
  const workingOn = (isTelegram: boolean) =>
    working
      .filter((_, index) => (plan.payers[index]?.transport === 'telegram') === isTelegram)
      .reduce((sum, one) => sum + one, 0);
  return {
    tips: outcomes.length,
    exact: count(isExact),
    lost: count(isLost),
    spentTwice: count(isSpentTwice),
    receiptsTwice: count(isReceiptTwice),
    wrongPayers: due.filter((sum, payer) => spent[payer] !== sum).length,
    stuck: workingOn(false),
    placeholders: workingOn(true),
  };
}
