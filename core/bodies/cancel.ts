import { z } from 'zod';
import { AppError } from '../errors.ts';
import { parseBody } from './fields.ts';

/** The longest validity of a cancellation: it takes effect now or never. */
const VALIDITY_MAX_SECONDS = 600;

export const cancelBody = z.object({
  signature: z
    .string()
    .regex(/^(?:0x(?:[0-9a-fA-F]{2}){1,6000}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
    .meta({
      description:
        'On Base EIP-712: domain pennypost 1 on the chain, Cancel(uint256 txnId, uint256 validBefore). On Solana, in base58, the payer’s signature of the text that the answer to a wrong one shows.',
    }),
  valid_before: z.int().positive().meta({ description: 'Unix seconds, at most ten minutes ahead' }),
});

const WANTED = {
  signature: 'the payer’s signature: hex with 0x on Base, base58 on Solana',
  valid_before: 'whole Unix seconds',
} as const;

export type CancelOrder = { signature: string; validBefore: number };

/** Reads a cancellation. Throws AppError (400) when it is malformed, has expired or lasts too long. */
export function parseCancel(body: unknown, nowSeconds: number): CancelOrder {
  const { signature, valid_before: validBefore } = parseBody(cancelBody, body, WANTED);
  const remaining = validBefore - nowSeconds;
  if (remaining <= 0 || remaining > VALIDITY_MAX_SECONDS) {
    const detail = `"valid_before" must be within the next ${VALIDITY_MAX_SECONDS} seconds, found ${validBefore}.`;
    throw new AppError('validation_failed', { field: 'valid_before', detail });
  }
  return { signature, validBefore };
}
