import type { Language } from '../languages.ts';
import type { MicroUsdc } from '../money.ts';
import type { PayoutTarget } from './claims.ts';

export type MailText = { subject: string; text: string; html: string };

/** Contract, section 10: less brings no mail that it waits. */
export const NOTICE_MIN_MICRO_USDC = 500_000n;
/** And an address gets one such mail a day. */
export const NOTICE_SPACE_MS = 24 * 3_600_000;

/** Contract, section 10: how often a mail with a code may go to one address, no matter who asks. */
export const MAIL_SPACE_MS = 10 * 60_000;
export const MAILS_PER_HOUR_MAX = 5;
/** Of those, the ones that only a holder of a receipt's link may ask for. */
export const MAILS_FOR_HOLDERS = 1;
/**
 * How long the link in a mail works. Whenever the limits refuse another mail, one was sent within this time: so its
 * reader gets in by that one, however many mails strangers ask for.
 */
export const MAIL_LINK_MS = 3_600_000;

export type CodeContent = {
  to: string;
  code: string;
  payout: PayoutTarget;
  /** Begins a claim of the reader's own, in any browser. */
  linkUrl: string;
  validMs: number;
  /** Of the page that it was asked for on. */
  language: Language;
};

export type NoticeContent = {
  to: string;
  kind: 'waits' | 'reminder';
  sum: MicroUsdc;
  /** Who sent all of it, where that is one account that our bot saw, such as `alice on Discord`. */
  from: string | null;
  language: Language;
  claimUrl: string;
  /** When it goes back. */
  untilMs: number;
  /** Whether there is time left for a reminder after this mail. */
  isReminded: boolean;
  unsubscribeUrl: string;
};

export type AddressContent = {
  to: string;
  /** Where the money goes until then. */
  now: PayoutTarget;
  /** Where it goes afterwards. */
  next: PayoutTarget;
  /** When that begins. */
  fromMs: number;
  language: Language;
  claimUrl: string;
};

/** What is about to change with money that is kept for this address, at `atMs`. */
export type PurseChange =
  /** `isGuarded`: a passkey counts by then. */
  | { kind: 'holder'; atMs: number; isGuarded: boolean }
  | { kind: 'passkey_added' | 'passkey_ends'; atMs: number }
  /** `leaves_now`: at `atMs` its address is known. */
  | { kind: 'leaves' | 'leaves_now'; atMs: number; sum: MicroUsdc }
  /** The service ends since `atMs`, and this is still here. */
  | { kind: 'closing'; atMs: number; sum: MicroUsdc };

export type PurseContent = {
  to: string;
  change: PurseChange;
  language: Language;
  /** Stops all that waits, by a button on its page; for `closing` the page where money is taken out. */
  stopUrl: string;
};

/** The texts of mails by purpose. `identity/` sends the mails and is given their texts. */
export type MailTexts = {
  code: (content: CodeContent) => MailText;
  notice: (content: NoticeContent) => MailText;
  address: (content: AddressContent) => MailText;
  purse: (content: PurseContent) => MailText;
  /** To the operator, about their own installation. */
  alert: (content: { subject: string; text: string }) => MailText;
};
