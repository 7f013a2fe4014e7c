/** The money of a community: where it lies, and how long what concerns it has to wait. */

/** A guild or a group, by the platform's own id. */
type Community = { transport: string; communityId: string };

/** So long an address has stood there for all to see before anything may be sent to it. */
export const TREASURY_ADDRESS_WAIT_MS = 24 * 3_600_000;
/** So long a withdrawal waits for those who have to confirm it. */
export const TREASURY_CARD_MS = 24 * 3_600_000;

/** What somebody was when he confirmed. */
export const TREASURY_ROLES = ['owner', 'moderator'] as const;
export type TreasuryRole = (typeof TREASURY_ROLES)[number];

const TREASURY_WALLET = /^(?:discord-guild:[1-9][0-9]{0,19}|telegram-group:-[1-9][0-9]{0,15})$/;
/** Telegram gives a small group another number when it grows; those below this keep theirs (Bot API, "Chat"). */
const TELEGRAM_LASTING_MAX = -1_000_000_000_000;

/**
 * The wallet of a community, by the id that its keys are derived from (chain/wallet-seed.ts); null where it can have none.
 * No person can have such an id: theirs begin with the name of a platform or with `chat:`. It says nothing but whose it
 * is, so a bot that was away, or has lost its books, finds the same wallet again.
 */
export function treasuryWalletOf({ transport, communityId }: Community): string | null {
  if (transport === 'discord') return checked(`discord-guild:${communityId}`);
  if (transport !== 'telegram' || !(Number(communityId) < TELEGRAM_LASTING_MAX)) return null;
  return checked(`telegram-group:${communityId}`);
}

/** Whether this is a community's, which no person holds and no order is paid from. */
export function isTreasuryWallet(walletId: string): boolean {
  return TREASURY_WALLET.test(walletId);
}

function checked(walletId: string): string | null {
  return isTreasuryWallet(walletId) ? walletId : null;
}
