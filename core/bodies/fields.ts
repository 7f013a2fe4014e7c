import { z } from 'zod';
import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';

/** Fields that request bodies share. Each schema validates, and its metadata documents it (OpenAPI, tools). */
const TEXT_MAX = 2_000;

/** Checked by `parsePaymentAmount`, whose errors say more than a schema's; the metadata is for programs. */
export const amountField = z.unknown().meta({
  description: 'USDC, 0.01 to 10, at most 6 decimals; a number or decimal text',
  oneOf: [
    { type: 'number', minimum: 0.01, maximum: 10 },
    { type: 'string', pattern: '^(0|[1-9][0-9]?)(\\.[0-9]{1,6})?$' },
  ],
});

export const receiverField = z
  .string()
  .min(1)
  .meta({ description: 'handle, e-mail address or domain, as the platform has it' });

export const currencyField = z
  .unknown()
  .optional()
  .meta({ description: 'the only currency', enum: ['USDC'], default: 'USDC' });

/** PostgreSQL cannot store U+0000 in text. */
const text = z
  .string()
  .max(TEXT_MAX)
  .refine((value) => !value.includes('\u0000'));

export const descriptionField = text.nullish().meta({ description: 'what the payment is for' });

export const metaField = z
  .record(z.string(), z.unknown())
  .nullish()
  .meta({ description: 'optional metadata; agent_name is shown on the receipt as a claim' });

export const referenceField = text
  .nullish()
  .meta({ description: "the payer's own reference: stored, never proof of anything" });

/** What each field accepts, for error texts. */
const WANTED: Readonly<Record<string, string>> = {
  amount: '0.01 to 10 USDC, as a number or decimal text',
  receiver: 'a text of at least one character',
  receiver_username: 'a text of at least one character',
  username: 'a text of at least one character',
  platform: 'a text of at least one character',
  receivers: 'a list of 1 to 100 receivers',
  payments: 'a list of 1 to 100 payments',
  description: `a text of at most ${TEXT_MAX} characters without U+0000, or null`,
  meta: 'an object, or null',
  transaction_hash: `a text of at most ${TEXT_MAX} characters, or null`,
};

/**
 * Parses a body, or throws AppError (400) for its first fault: the field, what came and what was wanted. `wanted` adds
 * the texts of fields that only this body has, or that mean something else in it.
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown, wanted: Readonly<Record<string, string>> = {}): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation_failed', {
      detail: `The body must be a JSON object, found ${describeValue(body)}.`,
    });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const field = formatPath(path);
  const text = wantedAt(path, { ...WANTED, ...wanted });
  const found = describeValue(path.reduce(readStep, body));
  throw new AppError('validation_failed', { field, detail: `"${field}" must be ${text}, found ${found}.` });
}

function wantedAt(path: readonly PropertyKey[], texts: Readonly<Record<string, string>>): string {
  const last = path.at(-1);
  if (typeof last === 'number') return 'an object that names receiver and amount';
  return texts[String(last)] ?? 'an object in the documented form';
}

export function checkCurrency(currency: unknown): void {
  if (currency === undefined || currency === 'USDC') return;
  const detail = `The only currency is "USDC", found ${describeValue(currency)}.`;
  throw new AppError('invalid_currency', { field: 'currency', detail });
}

/** `receivers[3].amount` */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

function readStep(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined;
}

/** What came, shortened. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text ${quoteText(value)}`;
  return `${typeof value} ${JSON.stringify(value) ?? ''}`;
}
