import type { CoverageRow } from './row.ts';

/** Section 3, first half: the price, and what proves that it is paid. */
export const PAYING_ROWS: readonly CoverageRow[] = [
  {
    says: 'syntax is judged before the proof',
    tests: [['contract/bad-input/proofs.test.ts', 'a wrong body is reported before a wrong proof']],
  },
  {
    says: 'a proof that is claimed gets its own answer, and nothing else is checked',
    tests: [
      [
        'contract/order.test.ts',
        'gets its stored answer, and nothing else is judged: neither its window, a key, a name, nor whether we sign',
      ],
    ],
  },
  {
    says: 'terms, window and signature are judged before key, join and name',
    tests: [
      ['contract/order.test.ts', '%s is reported before the receiver is looked up'],
      ['contract/order.test.ts', 'of another payer learns nothing from a key: neither the stored answer nor that there is one'],
    ],
  },
  {
    says: 'key and join are judged before the name',
    tests: [['contract/order.test.ts', 'is held to its key before the receiver is looked up']],
  },
  {
    says: 'a failing simulation answers 402 and releases the claim: the same proof may come again',
    tests: [
      ['networks/cases/refusals.ts', 'of a payer without enough USDC answers 402, and pays once the money is there'],
    ],
  },
  {
    says: 'nothing has an effect before settlement',
    tests: [['networks/cases/paying.ts', 'is asked for first, in both generations, and asking moves nothing']],
  },
  {
    says: 'the price is 402, never cached, with all published fields for the first generation',
    tests: [['contract/challenge.test.ts', 'says all of the published fields to the first generation']],
  },
  {
    says: 'the second generation reads the same from two headers',
    tests: [['contract/challenge.test.ts', 'says the same to the second generation, in two headers']],
  },
  {
    says: 'one element for each enabled network',
    tests: [
      ['contract/requests.test.ts', 'a price has one element for each network, the same ones for both generations'],
    ],
  },
  {
    says: 'the description names no receivers and stays short, whatever is paid for',
    tests: [['contract/challenge.test.ts', 'for 100 receivers is as short as for one, and names none of them']],
  },
  {
    says: 'any origin, no credentials; what clients send is allowed, what carries a meaning is exposed',
    tests: [
      ['contract/challenge.test.ts', 'may ask %s, without credentials'],
      ['contract/challenge.test.ts', 'may read %s and the headers that carry a meaning'],
    ],
  },
  {
    says: 'a proof is looked for in three headers, in that order',
    tests: [
      ['contract/challenge.test.ts', 'in %s counts before one in %s'],
    ],
  },
  {
    says: 'the payload’s own version decides how it is read',
    tests: [
      [
        'contract/challenge.test.ts',
        'is read by its own version, though %s is not where generation %i puts it',
      ],
      ['networks/cases/paying.ts', 'may bring its proof in any of the three headers, of either generation'],
    ],
  },
  {
    says: 'a network goes by each of its names',
    tests: [
      ['contract/challenge.test.ts', 'of generation %i may call the network %s, and is answered with the name of its generation'],
      ['contract/requests.test.ts', 'the network %s is known: %s'],
    ],
  },
  {
    says: 'the unmodified published client pays in both generations',
    tests: [
      ['networks/cases/paying.ts', 'of the unmodified client of generation %i is exact on the chain'],
    ],
  },
  {
    says: 'smart wallets (ERC-1271) pay too; undeployed ones (ERC-6492) are refused by name',
    tests: [
      ['flow/payments/pay.test.ts', 'of a contract wallet (ERC-1271) settles too'],
      ['contract/bad-input/proofs.test.ts', 'the signature of a wallet that is not deployed'],
    ],
  },
  {
    says: 'our own addresses can never pay',
    tests: [
      ['contract/bad-input/proofs.test.ts', 'our own treasury as payer'],
      ['contract/bad-input/proofs.test.ts', 'our own lane as payer'],
    ],
  },
  {
    says: 'a proof that is valid for more than five minutes is refused',
    tests: [['contract/bad-input/proofs.test.ts', 'valid for an hour']],
  },
  {
    says: 'a payer has at most 20 unsettled proofs',
    tests: [
      [
        'networks/cases/refusals.ts',
        'is refused as the 21st that is not settled; another payer is not meant, and afterwards it is welcome',
      ],
    ],
  },
  {
    says: 'a refused proof is 402 in the same shape, with the standard’s reason in body and header',
    tests: [
      ['contract/bad-input/proofs.test.ts', '$path: a proof that is refused'],
      ['contract/bad-input/proofs.test.ts', 'less than the price'],
      ['contract/bad-input/proofs.test.ts', 'another payee'],
      ['contract/bad-input/proofs.test.ts', 'another asset'],
      ['contract/bad-input/proofs.test.ts', 'expired'],
      ['contract/bad-input/proofs.test.ts', 'not valid yet'],
      ['contract/bad-input/proofs.test.ts', 'signed by another key'],
    ],
  },
];
