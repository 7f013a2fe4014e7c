import { z } from 'zod';
import { WIRE_STATUSES } from '../core/states.ts';
import type { Channel } from './channel.ts';
import type { HttpDeps } from './exchange.ts';
import type { PaidLine } from './pennypost.ts';
import { createRestChannel } from './rest.ts';

/** The same for each try: the service recognises a repeat by route, body and id. */
export type PaymentRequest = {
  id: string;
  route: string;
  body: Record<string, unknown>;
  /** The address that will pay: the price then has all that this payer is asked for. */
  payer?: string | undefined;
};

/** `lines` in the order of the request. `message` is the service's text for people. */
export type PaidPayment = { kind: 'paid'; message: string; lines: readonly [PaidLine, ...PaidLine[]] };

export type Payments = { channel: (request: PaymentRequest) => Channel<PaidPayment> };

/** As in one batch of the API. */
const LINES_MAX = 100;

const link = z.url({ protocol: /^https?$/ }).max(2_000);
/** The published reference shows `txn_id` as text in some places. */
const txnId = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^[0-9]{1,16}$/)
      .transform(Number),
  ])
  .pipe(z.int().positive());
const paidLine = z.object({
  txn_id: txnId,
  receipt: link,
  /** A status of a later version reads as the one that promises least. */
  status: z.enum(WIRE_STATUSES).catch('queued'),
  amount: z.number().nullish().catch(null),
  claim_url: link.nullish().catch(null),
  expires_at: z.iso.datetime().nullish().catch(null),
});
const message = z.string().catch('');
const singleSchema = z.object({ code: z.literal(200), msg: message, data: paidLine });
const batchSchema = z.object({ code: z.literal(200), msg: message, data: z.array(paidLine).min(1).max(LINES_MAX) });

/** Payments to people. */
export function createPayments(deps: HttpDeps & { baseUrl: string; apiToken?: string | undefined }): Payments {
  const { baseUrl, apiToken } = deps;
  return {
    channel: ({ id, route, body, payer }) =>
      createRestChannel<PaidPayment>(deps, {
        url: baseUrl + route,
        idempotencyKey: id,
        apiToken,
        payer,
        body,
        readPaid: ({ json }) => readPaid(json, { body }),
      }),
  };
}

/** Null for what does not answer this request, because it is then unknown who was paid. Tasks have the same answer. */
export function readPaid(json: unknown, { body }: Pick<PaymentRequest, 'body'>): PaidPayment | null {
  const { receivers } = body;
  if (!Array.isArray(receivers)) {
    const single = singleSchema.safeParse(json);
    return single.success ? { kind: 'paid', message: single.data.msg, lines: [toLine(single.data.data)] } : null;
  }
  const batch = batchSchema.safeParse(json);
  if (!batch.success || batch.data.data.length !== receivers.length) return null;
  const [first, ...others] = batch.data.data.map(toLine);
  return first === undefined ? null : { kind: 'paid', message: batch.data.msg, lines: [first, ...others] };
}

function toLine({ txn_id, receipt, status, amount, claim_url, expires_at }: z.infer<typeof paidLine>): PaidLine {
  return {
    txnId: txn_id,
    receipt,
    status,
    amount: amount ?? null,
    claimUrl: claim_url ?? null,
    expiresAt: expires_at ?? null,
  };
}
