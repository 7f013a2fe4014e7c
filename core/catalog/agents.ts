import { batchToolArguments, parseBatchTool } from '../bodies/batch.ts';
import { singlePaymentBody } from '../bodies/single.ts';
import { validateQuery } from '../bodies/validate.ts';
import type { SkillForm, ToolForm } from './row.ts';

/**
 * How operations are described to agents. A model reads only these texts, so each names
 * the unit, the limits, what happens for a recipient without a wallet, and what must not be done after a failure.
 */
const LIMITS = '0.01 to 10 USDC, at most 6 decimals; amounts are refused, never rounded.';
const WAITS =
  'The receiver needs no wallet and no account here: money that nobody can be paid out at once waits for them (status pending_claim, with a claim_url to send to them) and comes back to the payer if it is not collected in time.';
const ONCE =
  'Without a payment the call answers with the price and nothing is charged. After a timeout or settlement_pending repeat the very same call with the very same payment: it is never charged twice. What was collected cannot be called back, so make sure of the receiver first.';

export const PAY_TOOL = {
  name: 'pay_{platform}',
  title: 'Pay someone on {title}',
  description: `Send USDC to one receiver on {title}. "receiver" is {receiver}. "amount" is in USDC: ${LIMITS} ${WAITS} ${ONCE}`,
  arguments: singlePaymentBody.omit({ receiver_username: true, transaction_hash: true }).required({ receiver: true }),
  paid: null,
} as const satisfies ToolForm;

export const BATCH_TOOL = {
  name: 'batch_pay',
  title: 'Pay up to 100 receivers at once',
  description: `Send USDC to 1 to 100 receivers with one payment, across platforms (x, decsocial, code, email, web). Each amount is in USDC: ${LIMITS} One line that is wrong refuses the whole batch and is named by its index. ${WAITS} ${ONCE}`,
  arguments: batchToolArguments,
  example: {
    payments: [
      { platform: 'email', receiver: 'someone@example.com', amount: 0.01 },
      { platform: 'web', receiver: 'example.com', amount: 0.02 },
    ],
  },
  paid: { kind: 'cross-batch-pay', read: (body, offer) => parseBatchTool(body, offer) },
} as const satisfies ToolForm;

export const VALIDATE_TOOL = {
  name: 'validate_payment',
  title: 'Ask what became of a payment',
  description:
    'Free. Finds a payment by txn_id, settlement_attempt_id, transaction_hash, or amount with receiver (and platform). A result means that it is settled; status says whether it was paid out (paid), waits to be collected (pending_claim), is on its way (queued), is held back (held) or went back to the payer (refunded).',
  arguments: validateQuery,
  paid: null,
} as const satisfies ToolForm;

export const PAY_SKILL = {
  name: 'pay.{platform}',
  title: 'Pay someone on {title}',
  description: `Send USDC to one receiver on {title}: "receiver" is {receiver}, "amount" is ${LIMITS} ${WAITS}`,
  tags: ['payments', 'usdc', 'x402'],
} as const satisfies SkillForm;

export const BATCH_SKILL = {
  name: 'batch-pay.{platform}',
  title: 'Pay up to 100 receivers on {title}',
  description: `Send USDC to 1 to 100 receivers on {title} with one payment: each "receiver" is {receiver}, each "amount" ${LIMITS} ${WAITS}`,
  tags: ['payments', 'usdc', 'x402', 'batch'],
} as const satisfies SkillForm;
