import { createHash } from 'node:crypto';
import { formatUsdc, toJsonAmount } from '../../core/money.ts';
import { heldWords } from '../../texts/receipts/receipt.ts';
import type { ReceiptView } from './view.ts';

/** What programs get: the answer to `Accept: application/json`, and the data of every event of the live stream. */
export function toReceiptAnswer(view: ReceiptView): Record<string, unknown> {
  return {
    code: 200,
    msg: describe(view),
    data: {
      txn_id: view.txnId,
      amount: toJsonAmount(view.amount),
      currency: 'USDC',
      recipient: view.recipient,
      platform: view.platform,
      network: view.network,
      transaction: view.transaction,
      status: view.status,
      finality: view.finality,
      created_at: view.createdAt.toISOString(),
      settled_at: view.settledAt?.toISOString() ?? null,
      ...(view.expiresAt === null ? {} : { expires_at: view.expiresAt.toISOString() }),
      receipt: view.receiptUrl,
    },
  };
}

/** Names what a receipt shows now: equal for equal receipts, whichever process answers. */
export function versionOf(view: ReceiptView): string {
  const shown = JSON.stringify([toReceiptAnswer(view), view.isFinished]);
  return createHash('sha256').update(shown).digest('base64url').slice(0, 16);
}

/** In the manner of the payment's own answer. */
function describe(view: ReceiptView): string {
  const sum = `${formatUsdc(view.amount)} USDC`;
  if (view.isUndone) return `${sum} for ${view.recipient}: undone by the network; nothing was charged`;
  if (view.finality === 'pending') return `${sum} for ${view.recipient}: waiting for the chain`;
  switch (view.status) {
    case 'paid':
      return `${sum} received by ${view.recipient}`;
    case 'queued':
      if (view.isLookedUp) return `${sum} for ${view.recipient}, who is being looked up`;
      return view.isReturned
        ? `${sum} for ${view.recipient} is on its way back to the payer`
        : `${sum} on its way to ${view.recipient}`;
    case 'pending_claim': {
      const until = view.expiresAt === null ? '' : ` until ${view.expiresAt.toISOString().slice(0, 10)}`;
      return view.waitsForRoute
        ? `${sum} for ${view.recipient}, waiting for an address that can take it${until}`
        : `${sum} waiting for ${view.recipient} to collect it${until}`;
    }
    case 'held':
      return `${sum} for ${view.recipient} is held: ${heldWords(view.heldReason, view.recipient).state.toLowerCase()}`;
    case 'refunded':
      return `${sum} for ${view.recipient} was returned to the payer`;
  }
}
