import { z } from 'zod';
import { parsePaymentAmount } from '../amounts.ts';
import { AppError } from '../errors.ts';
import type { MicroUsdc } from '../money.ts';
import { findPlatform, PLATFORM_NAMES, PLATFORMS, type Platform } from '../platforms.ts';
import { parseRecipient, type Recipient } from '../recipients/recipient.ts';
import { amountField, parseBody } from './fields.ts';

/** How a payment can be asked for: in the query, or as JSON (`GET` with a body included). Several keys narrow down. */
export const validateQuery = z.object({
  txn_id: z
    .union([z.int().positive(), z.string().regex(/^[1-9][0-9]{0,15}$/)])
    .optional()
    .meta({ description: 'transaction identifier from an answer' }),
  settlement_attempt_id: z.string().max(100).optional(),
  transaction_hash: z
    .string()
    .regex(/^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
    .optional()
    .meta({ description: 'hash (Base) or signature (Solana) of the on-chain payment' }),
  amount: amountField.optional(),
  receiver: z.string().min(1).max(512).optional(),
  platform: z.string().max(40).optional(),
});

export type PaymentQuery = {
  txnId: number | null;
  attemptId: string | null;
  transactionHash: string | null;
  amount: MicroUsdc | null;
  /** The receiver as each platform it may belong to reads it; null when none was given. */
  recipients: Recipient[] | null;
};

/** Reads the question. Throws AppError (400) for a key that cannot be right; an empty one has all null. */
export function parseValidateQuery(body: unknown): PaymentQuery {
  const data = parseBody(validateQuery, body);
  return {
    txnId: data.txn_id === undefined ? null : Number(data.txn_id),
    attemptId: data.settlement_attempt_id ?? null,
    transactionHash: data.transaction_hash === undefined ? null : canonicalTransaction(data.transaction_hash),
    amount: data.amount === undefined ? null : parsePaymentAmount(data.amount, 'amount'),
    recipients: data.receiver === undefined ? null : readRecipients(data.receiver, data.platform),
  };
}

/** Hex has two spellings, base58 has one. */
function canonicalTransaction(text: string): string {
  return text.startsWith('0x') ? text.toLowerCase() : text;
}

function readRecipients(receiver: string, platformText: string | undefined): Recipient[] {
  if (platformText !== undefined) return [parseRecipient(platformNamed(platformText), receiver)];
  const readings = PLATFORM_NAMES.filter((platform) => PLATFORMS[platform].http === 'public').map((platform) =>
    tryParse(platform, receiver),
  );
  const found = readings.filter((recipient) => recipient !== null);
  if (found.length > 0) return found;
  throw new AppError('invalid_receiver', { field: 'receiver', detail: 'No platform has names of this form.' });
}

function platformNamed(text: string): Platform {
  const platform = findPlatform(text);
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
