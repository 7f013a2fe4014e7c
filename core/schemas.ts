import { z } from 'zod';
import { parsePaymentAmount } from './amounts.ts';
import { AppError } from './errors.ts';
import type { MicroUsdc } from './money.ts';

/** What the single-payment body may say (interface 2.1, contract 2). Unknown keys are ignored. */
const TEXT_MAX = 2_000;

const singlePaymentBody = z.object({
  receiver: z.string().min(1).optional(),
  /** Accepted as another name of `receiver`. */
  receiver_username: z.string().min(1).optional(),
  amount: z.unknown(),
  currency: z.unknown().optional(),
  description: z.string().max(TEXT_MAX).nullish(),
  meta: z.record(z.string(), z.unknown()).nullish(),
  transaction_hash: z.string().max(TEXT_MAX).nullish(),
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation_failed', { detail: `The body must be a JSON object, found ${describe(body)}.` });
  }
  const parsed = singlePaymentBody.safeParse(body);
  if (!parsed.success) throw toAppError(parsed.error, body);
  const { data } = parsed;
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

function checkCurrency(currency: unknown): void {
  if (currency === undefined || currency === 'USDC') return;
  throw new AppError('invalid_currency', { field: 'currency', detail: `The only currency is "USDC", found ${describe(currency)}.` });
}

function toAppError(error: z.ZodError, body: object): AppError {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join('.') ?? '';
  const found = describe((body as Record<string, unknown>)[field]);
  const wanted = WANTED[field] ?? 'the documented form';
  return new AppError('validation_failed', { field, detail: `"${field}" must be ${wanted}, found ${found}.` });
}

const WANTED: Record<string, string> = {
  receiver: 'a text of at least one character',
  receiver_username: 'a text of at least one character',
  description: `a text of at most ${TEXT_MAX} characters, or null`,
  meta: 'an object, or null',
  transaction_hash: `a text of at most ${TEXT_MAX} characters, or null`,
};

/** Says what came without repeating it at length. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text ${JSON.stringify(value.slice(0, 40))}`;
  return `${typeof value} ${JSON.stringify(value) ?? ''}`;
}
