import { z } from 'zod';
import type { Answer } from './exchange.ts';

/** Why a service refuses a request. */
export type Refused = {
  kind: 'refused';
  /** Of the HTTP answer. */
  status: number;
  /** Its stable error code; `unknown_answer` where there is none. */
  reason: string;
  /** The service's text for people, not escaped: the place that shows it does that. */
  detail: string | null;
  /** The line of several that was refused, where the service names one. */
  line: number | null;
  /** Whether it means that the service holds no payment under the header that was sent. */
  isUnclaimed: boolean;
};

const errorWord = z.string().regex(/^[a-z0-9_]{1,80}$/);
const wordField = z.object({ error: errorWord });
const detailField = z.object({ detail: z.string() });
const lineField = z.object({ field: z.string().regex(/^receivers\[[0-9]{1,2}\]/) });

/**
 * The service checks these only after it has looked for a payment under this header. It refuses a
 * malformed request before that, so such a refusal says nothing about the header.
 */
const AFTER_LOOKING: readonly string[] = ['receiver_not_found', 'receiver_opted_out', 'payer_barred', 'declined'];

export function readRefusal(answer: Answer): Refused {
  const reason = readReason(answer);
  const detail = detailField.safeParse(answer.json);
  const named = lineField.safeParse(answer.json);
  return {
    kind: 'refused',
    status: answer.status,
    reason,
    detail: detail.success ? detail.data.detail : null,
    line: named.success ? Number(/[0-9]+/.exec(named.data.field)?.[0]) : null,
    isUnclaimed: AFTER_LOOKING.includes(reason),
  };
}

/** Also reads the code in the header: the body of a refused payment may be in the first x402 generation. */
export function readReason(answer: Answer | null): string {
  const header = errorWord.safeParse(answer?.headers.get('payment-error'));
  if (header.success) return header.data;
  const body = wordField.safeParse(answer?.json);
  return body.success ? body.data.error : 'unknown_answer';
}
