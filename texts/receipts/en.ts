import type { PassingReason } from '../../core/payments/passing-reasons.ts';
import type { ReturnedBecause } from '../../core/states.ts';
import { code, line, type Paragraph, type Span } from '../../core/view.ts';

const anotherDay = (what: string): string =>
  `${what} is limited, and today’s limit is reached. It goes on by itself on a day with room for it, in UTC.`;

const passing: Record<PassingReason, (recipient: string) => string> = {
  payer_limit: () => anotherDay('What one payer can send in a day'),
  recipient_limit: (recipient) => anotherDay(`What ${recipient} can receive in a day`),
  no_token_account: (recipient) =>
    `The wallet of ${recipient} cannot hold USDC yet. It goes on by itself when they have opened a USDC account there, or when we can open one.`,
  account_quota: (recipient) =>
    `The wallet of ${recipient} needs a new USDC account, and we open only so many a day. It goes on by itself on a day with room for it, in UTC; what has waited longest and larger sums come first.`,
};

const returned: Record<ReturnedBecause, (recipient: string) => string> = {
  not_collected: (recipient) => `${recipient} did not collect it in time.`,
  taken_back: () => 'You took it back before it was collected.',
  declined: (recipient) => `${recipient} did not want it.`,
  wind_down: () => 'This service is closing, and gives back what waits.',
  not_paid_out: () => 'It could not be paid out, so it comes back.',
  opted_out: (recipient) => `${recipient} wants no payments.`,
  not_found: (recipient) => `There is no ${recipient}, so nobody could have collected it.`,
  no_answer: (recipient) => `Nobody could say in time who ${recipient} is.`,
  had_another_owner: (recipient) => `${recipient} was somebody else before, so nobody could say whom you meant.`,
  newer_than_payment: (recipient) => `Whoever is ${recipient} now got that name only after you paid.`,
};

/** What a chat reads about money that was sent, in English. A language is a file like this one with the same shape. */
export const receiptEn = {
  received: (recipient: Span, sum: Span): Paragraph => line`${recipient} received ${sum}.`,
  collected: (recipient: Span, sum: Span): Paragraph => line`${recipient} collected ${sum}.`,
  onItsWay: (recipient: Span, sum: Span): Paragraph => line`${sum} is on its way to ${recipient}.`,
  waits: (recipient: Span, sum: Span): Paragraph => line`${sum} is waiting for ${recipient}.`,
  hasToWait: (recipient: Span, sum: Span): Paragraph => line`${sum} for ${recipient} has to wait.`,
  isChecked: (recipient: Span, sum: Span): Paragraph => line`${sum} for ${recipient} is being checked.`,
  cameBack: (recipient: Span, sum: Span): Paragraph => line`${sum} for ${recipient} came back to you.`,
  /** To the member who asked for the pay link. */
  paidTwice: (recipient: Span, sum: Span): Paragraph =>
    line`Your link for ${recipient} was paid twice. What came too much, ${sum}, went into your wallet here; if someone else sent it, it is theirs.`,

  /** Why money is kept back for now, and what lets it go on. */
  passing,
  untilChecked: (): string =>
    'Whoever runs this service has to look at it before it can go out. Until then it is kept.',

  sendThemThis: (): Paragraph => line`Send them this:`,
  /** To be copied as it stands, for somebody who has never heard of us. */
  messageForThem: (sum: string, url: string): Paragraph =>
    line`I sent you ${sum}, a digital dollar. Collect it here: ${url}`,
  sendReceipt: (): Paragraph => line`Send them the receipt: that is where they collect it.`,
  collectHere: (recipient: string): Paragraph => line`${recipient}: type ${code('/claim')} here to collect it.`,
  /** What the payer wrote with it. */
  note: (text: string): Paragraph => line`“${text}”`,

  /** What the recipient reads. `giver`: their name in that chat. */
  /** For a moment, and on a locked phone, before it says more. */
  somethingFrom: (giver: string): Paragraph => line`${giver} sent you something …`,
  sentYou: (giver: string, sum: Span): Paragraph => line`${giver} sent you ${sum}.`,
  /** The same where others read along. */
  sentThem: (giver: Span, recipient: Span, sum: Span): Paragraph => line`${giver} sent ${recipient} ${sum}.`,
  community: (): string => 'Your community',
  /** To one of those rewarded, alone. */
  rewarded: (sum: Span, author: string): Paragraph =>
    line`A community rewarded you with ${sum} for what you did with a post by ${author}.`,
  /** What small tips brought on a day. */
  smallTips: (people: number, sum: Span): Paragraph =>
    line`${people === 1 ? '1 person' : `${String(people)} people`} sent you ${sum} today.`,
  /** What the recipient can do with a tip, and with what its giver writes. */
  notice: {
    keep_tip: (): string => 'Keep it',
    decline_tip: (): string => 'No thanks',
    read_note: (): string => 'Read the note',
    block_giver: (): string => 'Stop hearing from them',
    quiet_small: (): string => 'Small ones once a day',
    readAlways: (): string => 'Show me their notes',
  },

  returned,

  openReceipt: (): string => 'Open the receipt',

  /** Of several, where a name would be a number: `Receipt 2`. */
  receiptNumber: (number: number): string => `Receipt ${number}`,
  collectEachHere: (): Paragraph => line`Members of this chat collect it here with ${code('/claim')}.`,
  sendEachReceipt: (): Paragraph => line`Send each of them their receipt: that is where they collect it.`,
};

export type ReceiptTexts = typeof receiptEn;
