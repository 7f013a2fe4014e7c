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

const TREASURY_WALLET = /^(?:discord-guild:[1-9][0-9]{0,19}|telegram-group:-[1-9][0-9]{0,15})$/;
/** Telegram renumbers a small group when it grows; ids below this never change (Bot API, "Chat"). */
const TELEGRAM_LASTING_MAX = -1_000_000_000_000;

/**
 * The id of a community's wallet, from which its keys are derived (chain/wallet-seed.ts); null where it can have none.
 * Ids of people's wallets begin with a platform or `chat:`, so the two cannot collide. It contains nothing but the
 * community, so a bot that lost its books finds the same wallet again.
 */
export function treasuryWalletOf({ transport, communityId }: Community): string | null {
  if (transport === 'discord') return checked(`discord-guild:${communityId}`);
  if (transport !== 'telegram' || !(Number(communityId) < TELEGRAM_LASTING_MAX)) return null;
  return checked(`telegram-group:${communityId}`);
}

/** Whether the wallet is a community's: no person holds it, and no order is paid from it. */
export function isTreasuryWallet(walletId: string): boolean {
  return TREASURY_WALLET.test(walletId);
}

function checked(walletId: string): string | null {
  return isTreasuryWallet(walletId) ? walletId : null;
}
