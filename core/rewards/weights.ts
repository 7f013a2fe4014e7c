import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import { microUsdc, parseDecimalUsdc, parseNumberUsdc, toJsonAmount } from '../money.ts';
import { ENGAGEMENT_KINDS, type EngagementKind } from './engagement.ts';

/** The weight of each kind in millionths: weights have up to six decimals, like amounts. */
export type Weights = Readonly<Record<EngagementKind, bigint>>;

/** Contract, section 5. */
export const DEFAULT_WEIGHTS: Weights = { like: 1_000_000n, comment: 2_000_000n, repost: 3_000_000n };

const WEIGHT_MAX = 100_000_000n;
const WANTED = '0 to 100 with at most 6 decimals';

/**
 * Reads weights from a body; absent or null means the contract's defaults. All three must be named, because a missing
 * one could mean 0 or the default. Throws AppError `validation_failed`.
 */
export function parseWeights(value: unknown, field = 'weights'): Weights {
  if (value === undefined || value === null) return DEFAULT_WEIGHTS;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('validation_failed', { field, detail: `"${field}" must be {like, comment, repost}.` });
  }
  const given = new Map<string, unknown>(Object.entries(value));
  const read = (kind: EngagementKind) => readWeight(given.get(kind), `${field}.${kind}`);
  const weights = { like: read('like'), comment: read('comment'), repost: read('repost') };
  if (ENGAGEMENT_KINDS.every((kind) => weights[kind] === 0n)) {
    throw new AppError('validation_failed', { field, detail: `One of "${field}" must be above 0.` });
  }
  return weights;
}

/** JSON numbers, for answers and cards. */
export function formatWeights(weights: Weights): Record<EngagementKind, number> {
  const format = (kind: EngagementKind) => toJsonAmount(microUsdc(weights[kind]));
  return { like: format('like'), comment: format('comment'), repost: format('repost') };
}

/** Millionths are read like micro-USDC: exactly, or refused. */
function readWeight(value: unknown, field: string): bigint {
  const weight =
    typeof value === 'number' ? parseNumberUsdc(value) : typeof value === 'string' ? parseDecimalUsdc(value) : null;
  if (weight !== null && weight <= WEIGHT_MAX) return weight;
  const found = typeof value === 'string' ? quoteText(value) : value === undefined ? 'nothing' : describe(value);
  throw new AppError('validation_failed', { field, detail: `"${field}" must be ${WANTED}, found ${found}.` });
}

function describe(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : 'something else';
}
