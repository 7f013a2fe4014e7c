import { shownAddress } from '../chain/shown-address.ts';
import { walletIdOf } from '../core/claims/claims.ts';
import { microUsdc } from '../core/money.ts';
import { findPlatform } from '../core/platforms/platforms.ts';
import { findPerson } from '../db/claims/person.ts';
import { networkTitle } from '../core/networks.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import { TREASURY_ADDRESS_WAIT_MS } from '../core/treasury/treasury.ts';
import { treasuryAddressNotice } from '../texts/notices/treasury.ts';
import { addedNotice, passkeyNotice, withdrawalNotice } from '../texts/notices/withdrawal.ts';
import { isGuardedAt } from '../core/wallets/passkeys.ts';
import { isPutOff, isToldEnough, knownFrom } from '../core/wallets/withdrawal-wait.ts';
import { lastReconciledMs } from '../db/operator/lost-payer.ts';
import { findChatUser } from '../db/chats/users.ts';
import { passkeysOf, toChange } from '../db/wallets/passkeys.ts';
import { chatHoldersOf, sessionsOf, type WalletHolder } from '../db/wallets/holders.ts';
import { countOpen, enqueue } from '../db/store/outbox.ts';
import type { Store } from '../db/store/store.ts';
import { payerAccountId } from '../db/ledger/payer-account.ts';
import { findTreasuryAddress, type TreasuryAddress } from '../db/treasury/treasury-addresses.ts';
import { decidersOf } from '../db/treasury/treasury-deciders.ts';
import { findWithdrawal, type WithdrawalRow } from '../db/withdrawals/find.ts';
import { addressStanding } from '../db/withdrawals/standing.ts';
import { markTold } from '../db/withdrawals/notified.ts';
import { MAILBOX, mailboxOf, mailHolder } from './chat/holder-mails.ts';
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
export async function notifyHolders({ store, now, mail }: DeliveryDependencies, withdrawalId: string): Promise<void> {
  const row = await findOpen(store, withdrawalId);
  if (row === null) return;
  const holders = await chatHoldersOf(store, row.walletId, HOLDERS_MAX);
  const told = [...holders.map(accountOf), ...mailboxOf({ mail }, row.walletId)];
  const payloads = told.map((holder) => ({ withdrawalId, holder }));
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
  if (account === MAILBOX) return mailHolder(dependencies, row.walletId, await leavingOf(dependencies, row));
  const holders = await chatHoldersOf(store, row.walletId, HOLDERS_MAX);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === account);
  if (holder === undefined) return;
  // After a restore each is told once more: these books may have lost that they called it off.
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

const accountOf = ({ holderId }: WalletHolder): string => payerAccountId(holderId);

function transportOf(holderId: string): string {
  return holderId.slice(0, holderId.indexOf(':'));
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
  const { kind, atMs, sum } = await leavingOf(dependencies, row);
  const facts = {
    amount: sum,
    place: networkTitle(row.network, null),
    address: shownAddress(row.toAddress),
    at: new Date(atMs),
    leavesAtOnce: kind === 'leaves_now',
    walletName: row.walletId === holderId ? null : name,
  };
  const view = withdrawalNotice(facts, user?.language ?? null);
  const told = await sender.tell?.({ userId: holderId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}

async function leavingOf({ store, now }: Pick<DeliveryDependencies, 'store' | 'now'>, row: WithdrawalRow) {
  const standing = await addressStanding(store.read, store.tables, row);
  // A request that is not notified yet counts as known a day from now: an earlier time could be over when this is read.
  const knownFromMs = knownFrom(standing, now());
  const sum = microUsdc(row.amountMicroUsdc);
  return isPutOff(row)
    ? { kind: 'leaves' as const, atMs: Math.max(row.notBeforeMs, knownFromMs), sum }
    : { kind: 'leaves_now' as const, atMs: knownFromMs, sum };
}

type Added = OutboxPayload<'holder_added'>;

/**
 * Tells every chat that holds a wallet about the browser or account that was let into it. Each is an event of its own, because a
 * chat that does not answer must not delay the others. The newcomer's own chat is told as well: another person may have used
 * it, and so is the mailbox that the wallet is kept for. Browsers cannot be written to; their page says it.
 */
export async function notifyOfHolder({ store, now, mail }: DeliveryDependencies, added: Added): Promise<void> {
  const walletId = await walletOf(store, added);
  if (walletId === null || now() >= added.fromMs) return;
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  await store.tx(async (db) => {
    for (const toldTo of [...holders.map(accountOf), ...mailboxOf({ mail }, walletId)]) {
      await enqueue(db, store.tables, 'holder_notice', { ...added, toldTo }, now());
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
  const known = await passkeysOf(store.read, store.tables, walletId, now());
  const isGuarded = isGuardedAt(known, added.fromMs);
  if (toldTo === MAILBOX) return mailHolder(dependencies, walletId, { kind: 'holder', atMs: added.fromMs, isGuarded });
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === toldTo);
  if (holder !== undefined) await tellOfHolder(dependencies, { ...added, walletId, isGuarded }, holder);
}

/** Null where the newcomer was ended meanwhile. */
async function walletOf(store: Store, { identityId, holder, fromMs }: Added): Promise<string | null> {
  const walletId = await walletIdOfPerson(store, identityId);
  const sessions = await sessionsOf(store, walletId);
  const isThere = sessions.some((one) => one.fromMs === fromMs && payerAccountId(one.holderId) === holder);
  return isThere ? walletId : null;
}

async function tellOfHolder(
  dependencies: DeliveryDependencies,
  { walletId, holder, fromMs, isGuarded }: Added & { walletId: string; isGuarded: boolean },
  { holderId, name }: WalletHolder,
): Promise<void> {
  const sender = senderFor(dependencies, transportOf(holderId));
  const user = await findChatUser(dependencies.store, holderId);
  const facts = { at: new Date(fromMs), walletName: walletId === holderId ? null : name, isGuarded };
  const onceKey = `added:${holder}:${String(fromMs)}:${payerAccountId(holderId)}`;
  const told = await sender.tell?.({ userId: holderId, onceKey, view: addedNotice(facts, user?.language ?? null) });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}

async function walletIdOfPerson(store: Store, identityId: string): Promise<string> {
  const person = await findPerson(store, identityId);
  const platform = person === null ? null : findPlatform(person.platform);
  if (person === null || platform === null) throw new Error(`there is no person ${identityId} who has a wallet here`);
  return walletIdOf(platform, person.stableId);
}

type PasskeyChanged = OutboxPayload<'passkey_changed'>;

/** Tells every chat that holds a wallet of its new passkey, or of one that is to go. Each is an event of its own. */
export async function notifyOfPasskey(
  { store, now, mail }: DeliveryDependencies,
  changed: PasskeyChanged,
): Promise<void> {
  const walletId = await walletWithPasskey(store, changed, now());
  if (walletId === null) return;
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  await store.tx(async (db) => {
    for (const toldTo of [...holders.map(accountOf), ...mailboxOf({ mail }, walletId)]) {
      await enqueue(db, store.tables, 'passkey_notice', { ...changed, toldTo }, now());
    }
  });
}

export async function postPasskeyNotice(
  dependencies: DeliveryDependencies,
  { toldTo, ...changed }: OutboxPayload<'passkey_notice'>,
): Promise<void> {
  const { store, now } = dependencies;
  const walletId = await walletWithPasskey(store, changed, now());
  if (walletId === null) return;
  if (toldTo === MAILBOX) {
    // Of one that counts already there is nothing to stop.
    if (changed.fromMs <= now()) return;
    const kind = changed.change === 'added' ? 'passkey_added' : 'passkey_ends';
    return mailHolder(dependencies, walletId, { kind, atMs: changed.fromMs });
  }
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  const holder = holders.find(({ holderId }) => payerAccountId(holderId) === toldTo);
  if (holder === undefined) return;
  const { holderId, name } = holder;
  const { change, passkey, fromMs } = changed;
  const user = await findChatUser(store, holderId);
  const facts = { at: new Date(fromMs), walletName: walletId === holderId ? null : name, change };
  const onceKey = `passkey:${change}:${passkey}:${String(fromMs)}:${toldTo}`;
  const view = passkeyNotice(facts, user?.language ?? null);
  const told = await senderFor(dependencies, transportOf(holderId)).tell?.({ userId: holderId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}

/** Null where it was stopped meanwhile. */
async function walletWithPasskey(store: Store, changed: PasskeyChanged, nowMs: number): Promise<string | null> {
  const walletId = await walletIdOfPerson(store, changed.identityId);
  const passkeys = await passkeysOf(store.read, store.tables, walletId, nowMs);
  const isAsTold = passkeys.some((one) => {
    const { passkey, fromMs } = toChange(one, changed.change);
    return passkey === changed.passkey && fromMs === changed.fromMs;
  });
  return isAsTold ? walletId : null;
}

type Announced = OutboxPayload<'treasury_address_set'>;

/** Each is one message. */
const DECIDERS_MAX = 50;

/**
 * Tells those who have decided about a treasury's money before of a new address for it, each alone. The announcement in the
 * chat is not enough: a thief of the owner's account can post it where nobody reads, or delete it. Each is an event of its
 * own, because a chat that does not answer must not delay the others.
 */
export async function notifyOfTreasuryAddress({ store, now }: DeliveryDependencies, set: Announced): Promise<void> {
  const row = await findWaiting(store, set, now());
  if (row === null) return;
  const deciders = await decidersOf(store, row.walletId, DECIDERS_MAX);
  await store.tx(async (db) => {
    for (const userId of deciders) {
      const payload = { ...set, toldTo: payerAccountId(userId) };
      await enqueue(db, store.tables, 'treasury_address_notice', payload, now());
    }
  });
}

export async function postTreasuryNotice(
  dependencies: DeliveryDependencies,
  { toldTo, ...set }: OutboxPayload<'treasury_address_notice'>,
): Promise<void> {
  const { store, now } = dependencies;
  const row = await findWaiting(store, set, now());
  if (row === null) return;
  const userId = (await decidersOf(store, row.walletId, DECIDERS_MAX)).find((id) => payerAccountId(id) === toldTo);
  if (userId === undefined) return;
  const user = await findChatUser(store, userId);
  const { network, address } = row;
  const facts = {
    place: networkTitle(network, null),
    network,
    address: shownAddress(address),
    at: new Date(set.announcedAtMs + TREASURY_ADDRESS_WAIT_MS),
  };
  const view = treasuryAddressNotice(facts, user?.language ?? null);
  const onceKey = `treasury:${set.addressId}:${set.announcedAtMs}:${toldTo}`;
  const told = await senderFor(dependencies, row.transport).tell?.({ userId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}

/** Null where nothing is left to prevent: it was taken back, waits from another time on, or counts already. */
async function findWaiting(
  store: Store,
  { addressId, announcedAtMs }: Announced,
  nowMs: number,
): Promise<TreasuryAddress | null> {
  const row = await findTreasuryAddress(store, addressId);
  if (row === null) throw new Error(`there is no address ${addressId} of a treasury`);
  if (row.cancelledAtMs !== null || row.announcedAtMs !== announcedAtMs) return null;
  return announcedAtMs + TREASURY_ADDRESS_WAIT_MS > nowMs ? row : null;
}
