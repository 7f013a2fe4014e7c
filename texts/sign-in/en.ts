import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

/** Signing in to money that is kept here. It collects nothing, so nothing of this speaks of collecting. */
export const signInEn = {
  eyebrow: 'Sign in',
  title: 'Sign in to money kept here',
  lead: 'Show whose money it is in the same way as when it was collected.',
  /** Beside the step that proves the name. */
  whatFor: 'This shows what is kept here. It moves nothing.',
  confirm: 'Open it',
  /** On the last page before it. */
  shows: 'You see what is kept here for you. Your other places show this sign-in and can end it.',
  /** Of a name that nobody used for half a year: not even looking works at first. */
  unseenTitle: 'You will see it later',
  unseen: (time: string): string =>
    `Nobody used this name here for half a year, so it may have a new owner. From this browser you see what is kept for it, and send it, from ${time}. Any place where it was kept before can do so now.`,
  /** Where others came before: this browser only looks at first. */
  waitsTitle: 'Looking works at once, sending later',
  waits: (time: string): string =>
    `From this browser it can be sent and withdrawn from ${time}. Any place where it was kept before can do so now.`,
  /** The same of what a passkey guards. */
  waitsGuarded: (time: string): string =>
    `With its passkey you can send it at once. Without it, ask to take it out from ${time}; that waits ${WITHOUT_PASSKEY_HOURS} hours.`,
};

export type SignInTexts = typeof signInEn;
