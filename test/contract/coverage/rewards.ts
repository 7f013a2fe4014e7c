import type { CoverageRow } from './row.ts';

/** Section 5: rewards for a post. */
export const REWARD_ROWS: readonly CoverageRow[] = [
  {
    says: 'creating is free and says who gets how much, who is left out and why',
    tests: [
      ['api/rewards/create.test.ts', 'with shares by weight, who is left out and why, and nothing is paid'],
      ['api/rewards/create.test.ts', 'by weights of the caller’s, for as many as the caller wants'],
      ['api/rewards/create.test.ts', 'without whom the caller names, by name or by id, and without the creator'],
      ['api/rewards/create.test.ts', 'without those who want no payments'],
    ],
  },
  {
    says: 'what cannot be shared out is refused by name, and nothing is kept',
    tests: [
      ['api/rewards/create.test.ts', 'half a cent'],
      ['api/rewards/create.test.ts', 'more than these three may get'],
      ['api/rewards/create.test.ts', 'an unknown post'],
      ['api/rewards/create.test.ts', 'a post with which only its author engaged'],
      ['api/rewards/create.test.ts', 'a hub that fails while %s'],
    ],
  },
  {
    says: 'the list is frozen: what was previewed is what is paid',
    tests: [
      ['db/rewards/suite.ts', 'what is kept is what was previewed'],
      ['flow/rewards/rewards.test.ts', 'for its budget and the fee, paid out as previewed, and told the same for ever'],
    ],
  },
  {
    says: 'both forms of confirming are one request; confirmed already is 200 with the same data and no second charge',
    tests: [
      ['flow/rewards/rewards.test.ts', 'named in the address, whatever the body'],
      ['flow/rewards/rewards.test.ts', 'once: a later payer gets the same answer and pays nothing'],
    ],
  },
  {
    says: 'it is taken after the simulation, and confirming ends in pending again when the proof is refused or dead',
    tests: [
      ['flow/rewards/rewards.test.ts', 'nobody has to wait for a payment that would fail: it takes nothing'],
      ['flow/rewards/rewards.test.ts', 'after a payment that was refused it waits again, and another payer confirms it'],
      ['db/rewards/suite.ts', 'after a refused and after a dead payment it is free again'],
    ],
  },
  {
    says: 'anyone with the secret rejects it, until a payment is on its way; it expires after a day',
    tests: [
      ['db/rewards/suite.ts', 'a rejection and a payment at the same moment: one of the two'],
      ['db/rewards/suite.ts', 'after a day nobody can pay; who pays then already goes on'],
      [
        'flow/rewards/rewards.test.ts',
        'the rejection of one that is being paid, which may still fail, and of one that is paid',
      ],
      ['flow/rewards/rewards.test.ts', 'one whose day is over, at the press'],
    ],
  },
];
