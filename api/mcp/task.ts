import { AppError } from '../../core/errors.ts';
import type { RandomBytes } from '../../core/ids.ts';
import { boundNonce, isBoundNonce } from '../../core/request-hash.ts';

/**
 * Names one call that is to be paid for: random bytes, then a digest of them with the hash of the request. So nothing
 * needs to be remembered to see that it came with the same arguments, and whoever pays for it first is the only one.
 */
export function newTaskId(requestHash: string, random: RandomBytes): string {
  return boundNonce(requestHash, Buffer.from(random(16)).toString('hex'));
}

/** Null when none was given. Throws AppError (400) for one that was made for another call. */
export function readTaskId(value: unknown, requestHash: string): string | null {
  if (value === undefined || value === null) return null;
  // In one spelling only: two spellings would be two orders, and each could be paid.
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) && isBoundNonce(value, requestHash)) return value;
  const detail = 'This taskId is not of this tool with these arguments: repeat exactly the call that it was made for.';
  throw new AppError('validation_failed', { field: '_meta.taskId', detail });
}
