import type { Logger } from 'pino';
import type { Ids, RandomBytes } from '../../core/ids.ts';
import type { Network } from '../../core/networks.ts';
import type { AddressCheck } from '../../core/payments/payout-address.ts';
import type { Screen } from '../../core/screening/screening.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { MailsDaily } from '../../db/costs/mails.ts';
import type { Store } from '../../db/store/store.ts';
import type { Proofs } from '../../identity/proofs/proofs.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';

/** One check for each enabled network: a network without one is not offered. */
export type AddressChecks = { readonly [Name in Network]?: (text: string) => Promise<AddressCheck> };

/** Wallet address of an identity, by its id (core/claims/claims.ts). Addresses only: the API signs for no wallet. */
export type PersonalAddresses = { readonly [Name in Network]?: (walletId: string) => string };

export type ClaimsDependencies = {
  store: Store;
  ids: Pick<Ids, 'claimId' | 'identityId'>;
  transferIdOf: TransferIdOf;
  now: () => number;
  random: RandomBytes;
  log: Logger;
  /** Platforms whose names can be resolved and proven here. */
  platforms: readonly Platform[];
  proofs: Pick<Proofs, 'oauth' | 'farcaster' | 'email' | 'web'>;
  checkAddress: AddressChecks;
  /** Null: this installation keeps no money for recipients. */
  personalWallets: PersonalAddresses | null;
  /** Asked before a claim is confirmed. Null or absent: everyone who has proven a name may collect. */
  screen?: Screen | null;
  /** What one purse takes from us; 0: nothing new is kept; null: any sum. */
  purseMaxMicroUsdc: bigint | null;
  /** Wakes the worker; never waits and never fails. */
  notify: () => void;
  /** Tells all watchers of this claim. */
  announce: (claimId: string) => void;
  /** Resolves early when it was announced anywhere; false after the time is over. */
  waitForChange: (claimId: string, timeoutMs: number, signal: AbortSignal) => Promise<boolean>;
  /** For the links in mails. */
  baseUrl: string;
  /** Claims opened per caller and minute: each makes us ask a provider. */
  openLimiter: RateLimiter;
  /** Mails with codes that one network address may ask for in an hour. */
  mailsPerIpHourMax: number;
  /** Mails of all kinds in a day; null for any number. */
  mailsDailyMax: MailsDaily;
};
