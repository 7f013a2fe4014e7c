import { microUsdc } from '../core/money.ts';
import { networkTitle } from '../core/networks.ts';
import { withdrawalNotice } from '../core/withdrawal-notice.ts';
import { ADDRESS_WAIT_MS, isPutOff } from '../core/withdrawal-wait.ts';
import { findChatUser } from '../db/bot/users.ts';
import { holdersOf, type WalletHolder } from '../db/holders.ts';
import { enqueue } from '../db/outbox.ts';
import { payerAccountId } from '../db/payer-account.ts';
import { findWithdrawal, type WithdrawalRow } from '../db/withdrawals/find.ts';
import { WITHDRAWAL_NOTICE } from '../db/withdrawals/request.ts';
import { addressStanding } from '../db/withdrawals/standing.ts';
import { senderFor, type DeliveryDependencies } from './receipt-delivery.ts';

/** Nobody can be written to in a browser; its chat and its page show what waits whenever they are opened. */
const BROWSER = 'chat';
const HOLDERS_MAX = 20;

/**
 * Tells everybody who holds a wallet what leaves it for an address that is not known, also whoever has asked: it may have
 * been somebody else with his phone, and on Discord the bot's answer is gone when he is back. The key is
 * `leaves:{withdrawal}`; each holder then becomes a piece of work of its own, under an opaque name, since rows are kept
 * longer than names may be.
 */
export async function postWithdrawalNotice(dependencies: DeliveryDependencies, key: string): Promise<void> {
  const { store } = dependencies;
  const [, id = '', who] = key.split(':');
  const row = await findWithdrawal(store, id);
  if (row === null) throw new Error(`there is no withdrawal ${id}`);
  // There is nothing left to prevent.
  if (row.status === 'failed' || row.calledOffAtMs !== null) return;
  const holders = (await holdersOf(store, row.walletId, HOLDERS_MAX)).filter(isReachable);
  if (who === undefined) return askForEach(dependencies, key, holders);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === who);
  if (holder !== undefined) await tell(dependencies, key, row, holder);
}

export function isWithdrawalNotice(key: string): boolean {
  return key.startsWith(`${WITHDRAWAL_NOTICE}:`);
}

function isReachable({ holderId }: WalletHolder): boolean {
  return transportOf(holderId) !== BROWSER;
}

function transportOf(holderId: string): string {
  return holderId.slice(0, holderId.indexOf(':'));
}

/** A chat that takes nothing must not keep the others from hearing it. */
async function askForEach({ store, now }: DeliveryDependencies, key: string, holders: readonly WalletHolder[]) {
  await store.tx(async (db) => {
    for (const { holderId } of holders) {
      await enqueue(db, store.tables, 'receipt', `${key}:${payerAccountId(holderId)}`, now());
    }
  });
}

async function tell(
  dependencies: DeliveryDependencies,
  onceKey: string,
  row: WithdrawalRow,
  { holderId, name }: WalletHolder,
): Promise<void> {
  const { store } = dependencies;
  const sender = senderFor(dependencies, transportOf(holderId));
  const user = await findChatUser(store, holderId);
  const standing = await addressStanding(store.read, store.tables, row);
  const facts = {
    amount: microUsdc(row.amountMicroUsdc),
    place: networkTitle(row.network, null),
    address: row.toAddress,
    at: new Date(isPutOff(row) ? row.notBeforeMs : (standing.sinceMs ?? row.createdAtMs) + ADDRESS_WAIT_MS),
    leavesAtOnce: !isPutOff(row),
    walletName: row.walletId === holderId ? null : name,
  };
  await sender.tell?.({ userId: holderId, onceKey, view: withdrawalNotice(facts, user?.language ?? null) });
}
