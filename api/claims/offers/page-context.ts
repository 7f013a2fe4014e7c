import type { Language } from '../../../core/languages.ts';
import type { Platform } from '../../../core/platforms/platforms.ts';
import type { Network } from '../../../core/networks.ts';
import { NO_KEEP_PLATFORMS } from '../../../core/claims/claims.ts';
import type { Site } from '../../../web/page.ts';
import type { Claims } from '../claims.ts';
import type { Letters } from './letters.ts';

/** What all claim pages share. */
export type PageContext = {
  claims: Claims;
  letters: Letters;
  site: Site;
  now: () => number;
  /** How long money generally waits. */
  claimTtlMs: number;
  offers: ClaimOffers;
};

export type ClaimOffers = {
  platforms: readonly Platform[];
  /** As people call them. The first is asked for where nothing else is known. */
  networks: readonly { network: Network; title: string }[];
  /** Whether this installation has wallets for people who have none. */
  keeps: boolean;
  /** What is kept here for one person at most; 0: nothing new is kept; null: any sum. */
  purseMaxMicroUsdc: bigint | null;
  /** The origin of the sign-in; null where there is none. */
  signInOrigin: (platform: Platform) => string | null;
  /** Where local mode shows all mails and websites. */
  localPages: { mailbox: string; website: string } | null;
};

/** What went wrong in the last step, and what was typed. */
export type Problem = {
  text: (language: Language) => string;
  field: string | null;
  typed: Readonly<Record<string, string>>;
};

/** Errors name fields by their path, such as `payout.base`. */
export function isAbout(problem: Problem | null, name: string): boolean {
  return problem?.field?.split('.').at(-1) === name;
}

export function canKeep(pageContext: PageContext, platform: Platform): boolean {
  return pageContext.offers.purseMaxMicroUsdc !== 0n && canSignIn(pageContext, platform);
}

/** Also where nothing new is kept: what is there stays its owner's. */
export function canSignIn({ offers }: PageContext, platform: Platform): boolean {
  return offers.keeps && !NO_KEEP_PLATFORMS.includes(platform);
}

/** Forms of a page that opens claims are answered by a redirect to where the person signs in. */
export function formTargets({ offers }: PageContext, platform: Platform): string[] {
  const origin = offers.signInOrigin(platform);
  return origin === null ? ["'self'"] : ["'self'", new URL(origin).origin];
}
