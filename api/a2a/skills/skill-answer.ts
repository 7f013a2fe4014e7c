import { z } from 'zod';
import { familyOf, type Family } from '../../../core/networks.ts';
import type { FoundTask } from '../../../db/tasks/find.ts';
import type { OfferRow, TaskRow } from '../../../db/tasks/open.ts';
import type { PaymentRow } from '../../../db/payments/records/find.ts';
import type { ApiNetwork } from '../../environment/dependencies.ts';
import { REQUIRED } from '../message.ts';
import type { TaskContext } from '../task-context.ts';
import type { Challenge } from '../../payments/terms.ts';
import { toPaymentRequired } from '../terms.ts';

/** The result of a skill-named call. */
export type SkillAnswer = { taskId: string; status: 'PAYMENT_REQUIRED' | 'PAYMENT_CONFIRMED' } & Record<
  string,
  unknown
>;

/**
 * What to transfer, on each network. `metadata` holds the same price to be signed instead, unless a transfer is on its
 * way. `error` says why the task is not paid yet.
 */
export function answerRequired(
  { dependencies, caller }: TaskContext,
  { task, offers }: Pick<FoundTask, 'task' | 'offers'>,
  challenge: Challenge | null,
  error: string | null = null,
): SkillAnswer {
  const payments = dependencies.networks.flatMap((network) => {
    const offer = offers.find((candidate) => candidate.network === network.terms.network);
    return offer === undefined ? [] : [toPayment(network, offer, task)];
  });
  const [first] = payments;
  if (first === undefined) throw new Error(`task ${task.id} can be paid on no network that is on`);
  const { extra, price, memo: _memo, ...payment } = first;
  return {
    taskId: task.id,
    status: 'PAYMENT_REQUIRED',
    payment,
    payments,
    price,
    extra,
    expiresAt: new Date(task.expiresAtMs).toISOString(),
    ...(challenge === null
      ? {}
      : { metadata: { [REQUIRED]: toPaymentRequired(dependencies, challenge, caller.isFirstGeneration) } }),
    ...(error === null ? {} : { error }),
  };
}

const HAVE_MEMOS = { evm: false, svm: true } as const satisfies Record<Family, boolean>;

/** Amounts in the smallest unit, as decimal text. */
function toPayment({ terms }: ApiNetwork, offer: OfferRow, task: TaskRow) {
  return {
    network: networkName(terms),
    amount: offer.amountMicroUsdc.toString(),
    token: terms.asset,
    recipient: offer.address,
    price: offer.priceMicroUsdc.toString(),
    // Whatever goes beyond the price makes the amount unique to this task; it goes to the first receiver.
    extra: (offer.amountMicroUsdc - offer.priceMicroUsdc).toString(),
    // With this memo the plain price pays as well.
    ...(HAVE_MEMOS[familyOf(terms.network)] ? { memo: task.memo } : {}),
  };
}

/** As the published interface writes it: `eip155:8453`, `solana:mainnet`. */
export function networkName({ caip2, aliases }: ApiNetwork['terms']): string {
  return aliases[0] ?? caip2;
}

const receipt = z.object({ receipt: z.string() });
/** The data of one payment, or of the lines of a batch. */
const answerData = z.object({ data: z.union([receipt, z.array(receipt).min(1)]) });

/** This answer hands over what the payment bought, whichever call gets it: another payment buys it again. */
export function answerConfirmed(
  { caller }: Pick<TaskContext, 'caller'>,
  taskId: string,
  payment: PaymentRow,
  answer: Record<string, unknown>,
): SkillAnswer {
  caller.handsOver(payment.id);
  const { data } = answerData.parse(answer);
  const first = Array.isArray(data) ? data[0] : data;
  return {
    taskId,
    status: 'PAYMENT_CONFIRMED',
    data: answer,
    metadata: { 'x402:transactionId': payment.landedTransaction, 'x402:receipt': first?.receipt },
  };
}
