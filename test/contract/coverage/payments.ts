import type { CoverageRow } from './row.ts';

/** Section 4: what a payment is answered with, asked about, taken back and shown. */
export const PAYMENT_ROWS: readonly CoverageRow[] = [
  {
    says: 'the shape of a single 200, its message and the address where it is collected',
    tests: [
      ['contract/answers.test.ts', 'says what was sent, who collects it where, and until when'],
      ['api/openapi/answers.test.ts', 'a payment, and the same one again'],
    ],
  },
  {
    says: 'a batch is answered in the order of the request; repeated receivers are a line each',
    tests: [
      ['flow/payments/batch.test.ts', 'is priced as a whole and answered with a line per receiver in the order of the request'],
    ],
  },
  {
    says: 'one refused line refuses the batch, named by its index',
    tests: [
      ['flow/payments/batch.test.ts', 'a batch is refused as a whole, naming the line'],
      ['contract/bad-input/batch-pay.test.ts', 'one amount of three that is %s refuses all of them'],
      ['contract/bad-input/batch-pay.test.ts', 'one receiver that is %s (%s) refuses all of them'],
    ],
  },
  {
    says: '1 to 100 receivers',
    tests: [
      ['contract/bad-input/batch-pay.test.ts', 'control: 100 receivers without a mistake are offered one price'],
      ['contract/bad-input/batch-pay.test.ts', '101 long'],
      ['contract/bad-input/batch-pay.test.ts', 'a list of receivers that is %s'],
    ],
  },
  {
    says: 'one payment in; a failing payout never stops the others',
    tests: [
      ['networks/cases/payouts.ts', 'with one recipient whom the issuer bars pays 19 and holds 1'],
    ],
  },
  {
    says: 'the batch across platforms',
    tests: [
      ['flow/payments/batch.test.ts', 'goes across platforms, aliases included'],
      ['contract/bad-input/batch-pay.test.ts', 'batch-pay across platforms with a platform that is refused'],
    ],
  },
  {
    says: 'txn_id is a safe integer that cannot be guessed; attempts and receipts have their forms',
    tests: [
      ['contract/answers.test.ts', 'of 100 has an id and a receipt per line that cannot be guessed from another'],
      ['contract/answers.test.ts', 'says what was sent, who collects it where, and until when'],
    ],
  },
  {
    says: 'status: queued, then paid; the stored answer stays',
    tests: [
      ['contract/answers.test.ts', 'is queued, and paid soon; its stored answer stays what it was'],
      ['networks/cases/payouts.ts', 'waits for a wallet, then is exact on the chain, told as paid, and final later'],
    ],
  },
  {
    says: 'status: refunded, held',
    tests: [
      ['networks/cases/refunds.ts', 'is back with its payer to the micro-USDC when its time is over, the fee included'],
      ['networks/cases/payouts.ts', 'with one recipient whom the issuer bars pays 19 and holds 1'],
    ],
  },
  {
    says: 'unclaimed for 30 days: back to the authorization’s from, fee included',
    tests: [
      ['networks/cases/refunds.ts', 'is back with its payer to the micro-USDC when its time is over, the fee included'],
    ],
  },
  {
    says: 'small refunds wait for more of the same payer',
    tests: [
      [
        'flow/payments/refund.test.ts',
        'below the minimum waits until more of the same payer is owed, and then comes back in one transfer',
      ],
    ],
  },
  {
    says: 'declined: back at once',
    tests: [['db/claims/decline.test.ts', 'goes back with its fee, once, however often it is declined']],
  },
  {
    says: 'a payer known only by a transfer gets it at the address given with the task, else it is held',
    tests: [['db/tasks/pay.test.ts', 'goes to the address of its network that came with the task, out of the treasury']],
  },
  {
    says: 'cancelling, signed by from: at once, while unclaimed',
    tests: [
      ['networks/cases/refunds.ts', 'is back at once when its payer signs for it, and a wallet that is linked later gets nothing'],
      ['networks/cases/refunds.ts', 'is not taken back from a recipient who has it'],
    ],
  },
  {
    says: 'cancelling for a smart wallet pays the wallet, not the key that signed',
    tests: [
      [
        'flow/payments/refund.test.ts',
        'by a contract wallet (ERC-1271) sends the money to the contract, not to the key that signed',
      ],
    ],
  },
  {
    says: 'nobody else cancels, and no signature lasts',
    tests: [
      ['networks/cases/refunds.ts', 'stays where it is when another key signs'],
      ['contract/bad-input/cancel.test.ts', 'more than ten minutes ahead'],
    ],
  },
  {
    says: 'no cancelling once a proof of the recipient has begun',
    tests: [
      ['db/claims/decline.test.ts', 'its payer cannot take back, but can while nothing is proven and when the claim is over'],
    ],
  },
  {
    says: 'validate finds by every name of a payment, in the query or a JSON body',
    tests: [
      ['flow/payments/validate.test.ts', 'by %s, with a receipt that shows neither note nor sender'],
      ['flow/payments/validate.test.ts', 'with a JSON body on GET'],
      ['contract/bad-input/validate.test.ts', 'control: a body in chunks is read like one with a length'],
    ],
  },
  {
    says: 'several: the newest for amount and receiver, else 400 ambiguous; none: 400 payment_not_found',
    tests: [
      ['flow/payments/validate.test.ts', 'by amount and receiver the newest counts; a hash of two payments is ambiguous'],
      ['contract/bad-input/validate.test.ts', 'validate: a payment that is not known'],
    ],
  },
  {
    says: 'still settling: 500 settlement_pending, because 200 is read as paid',
    tests: [
      [
        'contract/retries.test.ts',
        'is asked for by its attempt: 500 until it is settled, because 200 is read as paid',
      ],
    ],
  },
  {
    says: 'a proof that was never presented: 402 without anything to accept',
    tests: [['contract/bad-input/proofs.test.ts', 'validate: a proof that was never presented']],
  },
  {
    says: 'what is public finds no note, no sender, no e-mail address; nothing ever shows payer or wallet',
    tests: [
      ['flow/payments/validate.test.ts', 'by e-mail, but it is by txn_id, and its address is not shown'],
      ['flow/payments/validate.test.ts', 'by txn_id, without payer and wallet'],
    ],
  },
  {
    says: 'a receipt is a page, JSON or a stream, with a picture',
    tests: [
      ['api/receipts/pages/receipt-route.test.ts', 'which form a receipt has'],
      ['api/receipts/pages/receipt-route.test.ts', 'sends the JSON form at each change and ends at final'],
      ['api/pages/preview-route.test.ts', 'is a PNG of 1200 by 630 that is asked for again each time'],
    ],
  },
  {
    says: 'a receipt links the inbound transaction and tells nothing of the payout',
    tests: [
      ['api/receipts/pages/receipt-route.test.ts', 'no form names the payout, a wallet, or the payer'],
      ['api/receipts/pages/receipt-route.test.ts', 'elsewhere the page names its operator, help and terms, and links the inbound transaction'],
    ],
  },
  {
    says: 'an e-mail address is masked; notes have 140 characters and no links',
    tests: [
      ['api/receipts/pages/receipt-route.test.ts', 'an e-mail address is masked in every form'],
      ['api/receipts/view.test.ts', 'a note has at most 140 characters'],
      ['api/receipts/pages/receipt-route.test.ts', 'markup in a note is text'],
    ],
  },
];
