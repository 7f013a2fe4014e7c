import { z } from 'zod';
import { NETWORKS } from '../../core/networks.ts';

const paidLine = z.object({
  txnId: z.int().positive(),
  amount: z.number(),
  receipt: z.string(),
  status: z.string(),
  claimUrl: z.string().nullable(),
  expiresAt: z.string().nullable(),
});

/**
 * The record of a signed payment. `signed`: its fate is not known. `refused`: the service did not take it, and could
 * still do so until its end. `paid`: it is paid, and its payer has not been told.
 */
export const recordSchema = z.object({
  version: z.literal(1),
  /** Also the idempotency key. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  createdAt: z.iso.datetime(),
  /** In UTC: the day whose cap it counts against. */
  day: z.iso.date(),
  service: z.url(),
  route: z.string(),
  body: z.record(z.string(), z.unknown()),
  network: z.enum(NETWORKS),
  mode: z.enum(['mainnet', 'testnet']),
  from: z.string(),
  /** The recipients, as text. */
  name: z.string(),
  sumMicroUsdc: z.string().regex(/^[0-9]{1,20}$/),
  totalMicroUsdc: z.string().regex(/^[0-9]{1,20}$/),
  /** No other header is signed while this one can take effect. */
  header: z.string().min(1),
  end: z.union([z.object({ validBefore: z.int() }), z.object({ lastValidHeight: z.int() })]),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('signed') }),
    z.object({ kind: z.literal('refused'), word: z.string(), text: z.string() }),
    z.object({ kind: z.literal('paid'), message: z.string(), lines: z.array(paidLine) }),
  ]),
});
export type PaymentRecord = z.infer<typeof recordSchema>;
