import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { AppError } from '../errors.ts';
import type { Platform } from '../platforms/platforms.ts';
import { parseRecipient } from '../platforms/recipient.ts';
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
import type { Purchase } from './order.ts';

/** The single-payment body. Unknown keys are ignored. */
export const singlePaymentBody = z.object({
  receiver: receiverField.optional(),
  receiver_username: receiverField.optional().meta({ description: 'another name of receiver', deprecated: true }),
  amount: amountField,
  currency: currencyField,
  description: descriptionField,
  meta: metaField,
  transaction_hash: referenceField,
});

/** Reads a single-payment body. Throws AppError (400) with the field, what came and what was wanted. */
export function parseSinglePayment(platform: Platform, body: unknown): Purchase {
  const data = parseBody(singlePaymentBody, body);
  const receiver = data.receiver ?? data.receiver_username;
  if (receiver === undefined) {
    throw new AppError('validation_failed', { field: 'receiver', detail: 'Name who gets the money in "receiver".' });
  }
  checkCurrency(data.currency);
  const amount = parsePaymentAmount(data.amount, 'amount');
  return {
    lines: [{ recipient: parseRecipient(platform, receiver), receiver, amount, field: 'receiver', note: null }],
    description: data.description ?? null,
    meta: data.meta ?? null,
    payerReference: data.transaction_hash ?? null,
  };
}
