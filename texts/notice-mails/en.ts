import { HOLDER_WAIT_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { goingBackEn } from '../going-back/en.ts';

/**
 * What stands in a mail about money that waits. `from`: a sender that we have proved, such as `alice on Discord`. `on`: the day
 * on which it goes back.
 */
export type WaitsFacts = { to: string; sum: string; from: string | null; on: string };

/** Words of mails that their reader did not ask for. A language is a file like this one with the same shape. */
export const noticeMailEn = {
  locale: 'en-GB',
  waits: {
    subject: (sum: string): string => `${sum} is waiting for you`,
    again: (sum: string): string => `${sum} is still waiting for you`,
    lead: ({ to, sum, from, on }: WaitsFacts): string =>
      `${from ?? 'Someone'} sent ${sum} in USDC, a digital dollar, to ${to}. It waits for you. ${goingBackEn.sentence({ if: 'you_do_nothing', to: 'sender', on })}`,
    button: 'Look at it',
    first: 'It costs you nothing. We remind you once before it goes back, and write no more after that.',
    only: 'It costs you nothing. This is the only mail about it.',
    last: 'This is the only reminder.',
    never: 'You want no such mail ever again? One click:',
  },
  address: {
    subject: 'Your money is about to go to another address',
    lead: (to: string, from: string): string =>
      `Someone who can read mail to ${to} asked us to send the money for it to another address. From ${from} it goes here:`,
    before: 'Until then it goes, as before, here:',
    fine: 'If you asked for this, there is nothing to do.',
    stop: (from: string): string =>
      `If you did not, you can stop it until ${from}: collect once more, on this page, and choose the place where it goes now. Then change the password of your mailbox, because someone else can read your mail.`,
    button: 'Stop it on this page',
  },
  purse: {
    subject: 'Something is about to change with your money',
    /** `isGuarded`: a passkey counts by then. */
    holder: (to: string, at: string, isGuarded: boolean): string =>
      isGuarded
        ? `Someone signed in to the money that is kept for ${to}, in another browser or chat. From ${at} it can be taken out from there, which without the passkey waits ${WITHOUT_PASSKEY_HOURS} hours more.`
        : `Someone signed in to the money that is kept for ${to}, in another browser or chat. From ${at} it can be sent from there.`,
    passkeyAdded: (to: string, at: string): string =>
      `A passkey was added to the money that is kept for ${to}. From ${at} the money leaves with it.`,
    passkeyEnds: (to: string, at: string): string =>
      `A passkey of the money that is kept for ${to} is to be removed. It counts until ${at}.`,
    leaves: (to: string, sum: string, at: string): string =>
      `${sum} of the money that is kept for ${to} is to be taken out at ${at}.`,
    leavesNow: (to: string, sum: string, at: string): string =>
      `${sum} of the money that is kept for ${to} is being taken out. From ${at} any sum can leave for the same place at once.`,
    fine: 'If that was you, there is nothing to do.',
    stop: 'If it was not you, stop it here:',
    button: 'It was not me: stop it',
    why: `That is why such a change waits for ${HOLDER_WAIT_HOURS} hours or more. We write this to everyone who holds the money.`,
  },
  closing: {
    subject: 'This service is closing: take your money out',
    lead: (to: string, sum: string): string =>
      `This service is closing. ${sum} are still kept here for ${to}. Please take the money out to an address of yours.`,
    free: 'It costs you nothing. You sign in by a code that we mail you.',
    button: 'Take it out',
  },
};

export type NoticeMailTexts = typeof noticeMailEn;
