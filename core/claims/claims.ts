import type { MicroUsdc } from '../money.ts';
import type { Network } from '../networks.ts';
import { platformsWhere, type Platform } from '../platforms/platforms.ts';

/** One address for each network on which money is wanted. */
export type Addresses = { [Name in Network]?: string };

/** Where the money shall go: fixed before the proof, and named in it (contract, section 8). */
export type PayoutTarget = Addresses | { keep: true } | { decline: true };

/** From opening to the last word, whatever happens between. */
export const CLAIM_MS = 30 * 60_000;
/** A proof that is no older is one by whoever sits there now, and not by somebody who has left a browser behind. */
export const PROOF_FRESH_MS = 15 * 60_000;
/** How long a replaced payout address waits (contract, section 8). */
export const REPLACEMENT_WAIT_MS = 24 * 3_600_000;
/** Where addresses lapse, one that was not used for so long no longer counts. */
export const ADDRESS_LAPSE_MS = 180 * 24 * 3_600_000;
export const LAPSING_PLATFORMS = platformsWhere((row) => row.addressLapses);
export const NO_KEEP_PLATFORMS = platformsWhere((row) => !row.keepsWallets);
/** Where the name is an address that we write to ourselves. */
export const MAILED_PLATFORMS = platformsWhere((row) => row.toldBy === 'mail');
/** Where only the payer may read the name. */
export const PRIVATE_PLATFORMS = platformsWhere((row) => row.mask !== undefined);

/** `waits` and `reminder` go out once an occasion; `address` says that a payout address is about to change. */
export const NOTICE_KINDS = ['waits', 'reminder', 'address'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a caller sees of a claim. `rejected` says why in its reason; a declined claim is one. */
export const CLAIM_WIRE_STATUSES = ['pending', 'verified', 'paying', 'paid', 'expired', 'rejected'] as const;
export type ClaimWireStatus = (typeof CLAIM_WIRE_STATUSES)[number];

/** The id of the personal wallet of an identity, from which its key is derived. */
export function walletIdOf(platform: Platform, stableId: string): string {
  return `${platform}:${stableId}`;
}

/** What waits for, or went to, one identity on one network. */
export type NetworkSum = { network: Network; amount: MicroUsdc };
