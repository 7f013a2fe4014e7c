import { postJson, type HttpDeps } from '../../client/exchange.ts';
import { readReason } from '../../client/refusal.ts';
import type { SignedCancellation } from '../signing/signing.ts';

export type CancelAnswer =
  /** It comes back, or did so before. */
  | { kind: 'done' }
  /** It no longer waits, or its recipient is about to collect it. */
  | { kind: 'too_late' }
  /** No usable answer. Asking again does no harm. */
  | { kind: 'unknown'; reason: string };

/** Taking tips back, like any payer does. */
export type Cancellations = {
  cancel: (txnId: number, signed: SignedCancellation) => Promise<CancelAnswer>;
};

export type CancellationsDeps = HttpDeps & { baseUrl: string; apiToken?: string };

export function createCancellations(deps: CancellationsDeps): Cancellations {
  const headers: Record<string, string> =
    deps.apiToken === undefined ? {} : { authorization: `Bearer ${deps.apiToken}` };
  return {
    async cancel(txnId, { signature, validBefore }) {
      const url = `${deps.baseUrl}/payments/${txnId}/cancel`;
      const answer = await postJson(deps, url, headers, { signature, valid_before: validBefore });
      if (answer?.status === 200) return { kind: 'done' };
      const reason = readReason(answer);
      return reason === 'not_cancellable' ? { kind: 'too_late' } : { kind: 'unknown', reason };
    },
  };
}
