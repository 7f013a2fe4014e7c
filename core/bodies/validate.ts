import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { AppError } from '../errors.ts';
import type { MicroUsdc } from '../money.ts';
import { findHttpPlatform, httpPlatforms, type Platform } from '../platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../platforms/recipient.ts';
import { amountField, parseBody } from './fields.ts';

/** How a payment is looked up: by query or JSON (also a `GET` with a body). Several keys narrow the search. */
export const validateQuery = z.object({
  txn_id: z
    .union([z.int().positive(), z.string().regex(/^[1-9][0-9]{0,15}$/)])
    .optional()
    .meta({ description: 'transaction identifier from an answer' }),
  settlement_attempt_id: z
    .string()
    .regex(/^attempt_[0-9]{1,16}_[0-9a-z]{1,64}$/)
    .optional(),
  transaction_hash: z
    .string()
    .regex(/^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
    .optional()
    .meta({ description: 'hash (Base) or signature (Solana) of the on-chain payment' }),
  amount: amountField.optional(),
  receiver: z.string().min(1).max(512).optional(),
  platform: z.string().max(40).optional(),
});

const WANTED = {
  txn_id: 'a positive whole number of at most 16 digits',
  settlement_attempt_id: 'an id as answers carry it, such as attempt_1767225600000_k3v9x',
  transaction_hash: 'a hash (0x and 64 hexadecimal digits) or a Solana signature in base58',
  receiver: 'a text of 1 to 512 characters',
  platform: 'a text of at most 40 characters',
} as const;

export type PaymentQuery = {
  txnId: number | null;
  attemptId: string | null;
  transactionHash: string | null;
  amount: MicroUsdc | null;
  /** The receiver as each platform it may belong to reads it; null when none was given. */
  recipients: Recipient[] | null;
};

/**
 * Reads the query. Throws AppError (400) for a key that cannot be right; an empty query has all keys null. `isBot`: our
 * bot asks, which is offered more platforms.
 */
export function parseValidateQuery(body: unknown, isBot: boolean): PaymentQuery {
  const data = parseBody(validateQuery, body, WANTED);
  return {
    txnId: data.txn_id === undefined ? null : Number(data.txn_id),
    attemptId: data.settlement_attempt_id ?? null,
    transactionHash: data.transaction_hash === undefined ? null : canonicalTransaction(data.transaction_hash),
    amount: data.amount === undefined ? null : parsePaymentAmount(data.amount, 'amount'),
    recipients: data.receiver === undefined ? null : readRecipients(data.receiver, data.platform, isBot),
  };
}

/** Hex has two spellings, base58 has one. */
function canonicalTransaction(text: string): string {
  return text.startsWith('0x') ? text.toLowerCase() : text;
}

function readRecipients(receiver: string, platformText: string | undefined, isBot: boolean): Recipient[] {
  if (platformText !== undefined) return [parseRecipient(platformNamed(platformText, isBot), receiver)];
  const readings = httpPlatforms(isBot).map((platform) => tryParse(platform, receiver));
  const found = readings.filter((recipient) => recipient !== null);
  if (found.length > 0) return found;
  throw new AppError('invalid_receiver', { field: 'receiver', detail: 'No platform has names of this form.' });
}

function platformNamed(text: string, isBot: boolean): Platform {
  const platform = findHttpPlatform(text, isBot);
  if (platform === null) throw new AppError('platform_unavailable', { field: 'platform' });
  return platform;
}

function tryParse(platform: Platform, receiver: string): Recipient | null {
  try {
    return parseRecipient(platform, receiver);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
