import { z } from 'zod';
import { fromHeader } from '../core/payments/x402.ts';
import type { Sent } from './channel.ts';
import { postJson, type Answer, type HttpDeps } from './exchange.ts';
import { readPaid, type PaidPayment, type PaymentRequest } from './payments.ts';
import { readRefusal, type Refused } from './refusal.ts';

/** The request that a task pays for. */
export type TaskRequest = Pick<PaymentRequest, 'route' | 'body'>;

/** The plain transfer that pays a task on one network. Amounts are decimal text in micro-USDC. */
export type TransferWanted = z.infer<typeof transferSchema>;
export type OpenedTask = { taskId: string; required: Record<string, unknown>; transfers: TransferWanted[] };

/**
 * Tasks of the API. A task is paid once, by the first signature or plain transfer.
 */
export type Tasks = {
  /** `refundAddresses`: where a transfer that nobody collects goes back to, one per network. */
  open: (
    request: TaskRequest,
    refundAddresses: readonly string[],
  ) => Promise<{ kind: 'opened'; task: OpenedTask } | Refused | { kind: 'unreachable' }>;
  /** `gone`: it was not paid in time, and can no longer be paid. `open`: also while a payer is paying it. */
  ask: (request: TaskRequest, taskId: string) => Promise<PaidPayment | { kind: 'open' | 'gone' | 'unreachable' }>;
  /** Sends a payment once. `header`: in REST's form. A refused one moves nothing, so another one may follow. */
  send: (request: TaskRequest, payment: { taskId: string; header: string }) => Promise<Sent<PaidPayment>>;
};

/** The extension of the second generation of a2a-x402; any such name activates the skill-named calls. */
const EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
const REQUIRED = 'x402.payment.required';
/** Codes of failures that are not the caller's: a later try may succeed. */
const LATER_MAX = -32050;
const LATER_MIN = -32099;
const INTERNAL = -32603;

const micro = z.string().regex(/^[1-9][0-9]{0,15}$/);
const transferSchema = z.object({
  network: z.string().max(80),
  amount: micro,
  token: z.string().max(80),
  recipient: z.string().max(80),
  price: micro,
});
const openedSchema = z.object({
  status: z.literal('PAYMENT_REQUIRED'),
  taskId: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  payments: z.array(transferSchema).min(1).max(10),
  metadata: z.object({ [REQUIRED]: z.record(z.string(), z.unknown()) }),
});
const standingSchema = z.object({ status: z.literal('PAYMENT_REQUIRED') });
const confirmedSchema = z.object({ status: z.literal('PAYMENT_CONFIRMED'), data: z.unknown() });
const word = z.string().regex(/^[a-z0-9_]{1,80}$/);
const failureSchema = z.object({ error: z.object({ code: z.int(), data: z.looseObject({ error: word }) }) });

/** Null where there is no skill for it. Only our bot has the skill for several platforms. */
export function skillOf({ route }: Pick<TaskRequest, 'route'>): string | null {
  if (route === '/payments/batch-pay') return 'pennypost.batch-pay';
  const [, platform, isBatch] = /^\/payments\/([a-z]+)\/(batch-)?pay$/.exec(route) ?? [];
  if (platform === undefined) return null;
  return `pennypost.${isBatch ? 'batch-pay' : 'pay'}.${platform}`;
}

export function createTasks(deps: HttpDeps & { baseUrl: string; apiToken?: string | undefined }): Tasks {
  const headers: Record<string, string> = { 'x-a2a-extensions': EXTENSION };
  if (deps.apiToken !== undefined) headers['authorization'] = `Bearer ${deps.apiToken}`;
  const call = (request: TaskRequest, params: Record<string, unknown>) => {
    const method = skillOf(request);
    if (method === null) throw new Error(`there is no skill for ${request.route}`);
    return postJson(deps, `${deps.baseUrl}/a2a`, headers, { jsonrpc: '2.0', id: 1, method, params });
  };
  return {
    async open(request, refundAddresses) {
      const answer = await call(request, { ...request.body, refund_address: refundAddresses });
      const opened = openedSchema.safeParse(resultOf(answer));
      if (!opened.success) return refusalIn(answer) ?? { kind: 'unreachable' };
      const { taskId, payments, metadata } = opened.data;
      return { kind: 'opened', task: { taskId, transfers: payments, required: metadata[REQUIRED] } };
    },
    async ask(request, taskId) {
      const answer = await call(request, { taskId });
      const paid = paidIn(answer, request);
      if (paid) return paid;
      if (standingSchema.safeParse(resultOf(answer)).success) return { kind: 'open' };
      const reason = wordOf(answer);
      if (reason === 'settlement_pending') return { kind: 'open' };
      return { kind: reason === 'unknown_task' ? 'gone' : 'unreachable' };
    },
    async send(request, { taskId, header }) {
      const answer = await call(request, { taskId, payment: fromHeader(header) });
      return paidIn(answer, request) ?? refusalIn(answer) ?? { kind: 'pending', waitMs: null };
    },
  };
}

function resultOf(answer: Answer | null): unknown {
  const read = z.object({ result: z.unknown() }).safeParse(answer?.json);
  return answer?.status === 200 && read.success ? read.data.result : undefined;
}

function paidIn(answer: Answer | null, request: TaskRequest): PaidPayment | null {
  const confirmed = confirmedSchema.safeParse(resultOf(answer));
  return confirmed.success ? readPaid(confirmed.data.data, request) : null;
}

/** Null for what leaves the fate open: no answer, an unreadable one, or one that says to ask again. */
function refusalIn(answer: Answer | null): Refused | null {
  const failure = answer?.status === 200 ? failureSchema.safeParse(answer.json) : null;
  if (!failure?.success) return null;
  const { code, data } = failure.data.error;
  const isLater = (code <= LATER_MAX && code >= LATER_MIN) || code === INTERNAL;
  return isLater ? null : readRefusal({ status: 200, headers: new Headers(), json: data });
}

function wordOf(answer: Answer | null): string | null {
  const failure = failureSchema.safeParse(answer?.json);
  return failure.success ? failure.data.error.data.error : null;
}
