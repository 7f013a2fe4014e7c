import { and, eq, sql } from 'drizzle-orm';
import { accounts } from '../../core/ledger.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { tellPayout } from '../events/tell.ts';
import { liveWallets, type WalletRow } from '../identities/live-wallets.ts';
import { dayOf, nextDayMs, takeDaily } from '../limits/daily.ts';
import { roomWithin, takeRoom, type PurseRooms } from '../limits/purse-room.ts';
import { move } from '../store/move.ts';
import { placeholder, prepare } from '../store/prepare.ts';
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
  /** Empty at the beginning of the transaction. */
  rooms: PurseRooms;
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
 * our own money covers it; null when it does nowhere, and the line waits. An address that has lapsed is none, and so is one of a
 * purse that has no room for the line.
 */
export async function findRoute(
  db: Db,
  dependencies: Pick<CreateDependencies, 'tables' | 'settings' | 'rooms' | 'nowMs'>,
  { payment, line }: Owed,
): Promise<Route | null> {
  const { tables, settings } = dependencies;
  const network = payment.network;
  const known = await openWallets(db, dependencies, line);
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

/** The person's addresses that money of this line may go to: not those of a purse without room for it. */
export async function openWallets(
  db: Db,
  { tables, settings, rooms, nowMs }: Pick<CreateDependencies, 'tables' | 'settings' | 'rooms' | 'nowMs'>,
  line: LineRow,
): Promise<WalletRow[]> {
  const { identityId } = line;
  const live = await liveWallets(db, tables, identityId, nowMs);
  const addresses = live.filter(({ source }) => source === 'keep').map(({ address }) => address);
  if (addresses.length === 0) return live;
  const room = await roomWithin(db, tables, rooms, { identityId, addresses, settings });
  return room === null || room >= line.amountMicroUsdc ? live : live.filter(({ source }) => source !== 'keep');
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
  const linked = await moveToPaying(db, { txnId: line.txnId, payoutId });
  if (linked.length === 0) throw new Error(`line ${line.txnId} already has its payout`);
  if (status === 'held') await tellPayout(db, tables, payoutId, 'held', nowMs);
  takeRoom(dependencies.rooms, route.toAddress, amountMicroUsdc);
  await noteUse(db, { identityId, network: route.network, address: route.toAddress, nowMs });
  return { payoutId, status: status === 'held' ? 'held' : 'queued' };
}

const moveToPaying = prepare((db, { lines }) =>
  move(db, lines, {
    from: ['accepted', 'escrowed'],
    where: eq(lines.txnId, placeholder('txnId')),
    set: { status: 'paying', payoutId: sql`${placeholder('payoutId')}` },
  }),
);

/** An address that money goes to does not lapse. */
const noteUse = prepare((db, { wallets }) =>
  db
    .update(wallets)
    .set({ usedAtMs: sql`${placeholder('nowMs')}` })
    .where(
      and(
        eq(wallets.identityId, placeholder('identityId')),
        eq(wallets.network, placeholder('network')),
        eq(wallets.address, placeholder('address')),
      ),
    ),
);
