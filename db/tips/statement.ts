import { and, desc, eq, or } from 'drizzle-orm';
import { canonicalAddress, type Network } from '../../core/networks.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import type { Store } from '../store/store.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { depositsOf } from '../wallets/deposits.ts';
import { tipsFromWallet } from './history.ts';
import { withdrawalsOfWallet } from '../withdrawals/find.ts';

/**
 * One movement of kept money. `deposited`: put in from elsewhere. `returned`: what was sent and came back. `out`: taken out
 * to an address.
 */
export type StatementLine = {
  kind: 'received' | 'deposited' | 'returned' | 'sent' | 'out';
  atMs: number;
  amount: MicroUsdc;
  fee: MicroUsdc;
  /** Who sent it, where we know the account; `x:alice` where it was sent to; the address that it was taken out to. */
  other: string | null;
  /** Our number of the payment; null for what was taken out. */
  txnId: number | null;
  receipt: string | null;
  /** Of what was put in or taken out: the other movements would show the wallets of others. */
  transaction: string | null;
  /** Of what was sent; null for the others. */
  status: WireStatus | null;
  /** The order of what was sent to one person who has not collected it yet; null for the others. */
  waitingOrder: string | null;
};

export type StatementOf = {
  walletId: string;
  identityId: string | null;
  addresses: readonly { network: Network; address: string }[];
  receiptUrl: (slug: string) => string;
};

/** Whether it is more afterwards. */
export const isIncome = ({ kind }: Pick<StatementLine, 'kind'>): boolean => kind !== 'sent' && kind !== 'out';

/** What came and went, the newest first. */
export async function readStatement(store: Store, of: StatementOf, limit: number): Promise<StatementLine[]> {
  const lines = await Promise.all([
    received(store, of, limit),
    deposited(store, of, limit),
    returned(store, of, limit),
    sent(store, of, limit),
    takenOut(store, of, limit),
  ]);
  return lines
    .flat()
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, limit);
}

const NOTHING = { fee: microUsdc(0n), transaction: null, status: null, waitingOrder: null } as const;
const LANDED = ['confirmed', 'final'] as const;

function isToOwn({ tables: { transfers } }: Store, { addresses }: StatementOf) {
  const own = addresses.map(({ network, address }) =>
    and(eq(transfers.network, network), eq(transfers.toAddress, canonicalAddress(network, address))),
  );
  return and(isOneOf(transfers.status, LANDED), or(...own));
}

async function received(store: Store, of: StatementOf, limit: number): Promise<StatementLine[]> {
  const { lines, payments, transfers } = store.tables;
  if (of.identityId === null || of.addresses.length === 0) return [];
  const rows = await store.read
    .select({ line: lines, meta: payments.meta, isKnown: payments.agentKnown, atMs: transfers.createdAtMs })
    .from(lines)
    .innerJoin(transfers, eq(transfers.id, lines.payoutId))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.identityId, of.identityId), eq(lines.status, 'paying'), isToOwn(store, of)))
    .orderBy(desc(transfers.createdAtMs))
    .limit(limit);
  return rows.map(({ line, meta, isKnown, atMs }) => ({
    ...NOTHING,
    kind: 'received',
    atMs,
    amount: microUsdc(line.amountMicroUsdc),
    // Anyone but our bot could have written any name.
    other: isKnown && typeof meta?.['agent_name'] === 'string' ? meta['agent_name'] : null,
    txnId: line.txnId,
    receipt: of.receiptUrl(line.slug),
  }));
}

async function deposited(store: Store, { walletId }: StatementOf, limit: number): Promise<StatementLine[]> {
  const rows = await depositsOf(store, walletId, limit);
  return rows.map(({ amountMicroUsdc, atMs, transaction }) => ({
    ...NOTHING,
    kind: 'deposited',
    atMs,
    amount: microUsdc(amountMicroUsdc),
    other: null,
    txnId: null,
    receipt: null,
    transaction,
  }));
}

async function returned(store: Store, of: StatementOf, limit: number): Promise<StatementLine[]> {
  const { refunds, transfers } = store.tables;
  if (of.addresses.length === 0) return [];
  const rows = await store.read
    .select({ amount: refunds.amountMicroUsdc, txnId: refunds.txnId, atMs: transfers.createdAtMs })
    .from(refunds)
    .innerJoin(transfers, eq(transfers.id, refunds.payoutId))
    .where(isToOwn(store, of))
    .orderBy(desc(transfers.createdAtMs))
    .limit(limit);
  return rows.map(({ amount, txnId, atMs }) => ({
    ...NOTHING,
    kind: 'returned',
    atMs,
    amount: microUsdc(amount),
    other: null,
    txnId,
    receipt: null,
  }));
}

async function sent(store: Store, { walletId }: StatementOf, limit: number): Promise<StatementLine[]> {
  const tips = await tipsFromWallet(store, walletId, limit);
  return tips.map(({ sentAtMs, amountMicroUsdc, feeMicroUsdc, recipient, txnId, receipt, status, orderId }) => ({
    kind: 'sent',
    atMs: sentAtMs,
    amount: microUsdc(amountMicroUsdc),
    fee: microUsdc(feeMicroUsdc),
    other: recipient,
    txnId,
    receipt,
    transaction: null,
    status,
    waitingOrder: status === 'pending_claim' ? orderId : null,
  }));
}

async function takenOut(store: Store, { walletId }: StatementOf, limit: number): Promise<StatementLine[]> {
  const rows = await withdrawalsOfWallet(store, walletId, limit, 'paid');
  return rows.map(({ createdAtMs, amountMicroUsdc, toAddress, landedTransaction }) => ({
    ...NOTHING,
    kind: 'out',
    atMs: createdAtMs,
    amount: microUsdc(amountMicroUsdc),
    other: toAddress,
    txnId: null,
    receipt: null,
    transaction: landedTransaction,
  }));
}
