/** Signing in to money that is kept here. It collects nothing, so nothing of this speaks of collecting. */
export const signInEn = {
  eyebrow: 'Sign in',
  title: 'Sign in to money kept here',
  lead: 'Show whose money it is in the same way as when it was collected.',
  /** Beside the step that proves the name. */
  whatFor: 'This shows what is kept here. It moves nothing.',
  confirm: 'Open it',
  /** On the last page before it. */
  shows:
    'You see what is kept here for you. If it was kept in another browser, sending and withdrawing works here only after a wait, which the next page names, and your other places show that you signed in.',
};

export type SignInTexts = typeof signInEn;
