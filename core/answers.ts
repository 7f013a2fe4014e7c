import { formatUsdc, microUsdc, toJsonAmount } from './money.ts';
import { wireStatus, type LineState, type PayoutState } from './states.ts';

/** What the 200 of a single payment says (interface 2.2, contract 4). Built once, when settled, and stored. */
export type AnsweredLine = {
  txnId: number;
  slug: string;
  platform: string;
  key: string;
  amountMicroUsdc: bigint;
  lineStatus: LineState;
  payoutStatus: PayoutState | null;
  expiresAtMs: number;
};

export function singlePaymentAnswer(baseUrl: string, attemptId: string, line: AnsweredLine): Record<string, unknown> {
  const amount = microUsdc(line.amountMicroUsdc);
  const status = wireStatus(line.lineStatus, line.payoutStatus);
  const recipient = `${line.platform}:${line.key}`;
  const waiting = status === 'pending_claim';
  const until = new Date(line.expiresAtMs).toISOString();
  return {
    code: 200,
    msg: waiting
      ? `${formatUsdc(amount)} USDC sent successfully; waiting for ${recipient} to collect it until ${until.slice(0, 10)}`
      : `${formatUsdc(amount)} USDC sent successfully to ${recipient}`,
    data: {
      txn_id: line.txnId,
      amount: toJsonAmount(amount),
      receipt: receiptUrl(baseUrl, line.slug),
      status,
      settlement_attempt_id: attemptId,
      ...(waiting ? { claim_url: claimUrl(baseUrl, line.platform, line.key), expires_at: until } : {}),
    },
  };
}

export function receiptUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/receipts/${slug}`;
}

export function claimUrl(baseUrl: string, platform: string, key: string): string {
  return `${baseUrl}/claim/${platform}/${encodeURIComponent(key)}`;
}
