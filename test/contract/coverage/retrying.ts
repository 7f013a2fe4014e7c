import type { CoverageRow } from './row.ts';

/** Section 3, second half: what the same request means, and what becomes of a proof. */
export const RETRYING_ROWS: readonly CoverageRow[] = [
  {
    says: 'the same request: operation, path, canonical platform and canonical JSON of the body',
    tests: [
      ['contract/same-request.test.ts', 'with its keys in another order'],
      ['contract/same-request.test.ts', 'with a number in another spelling'],
      ['contract/same-request.test.ts', 'for the amount as text'],
      ['contract/same-request.test.ts', 'by another operation with the very same body'],
    ],
  },
  {
    says: 'tools and skills are operations of their own',
    tests: [['flow/mcp.test.ts', 'pays for nothing else: other arguments, another tool, another interface']],
  },
  {
    says: 'same proof, same request: the stored 200 for ever, and a wait while the first is in flight',
    tests: [
      ['networks/cases/repetitions.ts', 'ten times at once is one charge and one txn_id, and the same answer for ever'],
    ],
  },
  {
    says: 'same proof, other request: 400 payment_already_used',
    tests: [
      ['contract/bad-input/proofs.test.ts', 'used elsewhere answers 400, not 402: nobody must sign again'],
      ['networks/cases/repetitions.ts', 'for five bodies at once pays for exactly one of them'],
    ],
  },
  {
    says: 'outcome not known: 500 settlement_pending with Retry-After and the attempt, later the result',
    tests: [
      ['contract/retries.test.ts', 'answers 500 with the attempt, in Retry-After seconds, under the same name for a new proof'],
      ['networks/cases/lost.ts', 'answers 500 settlement_pending, never 402, and later its 200'],
    ],
  },
  {
    says: 'never a 402 once a settlement may have been broadcast',
    tests: [
      ['attack/defects.test.ts', 'never makes a 402 of a payment that has landed'],
    ],
  },
  {
    says: 'proven never to land, by time or because it was cancelled: 402 with fresh requirements',
    tests: [
      [
        'networks/cases/lost.ts',
        'answers 402 payment_expired from then on, charges nothing and frees its idempotency key',
      ],
      ['flow/payments/engine.test.ts', 'refuses, with proof, an authorization that its payer canceled meanwhile'],
    ],
  },
  {
    says: 'a new proof of the same payer after a missed answer is an alias: never settled, answered like the first',
    tests: [
      ['flow/payments/engine.test.ts', 'a caller who hung up and comes back with a new proof is not charged twice; the next one is a new payment'],
      ['networks/cases/lost.ts', 'is joined by retries with new proofs: one charge and one txn_id'],
    ],
  },
  {
    says: 'an alias is refused when the first is',
    tests: [['contract/retries.test.ts', 'refuses the proof that joined it too, for good']],
  },
  {
    says: 'two callers who are both answered are two payments',
    tests: [['flow/payments/pay.test.ts', 'made twice with two proofs, both answered, is two payments']],
  },
  {
    says: 'requests with different idempotency keys never join',
    tests: [['contract/retries.test.ts', 'under another idempotency key is another payment, missed or not']],
  },
  {
    says: 'two payers for one order or task: the second is 400 order_in_progress',
    tests: [
      ['flow/mcp.test.ts', 'is paid by one payer, however many come'],
      ['flow/a2a.test.ts', 'of two payers for one task the second pays nothing'],
      ['flow/rewards/rewards.test.ts', 'once: of payers at the same moment one pays'],
      ['db/rewards/suite.ts', 'after a refused and after a dead payment it is free again'],
    ],
  },
  {
    says: 'an idempotency key is the payer’s: same request the stored answer, other request 400',
    tests: [
      ['networks/cases/repetitions.ts', 'makes two proofs one payment'],
      ['networks/cases/repetitions.ts', 'of another request answers 400 idempotency_key_reused and charges nothing'],
      ['networks/cases/repetitions.ts', 'is its payer’s own, and two keys make two payments of one request'],
    ],
  },
  {
    says: 'the x402 extension payment-identifier means the same',
    tests: [
      ['flow/payments/pay.test.ts', 'under one payment-identifier is one payment; one that contradicts the header is refused'],
    ],
  },
  {
    says: 'a key has 16 to 128 characters',
    tests: [
      ['contract/bad-input/pay.test.ts', '15 characters'],
      ['contract/bad-input/pay.test.ts', '129 characters'],
    ],
  },
  {
    says: 'a key whose payment is dead or refused is free again',
    tests: [
      [
        'networks/cases/lost.ts',
        'answers 402 payment_expired from then on, charges nothing and frees its idempotency key',
      ],
      ['contract/retries.test.ts', 'frees its idempotency key: another request may have it'],
    ],
  },
  {
    says: 'success carries the settlement in both headers',
    tests: [['contract/answers.test.ts', 'names the transfer on the chain and its payer, in both headers']],
  },
  {
    says: 'while signing is stopped: 500 service_paused in place of any 402',
    tests: [
      [
        'contract/order.test.ts',
        'every request that would be answered 402 is answered 500, so that nobody signs: %s',
      ],
      ['flow/payments/engine.test.ts', 'an outflow that no payout explains stops signing, and routes answer service_paused'],
    ],
  },
];
