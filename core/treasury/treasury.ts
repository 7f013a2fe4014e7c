import { CHAT_ROWS, findChatRow } from '../chats/chats.ts';

/** The money of a community: its wallet, and the waiting times. */

/** A guild or group, by the platform's own id. */
type Community = { transport: string; communityId: string };

/** How long an address is visible to the whole community before money may be sent to it. */
export const TREASURY_ADDRESS_WAIT_MS = 24 * 3_600_000;
/** How long a withdrawal waits for its confirmations. */
export const TREASURY_CARD_MS = 24 * 3_600_000;

/** The role of a member when they confirmed. */
export const TREASURY_ROLES = ['owner', 'moderator'] as const;
export type TreasuryRole = (typeof TREASURY_ROLES)[number];

/**
 * The id of a community's wallet, from which its keys are derived (chain/wallet-seed.ts); null where it can have none.
 * Ids of people's wallets begin with a platform or `chat:`, so the two cannot collide. It contains nothing but the
 * community, so a bot that lost its books finds the same wallet again.
 */
export function treasuryWalletOf({ transport, communityId }: Community): string | null {
  const treasury = findChatRow(transport)?.treasury ?? null;
  if (treasury === null || !treasury.idForm.test(communityId) || !treasury.isLasting(communityId)) return null;
  return `${treasury.prefix}:${communityId}`;
}

/** Whether the wallet is a community's: no person holds it, and no order is paid from it but that of a confirmed drop. */
export function isTreasuryWallet(walletId: string): boolean {
  const [prefix, ...rest] = walletId.split(':');
  const { idForm } = CHAT_ROWS.find(({ treasury }) => treasury?.prefix === prefix)?.treasury ?? {};
  return idForm?.test(rest.join(':')) ?? false;
}

/** Why a community in this chat has no wallet yet: it is small, and the platform will give it another id. */
export function isRenumbered({ transport, communityId }: Community): boolean {
  const treasury = findChatRow(transport)?.treasury ?? null;
  return treasury !== null && !treasury.isLasting(communityId);
}
