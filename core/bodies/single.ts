import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { AppError } from '../errors.ts';
import type { MicroUsdc } from '../money.ts';
import {
  amountField,
  checkCurrency,
  currencyField,
  descriptionField,
  metaField,
  parseBody,
  receiverField,
  referenceField,
} from './fields.ts';

/** The single-payment body (interface 2.1, contract 2). Unknown keys are ignored. */
export const singlePaymentBody = z.object({
  receiver: receiverField.optional(),
  receiver_username: receiverField.optional().meta({ description: 'another name of receiver', deprecated: true }),
  amount: amountField,
  currency: currencyField,
  description: descriptionField,
  meta: metaField,
  transaction_hash: referenceField,
});

export type SinglePayment = {
  receiver: string;
  amount: MicroUsdc;
  description: string | null;
  meta: Record<string, unknown> | null;
  /** The payer's own reference: stored, never proof of anything. */
  payerReference: string | null;
};

/** Reads a single-payment body. Throws AppError (400) naming the field, what came and what was wanted. */
export function parseSinglePayment(body: unknown): SinglePayment {
  const data = parseBody(singlePaymentBody, body);
  const receiver = data.receiver ?? data.receiver_username;
  if (receiver === undefined) {
    throw new AppError('validation_failed', { field: 'receiver', detail: 'Name who gets the money in "receiver".' });
  }
  checkCurrency(data.currency);
  return {
    receiver,
    amount: parsePaymentAmount(data.amount, 'amount'),
    description: data.description ?? null,
    meta: data.meta ?? null,
    payerReference: data.transaction_hash ?? null,
  };
}
