import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import { formatUsdc, microUsdc, parseDecimalUsdc, parseNumberUsdc, ZERO_USDC, type MicroUsdc } from '../money.ts';
import { findHttpPlatform } from '../platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../platforms/recipient.ts';
import { REWARD_PLATFORM } from '../rewards/engagement.ts';
import { parseWeights, type Weights } from '../rewards/weights.ts';
import { parseBody } from './fields.ts';

const RECIPIENTS_MAX = 100;
const EXCLUDED_MAX = 100;
/** Longer than any name or address of a post. */
const NAME_LENGTH_MAX = 300;
const CONTENT_LENGTH_MAX = 512;

const weight = { type: 'number', minimum: 0, maximum: 100 } as const;

export const createDistributionBody = z.object({
  budget: z.unknown().meta({
    description: 'USDC to share out, 0.01 to 1000, at most 6 decimals; a number or decimal text',
    oneOf: [
      { type: 'number', minimum: 0.01, maximum: 1000 },
      { type: 'string', pattern: '^(0|[1-9][0-9]{0,3})(\\.[0-9]{1,6})?$' },
    ],
  }),
  content_id: z
    .string()
    .min(1)
    .max(CONTENT_LENGTH_MAX)
    .meta({ description: 'the post: hash of the cast (0x and 40 hexadecimal digits) or its address' }),
  weights: z
    .unknown()
    .optional()
    .meta({
      description: 'what each kind counts, 0 to 100, one above 0; without it like 1, comment 2, repost 3',
      type: 'object',
      properties: { like: weight, comment: weight, repost: weight },
    }),
  max_recipients: z.int().min(1).max(RECIPIENTS_MAX).optional().meta({ description: 'how many are paid at most' }),
  exclude: z
    .array(z.string().min(1).max(NAME_LENGTH_MAX))
    .max(EXCLUDED_MAX)
    .optional()
    .meta({ description: 'who gets nothing: names, or numeric user ids' }),
  creator: z
    .string()
    .min(1)
    .max(NAME_LENGTH_MAX)
    .optional()
    .meta({ description: 'who creates it, as platform:handle; gets nothing of it' }),
});

export const confirmDistributionBody = z.object({
  order_id: z
    .string()
    .regex(/^dist_[A-Za-z0-9_-]{22}$/)
    .meta({ description: 'id from the answer that created it' }),
});

const WANTED = {
  budget: '0.01 to 1000 USDC, as a number or decimal text',
  content_id: `a text of 1 to ${CONTENT_LENGTH_MAX} characters`,
  max_recipients: `a whole number from 1 to ${RECIPIENTS_MAX}`,
  exclude: `a list of at most ${EXCLUDED_MAX} names`,
  creator: 'a text such as "decsocial:alice"',
  order_id: 'the id of a distribution, such as dist_ and 22 characters',
} as const;

/** A person who gets nothing: by the platform's id, or by a name that is still to be looked up. */
export type Excluded = { userId: string } | { recipient: Recipient; field: string };

export type DistributionOrder = {
  budget: MicroUsdc;
  contentId: string;
  weights: Weights;
  recipientsMax: number;
  excluded: readonly Excluded[];
  /** Null: not named, or of another platform and so not among those who engaged. */
  creator: Recipient | null;
};

/** Reads the terms of a new distribution. Throws AppError (400). */
export function parseDistributionOrder(body: unknown, isBot: boolean): DistributionOrder {
  const data = parseBody(createDistributionBody, body, WANTED);
  return {
    budget: parseBudget(data.budget),
    contentId: data.content_id,
    weights: parseWeights(data.weights),
    recipientsMax: data.max_recipients ?? RECIPIENTS_MAX,
    excluded: (data.exclude ?? []).map((name, index) => toExcluded(name, `exclude[${index}]`)),
    creator: data.creator === undefined ? null : toCreator(data.creator, isBot),
  };
}

/** Reads the id of the distribution that is confirmed. Throws AppError (400). */
export function parseConfirmation(body: unknown): string {
  return parseBody(confirmDistributionBody, body, WANTED).order_id;
}

/**
 * Refuses, before a platform is asked, the budgets that no engagement could fit. Whether any other one works out
 * depends on the engagement.
 */
function parseBudget(value: unknown): MicroUsdc {
  const most = microUsdc(PAYMENT_AMOUNT_MAX * BigInt(RECIPIENTS_MAX));
  const range = `${formatUsdc(PAYMENT_AMOUNT_MIN)} to ${formatUsdc(most)} USDC`;
  const budget = readBudget(value);
  if (budget === null || budget === ZERO_USDC) {
    const detail = `"budget" must be ${range} with at most 6 decimals, as a number or decimal text.`;
    throw new AppError('invalid_amount', { field: 'budget', detail });
  }
  if (budget < PAYMENT_AMOUNT_MIN || budget > most) {
    const detail = `A budget is ${range}, found ${formatUsdc(budget)}.`;
    throw new AppError(budget > most ? 'budget_too_large' : 'budget_too_small', { field: 'budget', detail });
  }
  return budget;
}

function readBudget(value: unknown): MicroUsdc | null {
  if (typeof value === 'number') return parseNumberUsdc(value);
  return typeof value === 'string' ? parseDecimalUsdc(value) : null;
}

/** Digits are an id; a name of digits only is written with an @. */
function toExcluded(name: string, field: string): Excluded {
  const userId = /^[1-9][0-9]{0,15}$/.exec(name.trim())?.[0];
  return userId === undefined ? { recipient: parseRecipient(REWARD_PLATFORM, name, field), field } : { userId };
}

function toCreator(text: string, isBot: boolean): Recipient | null {
  const colon = text.indexOf(':');
  const platform = colon < 0 ? null : findHttpPlatform(text.slice(0, colon), isBot);
  if (platform === null) {
    const detail = `"creator" must be ${WANTED.creator}, found ${quoteText(text)}.`;
    throw new AppError('validation_failed', { field: 'creator', detail });
  }
  const recipient = parseRecipient(platform, text.slice(colon + 1), 'creator');
  return platform === REWARD_PLATFORM ? recipient : null;
}
