import { and, eq } from 'drizzle-orm';
import { accounts } from '../../core/ledger.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { liveWallets } from '../identities/live-wallets.ts';
import { dayOf, nextDayMs, takeDaily } from '../limits/daily.ts';
import { move } from '../store/move.ts';
import type { LineRow, PaymentRow } from '../payments/records/find.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { floatCovers } from './float.ts';
import { sourceOfLine } from './line-source.ts';
import { planTransfer } from './reserve.ts';
import type { PayoutSettings } from '../limits/settings.ts';

export type CreateDependencies = {
  tables: Tables;
  transferIdOf: TransferIdOf;
  nowMs: number;
  settings: PayoutSettings;
};

/** A line whose money is in escrow in the ledger, and the payment that brought it. */
export type Owed = {
  payment: Pick<PaymentRow, 'network' | 'payTo' | 'payer' | 'nonce' | 'landedAddress'>;
  line: LineRow;
};

/** How a line's money gets to its person. */
export type Route = {
  network: Network;
  fromAddress: string;
  toAddress: string;
  /** The network that the money came in on, when our own money pays for it on this one. */
  crossFrom: Network | null;
};

/**
 * On the network that the money came in on, if the person has a wallet there. Otherwise on one where they have one and
 * our own money covers it; null when it does nowhere, and the line waits. An address that has lapsed is none.
 */
export async function findRoute(
  db: Db,
  { tables, settings, nowMs }: Pick<CreateDependencies, 'tables' | 'settings' | 'nowMs'>,
  { payment, line }: Owed,
): Promise<Route | null> {
  const network = payment.network;
  const known = await liveWallets(db, tables, line.identityId, nowMs);
  const walletOn = (name: Network) => known.find((wallet) => wallet.network === name)?.address;
  const own = walletOn(network);
  if (own !== undefined) return { network, fromAddress: payment.payTo, toAddress: own, crossFrom: null };
  for (const other of NETWORKS) {
    const toAddress = walletOn(other);
    const treasury = settings.treasuries[other];
    if (toAddress === undefined || treasury === undefined) continue;
    if (!(await floatCovers(db, tables, { network: other, treasury }, line.amountMicroUsdc))) continue;
    return { network: other, fromAddress: treasury, toAddress, crossFrom: network };
  }
  return null;
}

/**
 * Reserves a line's money and writes its payout, queued where today's limits have room for it and held where not. The
 * route must have been found in the same transaction; a line that has its payout already ends it.
 */
export async function createPayout(
  db: Db,
  dependencies: CreateDependencies,
  { payment, line }: Owed,
  route: Route,
): Promise<{ payoutId: string; status: 'queued' | 'held' }> {
  const { tables, nowMs, settings } = dependencies;
  const { identityId, amountMicroUsdc } = line;
  const id = dependencies.transferIdOf(sourceOfLine(payment, line));
  const sourceAccount = accounts.escrow(payment.network, identityId);
  const limited = { payer: payment.payer, identityId, amountMicroUsdc };
  const over = await takeDaily(db, tables, limited, settings, nowMs);
  const limit =
    over === null
      ? { status: 'queued' as const, countedOn: dayOf(nowMs) }
      : { status: 'held' as const, heldReason: over, nextTryAtMs: nextDayMs(nowMs) };
  const payout = { id, ...route, purpose: 'payout' as const, sourceAccount, amountMicroUsdc, ...limit };
  const { id: payoutId, status } = await planTransfer(db, tables, payout, nowMs);
  const linked = await move(db, tables.lines, {
    from: ['accepted', 'escrowed'],
    where: eq(tables.lines.txnId, line.txnId),
    set: { status: 'paying', payoutId },
  });
  if (linked.length === 0) throw new Error(`line ${line.txnId} already has its payout`);
  await noteUse(db, tables, { identityId, ...route }, nowMs);
  return { payoutId, status: status === 'held' ? 'held' : 'queued' };
}

/** An address that money goes to does not lapse. */
async function noteUse(
  db: Db,
  { wallets }: Tables,
  { identityId, network, toAddress }: Pick<Route, 'network' | 'toAddress'> & { identityId: string },
  nowMs: number,
): Promise<void> {
  const here = and(eq(wallets.identityId, identityId), eq(wallets.network, network), eq(wallets.address, toAddress));
  await db.update(wallets).set({ usedAtMs: nowMs }).where(here);
}
