import { CLAIM_MS, type PayoutTarget } from '../../../core/claims/claims.ts';
import { AppError } from '../../../core/errors.ts';
import { microUsdc } from '../../../core/money.ts';
import { claimMethodOf, findPlatform } from '../../../core/platforms/platforms.ts';
import { formatRecipient, parseRecipient, type Recipient } from '../../../core/platforms/recipient.ts';
import type { Claims, ClaimSteps, ClaimView, Opener } from '../../../api/claims/claims.ts';

export const CODE = '12345678';
/** Of the link in the mail to alice@example.com. */
export const MAIL_SECRET = 'S'.repeat(43);
export const SIGN_IN = 'https://provider.example';
export const BASE_ADDRESS = '0x1234567890abcdef1234567890abcdef12345678';
export const SOLANA_ADDRESS = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
export const KEPT_ADDRESS = '0x9999567890abcdef1234567890abcdef99995678';

export type MemoryClaims = Claims & {
  /** What was asked of the port, newest last. */
  calls: string[];
  /** Makes a claim be in any state. */
  set: (claimId: string, change: Partial<ClaimView>) => void;
  /** The next call of this name fails like this. */
  failNext: (call: string, error: AppError) => void;
  latestId: () => string;
  /** Whether the phone has answered; until then asking about it changes nothing. */
  hasSaidYes: boolean;
  /** What waits for everybody; null: nothing. */
  waiting: bigint | null;
};

type Stored = { view: ClaimView; opener: Opener; token: string | null };

/** The port without proofs, chain or database, for tests of its pages: who types the code is believed. */
export function createMemoryClaims(now: () => number): MemoryClaims {
  const claims = new Map<string, Stored>();
  const failures = new Map<string, AppError>();
  const calls: string[] = [];
  let count = 0;

  function note(call: string, ...rest: string[]): void {
    calls.push([call, ...rest].join(' '));
    const failure = failures.get(call);
    failures.delete(call);
    if (failure) throw failure;
  }

  function find(claimId: string, opener: Opener): Stored {
    const stored = claims.get(claimId);
    if (stored === undefined || JSON.stringify(stored.opener) !== JSON.stringify(opener)) {
      throw new AppError('claim_not_found');
    }
    return stored;
  }

  function change(claimId: string, opener: Opener, part: Partial<ClaimView>): ClaimView {
    const stored = find(claimId, opener);
    stored.view = { ...stored.view, ...part };
    return stored.view;
  }

  function finish(claimId: string, opener: Opener, token: string, part: Partial<ClaimView>): ClaimView {
    const stored = find(claimId, opener);
    if (stored.token !== token) throw new AppError('invalid_confirm_token', { field: 'confirm_token' });
    return change(claimId, opener, part);
  }

  const memory: MemoryClaims = {
    calls,
    waiting: 3_200_000n,
    hasSaidYes: false,
    latestId: () => [...claims.keys()].at(-1) ?? '',
    set: (claimId, part) => {
      const stored = claims.get(claimId);
      if (stored === undefined) throw new Error(`there is no claim ${claimId}`);
      stored.view = { ...stored.view, ...part };
    },
    failNext: (call, error) => failures.set(call, error),
    open: async (request, opener) => {
      note('open', request.platform, request.handle, JSON.stringify(request.payout), request.receiptSlug ?? '-');
      count += 1;
      const claimId = `claim_${String(count).padStart(22, '0')}`;
      const recipient = parseRecipient(findPlatform(request.platform) ?? 'x', request.handle);
      const view = newView({ claimId, recipient, payout: request.payout as PayoutTarget, nowMs: now() });
      claims.set(claimId, { view: { ...view, receiptSlug: request.receiptSlug }, opener, token: null });
      return view.receiptSlug === request.receiptSlug ? view : { ...view, receiptSlug: request.receiptSlug };
    },
    mailboxOf: async (secret) => (secret === MAIL_SECRET ? 'alice@example.com' : null),
    openFromMail: async ({ secret, payout }, opener) => {
      note('openFromMail', secret, JSON.stringify(payout));
      count += 1;
      const claimId = `claim_${String(count).padStart(22, '0')}`;
      const recipient = parseRecipient('email', 'alice@example.com');
      const view = newView({ claimId, recipient, payout: payout as PayoutTarget, nowMs: now() });
      claims.set(claimId, { view: { ...view, ...verifiedPart(view, memory.waiting) }, opener, token: null });
      return view;
    },
    finishOauth: async () => {
      throw new Error('not used here');
    },
    prove: async (claimId, step, opener) => {
      note('prove', step.method);
      if (step.method === 'email' && step.code !== CODE) throw new AppError('wrong_code', { field: 'code' });
      const { view } = find(claimId, opener);
      if (step.method === 'siwf' && !memory.hasSaidYes) return view;
      return change(claimId, opener, verifiedPart(view, memory.waiting));
    },
    sendCodeAgain: async (claimId, opener) => {
      note('sendCodeAgain');
      return find(claimId, opener).view;
    },
    issueConfirmToken: async (claimId, opener) => {
      note('issueConfirmToken');
      const stored = find(claimId, opener);
      count += 1;
      stored.token = `token-${String(count)}`;
      return stored.token;
    },
    confirm: async (claimId, token, opener) => {
      note('confirm', token);
      return finish(claimId, opener, token, { status: memory.waiting === null ? 'paid' : 'paying' });
    },
    decline: async (claimId, token, opener, { optOut }) => {
      note('decline', String(optOut));
      return finish(claimId, opener, token, { status: 'rejected', reason: 'declined' });
    },
    read: async (claimId, opener) => find(claimId, opener).view,
    waitForChange: async () => undefined,
  };
  return memory;
}

type New = { claimId: string; recipient: Recipient; payout: PayoutTarget; nowMs: number };

function newView({ claimId, recipient, payout, nowMs }: New): ClaimView {
  return {
    claimId,
    recipient,
    method: claimMethodOf(recipient.platform),
    payout,
    status: 'pending',
    expiresAtMs: nowMs + CLAIM_MS,
    steps: stepsFor(recipient, nowMs),
    reason: null,
    provenName: null,
    total: null,
    sums: null,
    waitsForRoute: null,
    returned: null,
    destinations: null,
    effectiveAtMs: null,
    spendsFromMs: null,
    isGuarded: false,
    looksFromMs: null,
    txnIds: [],
    transactionHashes: [],
    receiptSlug: null,
  };
}

function stepsFor({ platform, key }: Recipient, nowMs: number): ClaimSteps {
  switch (claimMethodOf(platform)) {
    case 'oauth':
      return { oauth: { url: `${SIGN_IN}/authorize?client_id=pennypost&state=abc&scope=` } };
    case 'siwf':
      return { siwf: { url: `https://farcaster.example/~/sign-in?channelToken=${'A1b2'.repeat(12)}` } };
    case 'email':
      return { email: { to: key, codeExpiresAtMs: nowMs + 600_000, triesLeft: 5, lastMailAtMs: nowMs } };
    case 'domain': {
      const line = `pennypost=${'Zz09'.repeat(8)}`;
      return { domain: { txtName: `_pennypost.${key}`, fileUrl: `https://${key}/.well-known/pennypost.txt`, line } };
    }
    case 'chat':
      return {};
  }
}

export function verifiedPart(view: ClaimView, waiting: bigint | null): Partial<ClaimView> {
  const { payout, recipient } = view;
  const sums = waiting === null ? [] : [{ network: 'base' as const, amount: microUsdc(waiting) }];
  const given = 'base' in payout ? payout.base : 'keep' in payout ? KEPT_ADDRESS : undefined;
  return {
    status: 'verified',
    steps: {},
    provenName: formatRecipient(recipient),
    sums,
    total: microUsdc(waiting ?? 0n),
    destinations: given === undefined ? [] : [{ network: 'base', address: given }],
  };
}
