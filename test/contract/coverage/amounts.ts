import type { CoverageRow } from './row.ts';

/** Section 2: what a payment may be worth, and what a body may look like. */
export const AMOUNT_ROWS: readonly CoverageRow[] = [
  {
    says: 'a number or decimal text, 0.01 to 10, at most six decimals',
    tests: [
      ['core/amounts.test.ts', '%j is an amount'],
      ['contract/body-forms.test.ts', 'with six decimals'],
      ['contract/bad-input/amounts.ts', '0.009'],
      ['contract/bad-input/amounts.ts', '10.01'],
      ['contract/bad-input/amounts.ts', '7 decimals'],
    ],
  },
  {
    says: 'a number is judged by its value, text with an exponent is refused',
    tests: [
      ['contract/body-forms.test.ts', 'with an exponent in a number'],
      ['contract/bad-input/amounts.ts', '"1e-2"'],
    ],
  },
  {
    says: 'everything else is 400: nothing is ever rounded',
    tests: [
      [
        'core/amounts.test.ts',
        'whatever comes is an amount between the limits or a short refusal without hidden characters',
      ],
      ['contract/bad-input/amounts.ts', '0.1 + 0.2'],
    ],
  },
  {
    says: 'inside, money is a whole number of micro-USDC',
    tests: [
      ['core/amounts.test.ts', 'every amount between the limits is read back exactly, as a number and as a string'],
    ],
  },
  {
    says: 'the price is sum plus fee; the share is rounded up to a micro-USDC and the flat part added; both are 0 unless set',
    tests: [
      ['contract/body-forms.test.ts', '%s is in the price and named in words'],
      ['contract/body-forms.test.ts', 'is taken once for a batch, of its sum'],
      ['networks/cases/paying.ts', 'includes the fee, and what is paid without it is refused'],
    ],
  },
  {
    says: 'the fee is named in the description when there is one',
    tests: [['contract/body-forms.test.ts', 'a share that does not come out even, rounded up']],
  },
  {
    says: 'unknown keys of a body are ignored',
    tests: [['contract/body-forms.test.ts', 'with keys that nobody knows']],
  },
  {
    says: 'receiver_username, and username in a list, mean receiver',
    tests: [
      ['contract/body-forms.test.ts', 'with receiver_username'],
      ['contract/body-forms.test.ts', 'with username in a list'],
    ],
  },
  {
    says: 'an empty body with a proof is {}, whatever its type',
    tests: [
      ['contract/body-forms.test.ts', 'empty under the type %s is {}: its fields are missing, not its type wrong'],
    ],
  },
  {
    says: 'transaction_hash is the payer’s own reference: stored, and proof of nothing',
    tests: [
      [
        'contract/body-forms.test.ts',
        'transaction_hash is the payer’s own reference: stored as it came, and proof of nothing',
      ],
    ],
  },
];
