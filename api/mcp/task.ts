import { AppError } from '../../core/errors.ts';
import type { RandomBytes } from '../../core/ids.ts';
import { boundNonce, isBoundNonce } from '../../core/request-hash.ts';

/**
 * Names one call that must be paid: random bytes, then a digest of them with the hash of the request. So the arguments
 * can be checked without storing anything, and the first payment takes the task.
 */
export function newTaskId(requestHash: string, random: RandomBytes): string {
  return boundNonce(requestHash, Buffer.from(random(16)).toString('hex'));
}

/** Null when none was given. Throws AppError (400) for the id of another call. */
export function readTaskId(value: unknown, requestHash: string): string | null {
  if (value === undefined || value === null) return null;
  // In one spelling only: two spellings would be two purchases, and each could be paid.
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) && isBoundNonce(value, requestHash)) return value;
  const detail = 'This taskId is not of this tool with these arguments: repeat exactly the call that it was made for.';
  throw new AppError('validation_failed', { field: '_meta.taskId', detail });
}
