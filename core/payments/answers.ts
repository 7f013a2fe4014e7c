import { formatUsdc, microUsdc, toJsonAmount } from '../money.ts';
import { wireStatus, type LineState, type TransferState, type WireStatus } from '../states.ts';

/** The 200 of a payment. Built once, at settlement, and stored. */
export type AnsweredLine = {
  txnId: number;
  slug: string;
  platform: string;
  key: string;
  amountMicroUsdc: bigint;
  lineStatus: LineState;
  payoutStatus: TransferState | null;
  expiresAtMs: number;
  /** The part of the amount that identified a plain transfer. */
  extraMicroUsdc?: bigint;
};

export function singlePaymentAnswer(baseUrl: string, attemptId: string, line: AnsweredLine): Record<string, unknown> {
  const amount = microUsdc(line.amountMicroUsdc);
  const recipient = `${line.platform}:${line.key}`;
  return {
    code: 200,
    msg: `${formatUsdc(amount)} USDC sent successfully${whatBecomesOf(line, recipient)}`,
    data: { txn_id: line.txnId, ...lineFields(baseUrl, line), settlement_attempt_id: attemptId },
  };
}

function whatBecomesOf(line: AnsweredLine, recipient: string): string {
  if (statusOf(line) === 'pending_claim') return `; waiting for ${recipient} to collect it until ${dateOf(line)}`;
  if (line.lineStatus !== 'resolving') return ` to ${recipient}`;
  return `; ${recipient} is still being looked up, and it comes back to you if nobody is found`;
}

export function batchPaymentAnswer(
  baseUrl: string,
  attemptId: string,
  lines: readonly AnsweredLine[],
): Record<string, unknown> {
  const total = microUsdc(lines.reduce((sum, line) => sum + line.amountMicroUsdc, 0n));
  const waiting = lines.filter((line) => statusOf(line) === 'pending_claim').length;
  const resolving = lines.filter((line) => line.lineStatus === 'resolving').length;
  const sent = `${formatUsdc(total)} USDC sent successfully to ${lines.length} ${lines.length === 1 ? 'user' : 'users'}`;
  const those = (count: number) => (lines.length === 1 ? 'they' : `${count} of them`);
  const are = lines.length > 1 && resolving === 1 ? 'is' : 'are';
  return {
    code: 200,
    msg: [
      sent,
      ...(waiting === 0 ? [] : [`${those(waiting)} can collect it until ${lines[0] ? dateOf(lines[0]) : ''}`]),
      ...(resolving === 0 ? [] : [`${those(resolving)} ${are} still being looked up`]),
    ].join('; '),
    settlement_attempt_id: attemptId,
    data: lines.map((line) => ({
      txn_id: line.txnId,
      username: line.key,
      platform: line.platform,
      ...lineFields(baseUrl, line),
    })),
  };
}

function lineFields(baseUrl: string, line: AnsweredLine): Record<string, unknown> {
  const status = statusOf(line);
  return {
    amount: toJsonAmount(microUsdc(line.amountMicroUsdc)),
    ...(line.extraMicroUsdc ? { extra: toJsonAmount(microUsdc(line.extraMicroUsdc)) } : {}),
    receipt: receiptUrl(baseUrl, line.slug),
    status,
    ...(status === 'pending_claim'
      ? { claim_url: claimUrl(baseUrl, line.platform, line.key), expires_at: new Date(line.expiresAtMs).toISOString() }
      : {}),
  };
}

function statusOf(line: AnsweredLine): WireStatus {
  return wireStatus(line.lineStatus, line.payoutStatus);
}

function dateOf(line: AnsweredLine): string {
  return new Date(line.expiresAtMs).toISOString().slice(0, 10);
}

export function receiptUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/receipts/${slug}`;
}

export function claimUrl(baseUrl: string, platform: string, key: string): string {
  return `${baseUrl}/claim/${platform}/${encodeURIComponent(key)}`;
}
