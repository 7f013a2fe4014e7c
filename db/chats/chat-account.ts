import type { Ids } from '../../core/ids.ts';
import type { ChatPlatform } from '../../core/platforms/platforms.ts';
import { addHolder, walletsSeenBy } from '../wallets/holders.ts';
import { ensureIdentity } from '../identities/identities.ts';
import type { Store } from '../store/store.ts';
import { ensureUser, findChatUser } from './users.ts';

/** A user of a platform whose events reliably identify their sender. */
export type ChatAccount = {
  platform: ChatPlatform;
  /** The platform's own id of the person. */
  stableId: string;
  /** The name that the person goes by there now, as the platform writes it. */
  display: string;
  /** Where the person's own wallet is on the network that is paid from first. */
  walletAddress: string;
};

type Deps = { store: Store; ids: Pick<Ids, 'identityId'>; nowMs: number };

/**
 * Makes a chat account that was never seen before the holder of its own wallet, whose id is the account's. Called with
 * every event before the core sees it: without it the account holds nothing and may spend nothing. Once known, it costs
 * two reads. Answers the id.
 */
export async function ensureChatAccount({ store, ids, nowMs }: Deps, account: ChatAccount): Promise<string> {
  const { platform, stableId, display, walletAddress } = account;
  const id = `${platform}:${stableId}`;
  const held = await walletsSeenBy(store, id);
  // A holder is not added again: that would make this wallet the newest, and so the one that pays.
  if (!held.some(({ walletId }) => walletId === id)) {
    await store.tx(async (db) => {
      const person = { platform, stableId, key: stableId, display };
      const identityId = await ensureIdentity(db, store.tables, person, ids.identityId(), nowMs);
      await addHolder(db, store.tables, { holderId: id, walletId: id, identityId, name: id }, nowMs);
    });
  }
  const user = await findChatUser(store, id);
  if (user === null) await ensureUser(store, { id, transport: platform, walletAddress, createdAtMs: nowMs });
  return id;
}
