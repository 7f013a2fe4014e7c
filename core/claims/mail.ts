import type { PayoutTarget } from './claims.ts';

export type MailText = { subject: string; text: string; html: string };

export type CodeContent = { to: string; code: string; payout: PayoutTarget; validMs: number };

export type NoticeContent = {
  to: string;
  kind: 'waits' | 'reminder';
  claimUrl: string;
  /** The last day on which it can be collected. */
  untilMs: number;
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
  claimUrl: string;
};

/** The texts of mails by purpose. `identity/` sends the mails and is given their texts. */
export type MailTexts = {
  code: (content: CodeContent) => MailText;
  notice: (content: NoticeContent) => MailText;
  address: (content: AddressContent) => MailText;
};
