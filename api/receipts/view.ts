import { claimUrl, receiptUrl } from '../../core/payments/answers.ts';
import { microUsdc } from '../../core/money.ts';
import { networkTitle, transactionUrl } from '../../core/networks.ts';
import { findPassing } from '../../core/payments/passing-reasons.ts';
import { findPlatform, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { formatRecipientForOthers } from '../../core/platforms/recipient.ts';
import { wireStatus, type PaymentState } from '../../core/states.ts';
import type { ReceiptRow, ShownRow } from '../../db/payments/records/find.ts';
import type { Finality, ReceiptPageFacts } from '../../texts/receipt-page/facts.ts';
import { toShownText } from './strangers-text.ts';

/**
 * What any holder of the receipt's address may see. The payer's address and the payout's transaction are left out on
 * purpose: either would tie a name to a wallet.
 */
export type ReceiptView = ReceiptPageFacts & {
  txnId: number;
  network: string;
  /** The inbound transaction; null while no block holds it. */
  transaction: string | null;
  /** Where the transaction can be viewed; null on a chain without a public explorer. */
  transactionUrl: string | null;
  /** Nothing changes any more without a person acting. */
  isFinished: boolean;
  createdAt: Date;
  settledAt: Date | null;
  note: string | null;
  /** What the sender calls itself. */
  senderName: string | null;
  /** The name comes from our bot, which saw the account; any other caller could have written any name. */
  isSenderKnown: boolean;
  receiptUrl: string;
  claimPath: string | null;
};

/** This installation: its address, and which chain each of its networks really is. */
export type ReceiptPlace = {
  baseUrl: string;
  localMode: boolean;
  networks: readonly { network: string; caip2: string }[];
};

export const NOTE_CHARACTERS_MAX = 140;
const SENDER_CHARACTERS_MAX = 40;

/** True once the payment has settled: that answer hands out the receipt's address. */
export function hasReceipt(row: ReceiptRow): boolean {
  return row.payment.answer !== null;
}

/** Null while there is no receipt (see `hasReceipt`). */
export function toReceiptView(row: ShownRow, place: ReceiptPlace): ReceiptView | null {
  if (!hasReceipt(row)) return null;
  const { line, payment, payout, isOwned } = row;
  const platform = findPlatform(line.platform);
  if (platform === null) throw new Error(`line ${line.txnId} names the platform "${line.platform}", which is unknown`);
  const status = wireStatus(line.status, payout?.status ?? null);
  const finality = FINALITIES[payment.status];
  const isUndone = payment.status === 'rejected';
  const isWaiting = status === 'pending_claim';
  const recipient = formatRecipientForOthers({ platform, key: line.recipientKey });
  const to = { platform, key: recipient.slice(platform.length + 1) };
  const caip2 = place.networks.find(({ network }) => network === payment.network)?.caip2 ?? null;
  const transaction = finality === 'pending' ? null : payment.landedTransaction;
  return {
    txnId: line.txnId,
    amount: microUsdc(line.amountMicroUsdc),
    recipient,
    to,
    platform,
    network: payment.network,
    networkName: networkTitle(payment.network, caip2),
    transaction,
    transactionUrl: transaction === null || place.localMode ? null : transactionUrl(caip2, transaction),
    status,
    isLookedUp: line.status === 'resolving',
    waitsForRoute: isWaiting && isOwned,
    isReturned: line.status === 'returning',
    heldReason: payout?.heldReason ?? null,
    returnedBecause: row.returnedBecause,
    finality,
    isUndone,
    isFinished: isUndone || (finality === 'final' && rests(line, payout)),
    createdAt: new Date(payment.createdAtMs),
    settledAt: finality === 'pending' ? null : toDate(payment.settledAtMs),
    expiresAt: isWaiting ? new Date(line.expiresAtMs) : null,
    note: noteOf(line, payment),
    senderName: senderNameOf(payment.meta),
    isSenderKnown: payment.agentKnown,
    receiptUrl: receiptUrl(place.baseUrl, line.slug),
    claimPath: isWaiting && finality !== 'pending' ? claimPathOf(platform, line) : null,
  };
}

/** As long as nobody has collected it or is being paid, and the money is here. */
export function canTakeBack({ status, isLookedUp, finality }: ReceiptView): boolean {
  return (status === 'pending_claim' || isLookedUp) && finality !== 'pending';
}

/** The money has arrived for good: only then is there a postmark. */
export function isPostmarked({ status, finality }: ReceiptView): boolean {
  return finality === 'final' && status === 'paid';
}

function noteOf({ note }: ReceiptRow['line'], { description }: ReceiptRow['payment']): string | null {
  const text = note ?? description;
  return text === null ? null : toShownText(text, NOTE_CHARACTERS_MAX);
}

const FINALITIES = {
  // Happens only after a reorganisation: before the first settlement there is no receipt.
  received: 'pending',
  settling: 'pending',
  settled: 'settled',
  final: 'final',
  rejected: 'pending',
} as const satisfies Record<PaymentState, Finality>;

/** A payout moves by itself until it is final or needs a person; a line without one only waits to be collected. */
function rests(line: ReceiptRow['line'], payout: ReceiptRow['payout']): boolean {
  if (payout === null) return line.status !== 'resolving' && line.status !== 'returning';
  return payout.status === 'final' || (payout.status === 'held' && findPassing(payout.heldReason) === null);
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** Free JSON from the payer: only a text is a name, and it may not close the quotation marks we put around it. */
function senderNameOf(meta: Record<string, unknown> | null): string | null {
  const name = meta?.agent_name;
  if (typeof name !== 'string') return null;
  return toShownText(name.replace(/["“”„‟«»]/gu, "'"), SENDER_CHARACTERS_MAX);
}

/**
 * The page of a claim that was opened from the receipt shows again who sent what. A private name is not written into a
 * link that strangers can read.
 */
function claimPathOf(platform: Platform, { recipientKey, slug }: ReceiptRow['line']): string {
  const path = platformRow(platform).mask !== undefined ? `/claim/${platform}` : claimUrl('', platform, recipientKey);
  return `${path}?receipt=${slug}`;
}
