import { walletIdOf } from '../core/claims/claims.ts';
import { microUsdc } from '../core/money.ts';
import { findPlatform } from '../core/platforms/platforms.ts';
import { findPerson } from '../db/claims/person.ts';
import { networkTitle } from '../core/networks.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import { addedNotice, withdrawalNotice } from '../texts/notices/withdrawal.ts';
import { isPutOff, isToldEnough, knownFrom } from '../core/wallets/withdrawal-wait.ts';
import { lastReconciledMs } from '../db/operator/lost-payer.ts';
import { findChatUser } from '../db/chats/users.ts';
import { chatHoldersOf, sessionsOf, type WalletHolder } from '../db/wallets/holders.ts';
import { countOpen, enqueue } from '../db/store/outbox.ts';
import type { Store } from '../db/store/store.ts';
import { payerAccountId } from '../db/ledger/payer-account.ts';
import { findWithdrawal, type WithdrawalRow } from '../db/withdrawals/find.ts';
import { addressStanding } from '../db/withdrawals/standing.ts';
import { markTold } from '../db/withdrawals/notified.ts';
import { NotYet } from './outbox/not-yet.ts';
import { senderFor, type DeliveryDependencies } from './receipt-delivery.ts';

/** More chats than any holder has; each is one message. */
const HOLDERS_MAX = 100;

/**
 * Tells every holder of a wallet about a withdrawal to an unknown address. The holder who asked is told as well:
 * another person may have used their phone, and on Discord the bot's own answer disappears. Each holder becomes an
 * event of its own, because a chat that does not answer must not delay the others; a holder who joined since is told
 * too. This event stays open until those are done or no longer worth waiting for; only then the day begins after which
 * the money may leave.
 */
export async function notifyHolders({ store, now }: DeliveryDependencies, withdrawalId: string): Promise<void> {
  const row = await findOpen(store, withdrawalId);
  if (row === null) return;
  const holders = await chatHoldersOf(store, row.walletId, HOLDERS_MAX);
  const payloads = holders.map(({ holderId }) => ({ withdrawalId, holder: payerAccountId(holderId) }));
  await store.tx(async (db) => {
    for (const payload of payloads) await enqueue(db, store.tables, 'withdrawal_notice', payload, now());
  });
  const isUnderWay = (await countOpen(store, 'withdrawal_notice', payloads)) > 0;
  if (!isToldEnough({ ...row, isUnderWay }, now())) throw new NotYet(`not every holder knows of withdrawal ${row.id}`);
  await markTold(store, row.id, now());
}

export async function postWithdrawalNotice(
  dependencies: DeliveryDependencies,
  { withdrawalId, holder: account }: OutboxPayload<'withdrawal_notice'>,
): Promise<void> {
  const { store } = dependencies;
  const row = await findOpen(store, withdrawalId);
  if (row === null) return;
  const holders = await chatHoldersOf(store, row.walletId, HOLDERS_MAX);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === account);
  if (holder === undefined) return;
  // After a restore each is told once more: that they called it off may be lost.
  const restoredMs = await lastReconciledMs(store);
  const again = restoredMs !== null && restoredMs >= row.createdAtMs ? `:${restoredMs}` : '';
  await tell(dependencies, `leaves:${withdrawalId}:${account}${again}`, row, holder);
}

/** Null where nothing is left to prevent. */
async function findOpen(store: Store, id: string): Promise<WithdrawalRow | null> {
  const row = await findWithdrawal(store, id);
  if (row === null) throw new Error(`there is no withdrawal ${id}`);
  return row.status === 'failed' || row.calledOffAtMs !== null ? null : row;
}

function transportOf(holderId: string): string {
  return holderId.slice(0, holderId.indexOf(':'));
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
  // A request that is not notified yet counts as known a day from now: an earlier time could be over when this is read.
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

type Added = OutboxPayload<'holder_added'>;

/**
 * Tells every chat that holds a wallet of the browser or account that was let into it. Each is an event of its own, because a
 * chat that does not answer must not delay the others. The newcomer's own chat is told as well: another person may have used
 * it. Browsers cannot be written to; their page says it.
 */
export async function notifyOfHolder({ store, now }: DeliveryDependencies, added: Added): Promise<void> {
  const walletId = await walletOf(store, added);
  if (walletId === null || now() >= added.fromMs) return;
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  await store.tx(async (db) => {
    for (const { holderId } of holders) {
      await enqueue(db, store.tables, 'holder_notice', { ...added, toldTo: payerAccountId(holderId) }, now());
    }
  });
}

export async function postHolderNotice(
  dependencies: DeliveryDependencies,
  { toldTo, ...added }: OutboxPayload<'holder_notice'>,
): Promise<void> {
  const { store, now } = dependencies;
  const walletId = await walletOf(store, added);
  // Once it may spend nothing is left to prevent, and "before then" would not be true.
  if (walletId === null || now() >= added.fromMs) return;
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === toldTo);
  if (holder !== undefined) await tellOfHolder(dependencies, { ...added, walletId }, holder);
}

/** Null where the newcomer was ended meanwhile. */
async function walletOf(store: Store, { identityId, holder, fromMs }: Added): Promise<string | null> {
  const person = await findPerson(store, identityId);
  const platform = person === null ? null : findPlatform(person.platform);
  if (person === null || platform === null) throw new Error(`there is no person ${identityId} who was let in`);
  const walletId = walletIdOf(platform, person.stableId);
  const sessions = await sessionsOf(store, walletId);
  const isThere = sessions.some((one) => one.fromMs === fromMs && payerAccountId(one.holderId) === holder);
  return isThere ? walletId : null;
}

async function tellOfHolder(
  dependencies: DeliveryDependencies,
  { walletId, holder, fromMs }: Added & { walletId: string },
  { holderId, name }: WalletHolder,
): Promise<void> {
  const sender = senderFor(dependencies, transportOf(holderId));
  const user = await findChatUser(dependencies.store, holderId);
  const facts = { at: new Date(fromMs), walletName: walletId === holderId ? null : name };
  const onceKey = `added:${holder}:${String(fromMs)}:${payerAccountId(holderId)}`;
  const told = await sender.tell?.({ userId: holderId, onceKey, view: addedNotice(facts, user?.language ?? null) });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}
