import { z } from 'zod';
import { fromHeader } from './x402.ts';

/** The parts of the x402 version 2 challenge that a client of ours reads. */
const challengeSchema = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).optional(),
  // Terms of other networks may look different.
  accepts: z
    .array(z.looseObject({ network: z.string() }))
    .min(1)
    .max(20),
});

/** The terms of one network. The payment repeats them as they came, unknown fields included. */
export const termsSchema = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  amount: z.string().regex(/^[1-9][0-9]{0,15}$/),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.int().positive(),
  extra: z.looseObject({ requestHash: z.string().regex(/^[0-9a-f]{64}$/) }),
});

export type Challenge = z.infer<typeof challengeSchema>;
export type AgreedTerms = z.infer<typeof termsSchema>;

/** Reads the `PAYMENT-REQUIRED` header; null without a header or without a challenge in it. */
export function readChallenge(header: string | null): Challenge | null {
  const parsed = challengeSchema.safeParse(fromHeader(header ?? ''));
  return parsed.success ? parsed.data : null;
}
