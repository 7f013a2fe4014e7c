import { randomBytes } from 'node:crypto';
import type { ClaimView, Opener } from '../../../api/claims/claims.ts';
import type { PayoutTarget } from '../../../core/claims/claims.ts';
import { microUsdc } from '../../../core/money.ts';
import { browserCookieName, browserIdOf, newBrowserSecret } from '../../../identity/browsers.ts';
import { NOW_MS } from '../pages/installation.ts';
import { BASE_ADDRESS, SOLANA_ADDRESS, verifiedPart } from './memory-claims.ts';
import type { ServedInstallation } from './server.ts';

const KEEP = { keep: true } as const;
const BOTH = { base: BASE_ADDRESS, solana: SOLANA_ADDRESS };
const HASH = `0x${'ab'.repeat(32)}`;

type Shown = {
  name: readonly [platform: string, handle: string];
  payout: PayoutTarget;
  /** What waits; null: nothing. */
  waiting?: bigint | null;
  isVerified?: boolean;
  change?: Partial<ClaimView>;
  /** The receipt that it was opened from. */
  receiptSlug?: string;
};

/** Every state that a claim can be seen in, by name. */
const CLAIMS: Readonly<Record<string, Shown>> = {
  'sign in': { name: ['x', 'alice'], payout: KEEP },
  'sign in refused': { name: ['code', 'octocat'], payout: BOTH, change: { reason: 'denied_by_user' } },
  'mail code': { name: ['email', 'alice@example.com'], payout: KEEP },
  'mail code over': {
    name: ['email', 'a.very.long.address.that.goes.on@subdomain.example.com'],
    payout: KEEP,
    change: {
      steps: { email: { to: 'alice@example.com', codeExpiresAtMs: NOW_MS - 1, triesLeft: 5, lastMailAtMs: null } },
    },
  },
  'mail to another browser': {
    name: ['email', 'alice@example.com'],
    payout: KEEP,
    change: {
      steps: { email: { to: 'alice@example.com', codeExpiresAtMs: null, triesLeft: 5, lastMailAtMs: NOW_MS - 1 } },
    },
  },
  farcaster: { name: ['decsocial', 'alice'], payout: KEEP },
  website: { name: ['web', 'example.com'], payout: { base: BASE_ADDRESS } },
  'verified, kept': { name: ['x', 'alice'], payout: KEEP, isVerified: true },
  'verified, address': { name: ['x', 'alice'], payout: { base: BASE_ADDRESS }, isVerified: true },
  'verified, two addresses': {
    name: ['email', 'alice@example.com'],
    payout: BOTH,
    isVerified: true,
    change: {
      destinations: [
        { network: 'base', address: BASE_ADDRESS },
        { network: 'solana', address: SOLANA_ADDRESS },
      ],
    },
  },
  'verified, money on the other network': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    change: {
      sums: [
        { network: 'base', amount: microUsdc(2_000_000n) },
        { network: 'solana', amount: microUsdc(1_200_000n) },
      ],
    },
  },
  'verified, nothing waits': { name: ['x', 'alice'], payout: { base: BASE_ADDRESS }, isVerified: true, waiting: null },
  'verified, declined': { name: ['x', 'alice'], payout: { decline: true }, isVerified: true },
  'signed in, and waits': {
    name: ['x', 'alice'],
    payout: { open: true },
    isVerified: true,
    change: { spendsFromMs: NOW_MS + 86_400_000 },
  },
  'kept in a second browser': {
    name: ['x', 'alice'],
    payout: KEEP,
    isVerified: true,
    change: { spendsFromMs: NOW_MS + 86_400_000 },
  },
  'on its way': { name: ['x', 'alice'], payout: KEEP, isVerified: true, change: { status: 'paying' } },
  'on its way, sent': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    change: { status: 'paying', transactionHashes: [HASH] },
  },
  'paid, kept': { name: ['x', 'alice'], payout: KEEP, isVerified: true, change: { status: 'paid' } },
  'paid, address': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    change: { status: 'paid', transactionHashes: [HASH] },
  },
  'nothing waits any more, address': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    waiting: null,
    change: { status: 'paid' },
  },
  'nothing waits any more, website': {
    name: ['web', 'example.com'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    waiting: null,
    change: { status: 'paid' },
  },
  'address for later': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    waiting: null,
    change: { status: 'paid', effectiveAtMs: NOW_MS + 86_400_000 },
  },
  'waits for a route': {
    name: ['x', 'alice'],
    payout: { solana: SOLANA_ADDRESS },
    isVerified: true,
    change: {
      status: 'paying',
      destinations: [{ network: 'solana', address: SOLANA_ADDRESS }],
      waitsForRoute: {
        sums: [{ network: 'base', amount: microUsdc(3_200_000n) }],
        untilMs: NOW_MS + 30 * 86_400_000,
        purseMaxMicroUsdc: null,
      },
    },
  },
  'no room in the purse': {
    name: ['x', 'alice'],
    payout: KEEP,
    isVerified: true,
    change: {
      status: 'paying',
      waitsForRoute: {
        sums: [{ network: 'base', amount: microUsdc(3_200_000n) }],
        untilMs: NOW_MS + 30 * 86_400_000,
        purseMaxMicroUsdc: 100_000_000n,
      },
    },
  },
  'purses are closed': {
    name: ['x', 'alice'],
    payout: KEEP,
    isVerified: true,
    change: {
      status: 'paying',
      waitsForRoute: {
        sums: [{ network: 'base', amount: microUsdc(3_200_000n) }],
        untilMs: NOW_MS + 30 * 86_400_000,
        purseMaxMicroUsdc: 0n,
      },
    },
  },
  'went back': {
    name: ['x', 'alice'],
    payout: { solana: SOLANA_ADDRESS },
    isVerified: true,
    waiting: null,
    change: { status: 'expired', returned: { amount: microUsdc(3_200_000n), isThere: true, isLate: true } },
  },
  'went back in part': {
    name: ['x', 'alice'],
    payout: { base: BASE_ADDRESS },
    isVerified: true,
    change: { status: 'paid', returned: { amount: microUsdc(1_000_000n), isThere: false, isLate: true } },
  },
  expired: { name: ['x', 'alice'], payout: KEEP, change: { status: 'expired', steps: {} } },
  'wrong account': { name: ['x', 'alice'], payout: KEEP, change: { status: 'rejected', reason: 'wrong_account' } },
  declined: { name: ['x', 'alice'], payout: KEEP, change: { status: 'rejected', reason: 'declined' } },
};

export type Visitor = { opener: Opener; cookie: { name: string; value: string; url: string } };

export function newVisitor({ url }: ServedInstallation): Visitor {
  const value = newBrowserSecret(randomBytes);
  const browserId = browserIdOf(value);
  if (browserId === null) throw new Error('expected a secret of ours to name a browser');
  return { opener: { kind: 'browser', browserId }, cookie: { name: browserCookieName(false), value, url } };
}

/** A claim of this visitor in any state; answers its path. */
export async function showClaim({ claims }: ServedInstallation, { opener }: Visitor, shown: Shown): Promise<string> {
  const [platform, handle] = shown.name;
  const request = { platform, handle, payout: shown.payout, receiptSlug: shown.receiptSlug ?? null, callerIp: null };
  const view = await claims.open(request, opener);
  const waiting = shown.waiting === undefined ? 3_200_000n : shown.waiting;
  if (shown.isVerified === true) claims.set(view.claimId, verifiedPart(view, waiting));
  claims.set(view.claimId, { ...shown.change });
  return `/claims/${view.claimId}`;
}

/** Names of pages and their paths, as this visitor sees them. */
export async function listPages(installation: ServedInstallation, visitor: Visitor): Promise<Map<string, string>> {
  const payment = { description: 'Thanks for the quick fix on Friday night!', meta: { agent_name: 'Marta' } };
  const letter = await installation.seed({ payment, amountMicroUsdc: 3_200_000n });
  const toMail = await installation.seed({ payment, line: { platform: 'email', recipientKey: 'alice@example.com' } });
  const taken = await installation.seed({ payout: { status: 'final' }, payment: { status: 'final' } });
  const host = `${'a-very-long-label'.repeat(3)}.${'b'.repeat(60)}.example.com`;
  const pages = new Map([
    ['start', '/claim/x/alice'],
    ['start with a receipt', `/claim/x/alice?receipt=${letter.slug}`],
    ['start with a receipt that is collected', `/claim/x/alice?receipt=${taken.slug}`],
    ['start for a long website', `/claim/web/${host}`],
    ['start for a chat', '/claim/discord/175928847299117063'],
    ['asks for an address', `/claim/email?receipt=${toMail.slug}`],
    ['asks for an address again', '/claim/email?handle=alice%40'],
    ['another browser', `/claims/claim_${'9'.repeat(22)}?platform=x&handle=alice`],
    ['lost sign-in', '/claims/callback/x?state=a'],
    ['no such platform', '/claim/myspace/tom'],
    ['signs in to what is kept', '/claim/x?for=purse'],
    ['signs in by mail', '/claim/email?for=purse'],
  ]);
  const toSite = await installation.seed({
    line: { platform: 'web', recipientKey: 'example.com' },
    payout: { status: 'final' },
    payment: { status: 'final' },
  });
  const cameByLetter = {
    'sign in': letter.slug,
    'mail code': toMail.slug,
    'wrong account': letter.slug,
    'nothing waits any more, website': toSite.slug,
  };
  const receipts = new Map(Object.entries(cameByLetter));
  for (const [name, of] of Object.entries(CLAIMS)) {
    const receiptSlug = receipts.get(name);
    const shown = receiptSlug === undefined ? of : { ...of, receiptSlug };
    pages.set(name, await showClaim(installation, visitor, shown));
  }
  return pages;
}
