import { microUsdc } from '../core/money.ts';
import { networkTitle } from '../core/networks.ts';
import { withdrawalNotice } from '../texts/notices/withdrawal.ts';
import { isPutOff, isToldEnough, knownFrom } from '../core/wallets/withdrawal-wait.ts';
import { findChatUser } from '../db/chats/users.ts';
import { chatHoldersOf, type WalletHolder } from '../db/wallets/holders.ts';
import { countOpen, enqueue } from '../db/store/outbox.ts';
import { payerAccountId } from '../db/ledger/payer-account.ts';
import { findWithdrawal, type WithdrawalRow } from '../db/withdrawals/find.ts';
import { WITHDRAWAL_NOTICE } from '../db/withdrawals/request.ts';
import { addressStanding } from '../db/withdrawals/standing.ts';
import { markTold } from '../db/withdrawals/notified.ts';
import { NotYet } from './outbox/not-yet.ts';
import { senderFor, type DeliveryDependencies } from './receipt-delivery.ts';

/** More chats than anybody holds a wallet in; each is one message. */
const HOLDERS_MAX = 100;

/**
 * Tells everybody who holds a wallet what leaves it for an address that is not known, also whoever has asked: it may have
 * been somebody else with his phone, and on Discord the bot's answer is gone when he is back. The key is
 * `leaves:{withdrawal}`; each holder then becomes a piece of work of its own, under an opaque name, since rows are kept
 * longer than names may be. The first one stays open until all of those are done, or it is no use to wait for them: only
 * then the day begins after which the money may leave.
 */
export async function postWithdrawalNotice(dependencies: DeliveryDependencies, key: string): Promise<void> {
  const { store } = dependencies;
  const [, id = '', who] = key.split(':');
  const row = await findWithdrawal(store, id);
  if (row === null) throw new Error(`there is no withdrawal ${id}`);
  // There is nothing left to prevent.
  if (row.status === 'failed' || row.calledOffAtMs !== null) return;
  const holders = await chatHoldersOf(store, row.walletId, HOLDERS_MAX);
  if (who === undefined) return tellAll(dependencies, key, row, holders);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === who);
  if (holder !== undefined) await tell(dependencies, key, row, holder);
}

export function isWithdrawalNotice(key: string): boolean {
  return key.startsWith(`${WITHDRAWAL_NOTICE}:`);
}

function transportOf(holderId: string): string {
  return holderId.slice(0, holderId.indexOf(':'));
}

/** A chat that takes nothing must not keep the others from hearing it. Who has come to hold the wallet since is told too. */
async function tellAll(
  { store, now }: DeliveryDependencies,
  key: string,
  row: WithdrawalRow,
  holders: readonly WalletHolder[],
): Promise<void> {
  const keys = holders.map(({ holderId }) => `${key}:${payerAccountId(holderId)}`);
  await store.tx(async (db) => {
    for (const one of keys) await enqueue(db, store.tables, 'receipt', one, now());
  });
  const isUnderWay = (await countOpen(store, 'receipt', keys)) > 0;
  if (!isToldEnough({ ...row, isUnderWay }, now())) throw new NotYet(`not everybody knows of withdrawal ${row.id}`);
  await markTold(store, row.id, now());
}

async function tell(
  dependencies: DeliveryDependencies,
  onceKey: string,
  row: WithdrawalRow,
  { holderId, name }: WalletHolder,
): Promise<void> {
  const { store, now } = dependencies;
  const sender = senderFor(dependencies, transportOf(holderId));
  const user = await findChatUser(store, holderId);
  const standing = await addressStanding(store.read, store.tables, row);
  // Asked for and not told yet, it is known a day from now: another time could be over when this is read.
  const knownFromMs = knownFrom(standing, now());
  const facts = {
    amount: microUsdc(row.amountMicroUsdc),
    place: networkTitle(row.network, null),
    address: row.toAddress,
    at: new Date(isPutOff(row) ? Math.max(row.notBeforeMs, knownFromMs) : knownFromMs),
    leavesAtOnce: !isPutOff(row),
    walletName: row.walletId === holderId ? null : name,
  };
  const view = withdrawalNotice(facts, user?.language ?? null);
  const told = await sender.tell?.({ userId: holderId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}
