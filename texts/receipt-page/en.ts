import type { PassingReason } from '../../core/payments/passing-reasons.ts';
import type { ReturnedBecause } from '../../core/states.ts';
import type { Finality, LetterState } from './facts.ts';
import { goingBackEn, type GoesBackIf } from '../going-back/en.ts';

const shortDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const goesBack = (condition: GoesBackIf, on: string | null): string =>
  goingBackEn.sentence({ if: condition, to: 'sender', on });

/**
 * `person`: `@alice on X`. `until`: the day or moment at which it goes back. `asked`: the platform; null for the domain name
 * system.
 */
export type LetterFacts = { person: string; until: string | null; asked: string | null; askedMinutes: number };

const states: Record<LetterState, (person: string) => string> = {
  undone: () => 'It did not take place',
  unsettled: () => 'Being sent again',
  received: (person) => `Received by ${person}`,
  lookedUp: (person) => `${person} is being looked up`,
  onItsWay: (person) => `On its way to ${person}`,
  goingBack: () => 'On its way back to the payer',
  waiting: () => 'Waiting to be collected',
  waitingForRoute: () => 'Waiting for a way to its owner',
  held: () => 'Being checked',
  returned: () => 'Returned to the payer',
};

/** In place of `held`, where it goes on by itself. */
const passing: Record<PassingReason, string> = {
  payer_limit: 'Waiting for another day',
  recipient_limit: 'Waiting for another day',
  no_token_account: 'Waiting for an account',
  account_quota: 'Waiting for another day',
};

/** What happens next, in one or two sentences. What is held has its words in `texts/receipts`. */
const next: Record<Exclude<LetterState, 'held'>, (facts: LetterFacts) => string> = {
  undone: () => 'This payment did not go through. The payer still has the money and can send it again.',
  unsettled: () => 'The same payment is sent again by itself. Nobody pays twice, and there is nothing to do.',
  received: ({ person }) => `${person} has the money. There is nothing left to do; this page stays as the receipt.`,
  lookedUp: ({ person, asked, askedMinutes }) =>
    `${asked ?? 'The domain name system'} has not answered yet, so it is not known who ${person} is. It is asked again for ${askedMinutes} minutes; if there is nobody of that name, or still no answer, the money goes back to the payer.`,
  onItsWay: ({ person }) => `It goes to ${person} by itself. There is nothing to do.`,
  goingBack: () => 'It is on its way back to the payer by itself.',
  waiting: ({ person, until }) => `Waiting for ${person} to collect it. ${goesBack('nobody_collects', until)}`,
  waitingForRoute: ({ person, until }) =>
    `It belongs to ${person}, whose address here cannot take it yet. It waits for another address, or for a way to this one. ${goesBack('nothing_changes', until)}`,
  returned: () => 'The money went back the way it came.',
};

/** Before the sentences of what goes back or has come back. */
const returnedBecause: Record<ReturnedBecause, (facts: LetterFacts) => string> = {
  not_collected: () => 'It was not collected in time.',
  taken_back: () => 'The payer took it back before it was collected.',
  not_found: ({ person }) => `There is no ${person}, so nobody could have collected it.`,
  no_answer: ({ person, asked, askedMinutes }) =>
    `${asked ?? 'The domain name system'} gave no answer for ${askedMinutes} minutes, so nobody could say who ${person} is.`,
  had_another_owner: ({ person }) =>
    `${person} was somebody else before, and nobody could say who it was at the time of the payment.`,
  newer_than_payment: ({ person }) =>
    `Whoever is ${person} now got that name only after the payment, so somebody else was meant.`,
  opted_out: ({ person }) => `${person} wants no payments.`,
  declined: ({ person }) => `${person} did not want it.`,
  wind_down: () => 'This service is closing, and gives back what waits.',
  not_paid_out: () => 'It could not be paid out, so it goes back.',
};

/** How certain it is, for those who open the proof. */
const certainty: Record<Finality | 'undone', (networkName: string) => string> = {
  undone: () => 'It never took place, and nothing was charged.',
  pending: (networkName) => `${networkName} replaced the block it was in.`,
  settled: () => 'On the chain, not final yet.',
  final: () => 'Final: the network cannot undo the payment any more.',
};

/** What a letter says: who sent it, how much, and how far it has come. */
export const receiptPageEn = {
  /** `20 December 2026 at 09:05 UTC`. */
  minute: (date: Date): string => `${minutes.format(date)} UTC`,

  /** `20 Dec`, small enough for a postmark. */
  shortDay: (date: Date): string => shortDays.format(date),
  postmark: 'PAID',

  title: (sum: string, person: string): string => `${sum} for ${person}`,
  states,
  passing,
  next,
  returnedBecause,
  certainty,
  /** Between two sentences, and between a heading and a sentence. */
  between: ' ',
  stop: '. ',

  steps: 'How far it has come',
  sentStep: 'Sent',
  waitingStep: 'Waiting',
  /** Also where an address was known, so that nobody had to collect. */
  receivedStep: 'Received',
  returnedStep: 'Returned',
  stepStates: { done: 'done', now: 'in progress', later: 'still to come', failed: 'did not happen' },

  from: (sender: string): string => `From ${sender}`,
  /** A sender that nobody has proven. */
  someoneCalled: (name: string): string => `someone calling themselves “${name}”`,
  someone: 'a sender who gave no name',
  forWhom: (person: string): string => `for ${person}`,
  /** What the money is; said once. */
  money: 'The sum is in USDC, a digital dollar.',
  note: 'Note from the sender',
  collect: 'Collect it',
  collectAgain: 'Choose another way',
  /** After the day on which it goes back. */
  keptBy: (operator: string): string => `Until then ${operator} holds it.`,
  /** Beside what only the operator can let go on. */
  askOperator: (operator: string): string => `Ask ${operator} about it, and name the number below.`,
  /** The title of what only the one who sent it needs: folded, since the recipient reads the letter too. */
  forSender: 'Did you send this?',
  passOn: 'Pass the link on, so that they can collect it.',
  share: {
    share: 'Share',
    copy: 'Copy the link',
    copied: 'Link copied',
    qr: 'Show as a code',
    qrLabel: 'A code that opens this page on a phone',
  },

  proof: 'Proof of payment',
  state: 'State',
  recipient: 'To',
  network: 'Network',
  sent: 'Sent',
  settled: 'On the chain',
  number: 'Number',
  transaction: 'Transaction',
  transactionCopied: 'Transaction copied',
  copy: 'Copy',
  seeOnChain: 'See it on the chain',
  thisReceipt: 'This page',
  follows: 'This page follows the payment by itself.',
  reloads: (seconds: number): string =>
    `This page loads itself again every ${seconds} seconds until the payment is complete.`,
};

export type ReceiptPageTexts = typeof receiptPageEn;
