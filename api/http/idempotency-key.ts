import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiEnv } from './env.ts';

/** 16 to 128 visible ASCII characters. */
export function idempotencyKeyOf(c: Context<ApiEnv>): string | null {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{16,128}$/.test(key)) throw new AppError('invalid_idempotency_key', { field: 'Idempotency-Key' });
  return key;
}
