import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { chosenWallet } from '../../db/chats/users.ts';
import { everHeldBy, walletsOfHolder, walletsSeenBy, type HeldWallet } from '../../db/wallets/holders.ts';
import type { Store } from '../../db/store/store.ts';
import type { Clock } from './clock.ts';

/** A wallet that a person may pay from. */
export type PersonWallet = {
  walletId: string;
  /** The name that it is kept for, such as `x:alice`; null for the person's own in this chat. */
  name: string | null;
};

/**
 * A browser's own wallet has the browser's id. Ids of people (`x:7`) must not pass for one, or a forged row would open
 * anyone's wallet: people's names have to be proven.
 */
const OWN_WALLET = /^chat:/;

/** The own one first, whose id is the person's, then what was kept for proven names, the newest first. */
export async function walletsOf(store: Store, userId: string, nowMs: number): Promise<PersonWallet[]> {
  const seen = await walletsSeen(store, userId, nowMs);
  return seen.filter(({ spendsFromMs }) => spendsFromMs <= nowMs).map(({ walletId, name }) => ({ walletId, name }));
}

/** `spendsFromMs`: until then this person may only look into it. `identityId`: whose money it is. */
export type SeenWallet = PersonWallet & { spendsFromMs: number; identityId: string | null };

/** Includes what this person may only look into, because others kept it before they proved the name. */
export async function walletsSeen(store: Store, userId: string, nowMs: number): Promise<SeenWallet[]> {
  const own = OWN_WALLET.test(userId) ? [{ walletId: userId, name: null, spendsFromMs: 0, identityId: null }] : [];
  // A community's wallet is nobody's: whatever a row says, no person spends from it.
  const kept = (await walletsSeenBy(store, userId)).filter(
    ({ walletId, looksFromMs }) => !isTreasuryWallet(walletId) && looksFromMs <= nowMs,
  );
  // An account of a chat platform holds its own wallet like one that it kept.
  const toSeen = ({ walletId, name, spendsFromMs, identityId }: HeldWallet): SeenWallet => ({
    walletId,
    name: walletId === userId ? null : name,
    spendsFromMs,
    identityId,
  });
  return [...own, ...kept.map(toSeen)];
}

/** What is kept under a name that this person has proven, and that is not shown before `looksFromMs`. */
export type UnseenWallet = { walletId: string; name: string; looksFromMs: number };

/** For names that nobody used for long: their books may be a previous owner's. */
export async function walletsUnseen(store: Store, userId: string, nowMs: number): Promise<UnseenWallet[]> {
  const unseen = (await walletsSeenBy(store, userId)).filter(({ looksFromMs }) => looksFromMs > nowMs);
  return unseen.map(({ walletId, name, looksFromMs }) => ({ walletId, name, looksFromMs }));
}

/** The wallet that this event is about. An adapter that names another's is broken, which ends the command. */
export async function heldWallet(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now'> },
  { userId, walletId }: { userId: string; walletId: string },
): Promise<PersonWallet> {
  const wallet = await findWallet(store, { userId, walletId }, clock.now());
  if (!wallet) throw new Error(`wallet ${walletId} is not one of ${userId}`);
  return wallet;
}

/** Null for a wallet that this person may not spend from: asked for each order or withdrawal, and before each signature. */
export async function findWallet(
  store: Store,
  { userId, walletId }: { userId: string; walletId: string },
  nowMs: number,
): Promise<PersonWallet | null> {
  const wallets = await walletsOf(store, userId, nowMs);
  return wallets.find((wallet) => wallet.walletId === walletId) ?? null;
}

/** Where this person may call off a withdrawal: a proof from before a restore is enough to keep money where it is. */
export async function watchedWallets(store: Store, userId: string, nowMs: number): Promise<PersonWallet[]> {
  const spendable = await walletsOf(store, userId, nowMs);
  const isNew = (walletId: string) => !spendable.some((wallet) => wallet.walletId === walletId);
  const older = (await everHeldBy(store, userId, nowMs)).filter(
    ({ walletId }) => !isTreasuryWallet(walletId) && isNew(walletId),
  );
  return [...spendable, ...older.map(({ walletId, name }) => ({ walletId, name }))];
}

/** What pays now: the newest kept wallet, unless the person has chosen another one since it came. */
export async function payingWalletOf(store: Store, userId: string, nowMs: number): Promise<string> {
  const [newest, ...older] = await walletsOfHolder(store, userId, nowMs);
  const chosen = await chosenWallet(store, userId);
  if (newest && newest.sinceMs > (chosen?.atMs ?? -Infinity)) return newest.walletId;
  const held = [newest, ...older].some((wallet) => wallet?.walletId === chosen?.walletId);
  return chosen !== null && held ? chosen.walletId : userId;
}
