import type { MicroUsdc } from '../money.ts';
import type { Network } from '../networks.ts';
import { platformsWhere, type Platform } from '../platforms/platforms.ts';

/** The recipient's address on each network where they want money. */
export type Addresses = { [Name in Network]?: string };

/**
 * Where the money goes: fixed before the proof, and named in it. `open` moves none: it lets a browser see what is kept for
 * the name.
 */
export type PayoutTarget = Addresses | { keep: true } | { open: true } | { decline: true };

/** From opening to confirmation, whatever happens in between. */
export const CLAIM_MS = 30 * 60_000;
/** A newer proof comes from the person at the browser now; an older one may be of a person who has left it. */
export const PROOF_FRESH_MS = 15 * 60_000;
/** How long a replaced payout address waits. */
export const REPLACEMENT_WAIT_MS = 24 * 3_600_000;
/** On platforms where addresses lapse, one that was unused for this long no longer counts. */
export const ADDRESS_LAPSE_MS = 180 * 24 * 3_600_000;
export const LAPSING_PLATFORMS = platformsWhere((row) => row.addressLapses);
/** Whether the name that a wallet is kept for may have a new owner once nobody used it for that long. */
export const mayLapse = (walletId: string): boolean =>
  LAPSING_PLATFORMS.some((platform) => walletId.startsWith(`${platform}:`));
export const NO_KEEP_PLATFORMS = platformsWhere((row) => !row.keepsWallets);
/** Platforms whose names are addresses that we write to. */
export const MAILED_PLATFORMS = platformsWhere((row) => row.toldBy === 'mail');
/** Platforms whose names only the payer may read. */
export const PRIVATE_PLATFORMS = platformsWhere((row) => row.mask !== undefined);

/** `waits` and `reminder` go out once per occasion; `address` warns that a payout address is about to change. */
export const NOTICE_KINDS = ['waits', 'reminder', 'address'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a caller sees of a claim. `rejected` has a reason, and includes declined claims. */
export const CLAIM_WIRE_STATUSES = ['pending', 'verified', 'paying', 'paid', 'expired', 'rejected'] as const;
export type ClaimWireStatus = (typeof CLAIM_WIRE_STATUSES)[number];

/** The id of the personal wallet of an identity, from which its key is derived. */
export function walletIdOf(platform: Platform, stableId: string): string {
  return `${platform}:${stableId}`;
}

/** What waits for, or went to, one identity on one network. */
export type NetworkSum = { network: Network; amount: MicroUsdc };
