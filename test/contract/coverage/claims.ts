import type { CoverageRow } from './row.ts';

/** Section 8: who gets the money, and who does not. */
export const CLAIM_ROWS: readonly CoverageRow[] = [
  {
    says: 'x, code, photo: OAuth 2 with PKCE and state; the account’s id must be the one that was paid',
    tests: [
      ['api/claims/attack.test.ts', 'works once'],
      ['api/claims/attack.test.ts', 'with a stolen code of another person is refused by the provider'],
      ['db/claims/verify.test.ts', 'a person who took the name over gets what is theirs, and the former owner keeps the rest'],
      ['flow/walk.browser.test.ts', 'from a letter that was opened inside of X to a dollar sent on'],
    ],
  },
  {
    says: 'decsocial: Sign In With Farcaster',
    tests: [['api/claims/proofs.test.ts', 'Farcaster: a signature in the app proves, and the money goes where it said']],
  },
  {
    says: 'email: 8 digits by mail, 10 minutes, 5 tries, limited per address and IP',
    tests: [
      ['api/claims/proofs.test.ts', 'e-mail: the code from the mail, which names the address, typed as people type'],
      ['api/claims/attack.test.ts', 'is over after ten minutes, and another one works'],
      ['api/claims/attack.test.ts', 'twenty guesses at once are five'],
      [
        'api/claims/attack.test.ts',
        'goes to an address four times an hour for strangers, and others are not in the way',
      ],
    ],
  },
  {
    says: 'web: a TXT record or a well-known file, with a token per claim',
    tests: [
      ['api/claims/proofs.test.ts', 'web: a published %s proves the host'],
      [
        'api/claims/confirmation.test.ts',
        'a line that is gone from the website when it is confirmed proves nothing any more',
      ],
    ],
  },
  {
    says: 'a claim opened by a stranger does not pay the stranger',
    tests: [
      ['api/claims/attack.test.ts', 'is not proven by the sign-in of its victim, with another cookie or none'],
      [
        'api/claims/attack.test.ts',
        'takes no code of its victim from another browser, who learns not even that there is a claim',
      ],
      ['api/claims/attack.test.ts', 'names the stranger’s address wherever its victim would prove it'],
    ],
  },
  {
    says: 'confirm needs a one-time token of that browser, and counts once',
    tests: [
      ['api/claims/confirmation.test.ts', 'said twenty times at once pays once'],
      ['db/claims/confirm.test.ts', 'of twenty at once one collects, and everything goes out once'],
    ],
  },
  {
    says: 'many people collect at once, and each is paid once',
    tests: [['attack/claims.torture.test.ts', '${COUNT} people who claim at once are each paid once, also those whose claim is confirmed ${FIRST_CONFIRMED} times']],
  },
  {
    says: 'answers are the same, in form and time, whether or not money waits',
    tests: [['api/claims/confirmation.test.ts', 'before the proof nothing differs, whether or not money waits']],
  },
  {
    says: 'keep it here: a wallet of the identity, not for web',
    tests: [
      [
        'api/claims/proofs.test.ts',
        'what is kept goes to a wallet of the identity, which the browser that proved it may spend from',
      ],
      ['api/claims/confirmation.test.ts', 'cannot be kept for a website, whose name changes owners'],
    ],
  },
  {
    says: 'what is kept is withdrawn any time',
    tests: [
      ['worker/evm/withdrawals.test.ts', 'while signing is stopped, and where the treasury cannot sign, withdrawals go on, and nothing of ours does'],
      ['bot/withdraw-chains.test.ts', 'asked in the chat, pressed twice, it arrives once, and the message says so; one that a backup shows as asked for, though a later generation has landed, moves nothing again'],
    ],
  },
  {
    says: 'addresses of ours, of tokens, of systems, off the curve, barred: refused',
    tests: [['api/claims/confirmation.test.ts', 'for an address that was barred since is refused']],
  },
  {
    says: 'a replaced address waits a day; the first is immediate; for email and web it lapses unused',
    tests: [
      [
        'db/claims/changes.test.ts',
        'waits a day, in which money still goes to the old one, and is then the one',
      ],
      ['db/claims/changes.test.ts', 'never counts when the owner proves the present one again'],
      ['db/claims/confirm.test.ts', 'no longer counts for a mailbox: money waits, and the next claim is a first one'],
    ],
  },
  {
    says: 'decline and opt-out: what waits goes back, later payments are refused',
    tests: [
      ['api/claims/proofs.test.ts', 'goes back, and with opt_out nothing comes later'],
      ['api/claims/opt-out.test.ts', 'a line for a recipient who opted out refuses the request, naming it'],
    ],
  },
  {
    says: 'e-mail: one neutral mail and one reminder, one click for never again',
    tests: [
      ['worker/notices.test.ts', 'is announced once and reminded of once, 7 days before it goes back'],
      ['worker/notices.test.ts', 'for a recipient on %s brings no mail'],
    ],
  },
  {
    says: 'a published address is used by itself where it was verified',
    tests: [['worker/published.test.ts', 'of a Farcaster account is paid at once, once its payment is hinted at']],
  },
];
