/** Collecting as the service has it: real books on SQLite, real stand-ins for every provider, and visitors with cookies. */
import { randomBytes } from 'node:crypto';
// Loaded here, because the proof loads it within the time limit of its first step, which a busy machine exceeds.
import '@farcaster/auth-client';
import { pino } from 'pino';
import { createClaimsApp } from '../../../api/claims/http/app.ts';
import type { ClaimsDependencies } from '../../../api/claims/dependencies.ts';
import { toClaimsApp } from '../../../api/claims/http/mount.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { checkEvmAddress } from '../../../chain/evm/payout-address.ts';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { checkSolanaAddress } from '../../../chain/solana/payout-address.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { createProofs } from '../../../identity/proofs/proofs.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';
import { createLocalIdentity, localUserId } from '../../../local/identity.ts';
import { startIdentityStandIns } from '../../../local/identity/platforms/stand-ins.ts';
import { createAnnouncer } from '../../../queue/announcer.ts';
import { createStreamPlaces } from '../../../queue/stream-places.ts';
import { openBooks, TREASURY } from '../../support/books.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';
import { BASE_TERMS } from '../pages/installation.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export const BASE_URL = 'http://127.0.0.1:8402';
export const BOT_TOKEN = 'the-bot-token-of-the-test-0123456789';
/** Of the one pretend node: USDC has barred it. */
export const BARRED = `0x${'ba'.repeat(20)}`;

const HOUR_MS = 3_600_000;
const random = (count: number): Uint8Array => randomBytes(count);
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

export type World = Awaited<ReturnType<typeof startWorld>>;

/** `openedPerMinute`: claims of one caller; none is refused without it. */
type Limits = { openedPerMinute?: number; streamsMax?: number };

export async function startWorld(brought: Partial<ClaimsDependencies> = {}, limits: Limits = {}) {
  const { openedPerMinute = 0, streamsMax } = limits;
  const books = await openBooks();
  const now = () => books.clock.nowMs;
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const standIns = await startIdentityStandIns({ baseUrl: () => BASE_URL, idOf: localUserId, random, now });
  const { mode } = parseConfig({});
  const mails = createMailTexts({ operatorName: 'the test', supportUrl: undefined, baseUrl: BASE_URL });
  const { toHostUrl } = standIns;
  const proofs = createProofs(standIns.identity, { mode, baseUrl: BASE_URL, mails, random, now, log, toHostUrl });
  const announcer = createAnnouncer({ target: null, log });
  const seed = new Uint8Array(32).fill(7);
  const barred = new Set([BARRED]);
  const identity = createLocalIdentity('configured');
  const ids = books.ids;
  const callerLimiter = createRateLimiter(0, now);
  const shared = { store: books.store, ids, now, log, identity, notify: () => undefined, callerLimiter };
  // No timer: the clock stands still, so only what is announced ends a wait.
  const waitForChange = async (claimId: string, _timeoutMs: number, signal: AbortSignal) =>
    (await announcer.waitFor(`claim:${claimId}`, HOUR_MS, signal)) === 'announced';
  const collecting = createTestCollecting(shared, {
    proofs,
    checkAddress: createChecks(barred),
    personalWallets: {
      base: createPersonalWallets({ seed, profile: evmProfile('base', 'local') }).addressOf,
      solana: createSolanaPersonalWallets({ seed, profile: solanaProfile('local') }).addressOf,
    },
    announce: (claimId) => announcer.announce(`claim:${claimId}`),
    waitForChange,
    openLimiter: createRateLimiter(openedPerMinute, now),
    ...brought,
  });
  const app = createClaimsApp(
    toClaimsApp(
      {
        ...shared,
        collecting,
        settings: SETTINGS,
        networks: [{ terms: BASE_TERMS }],
        waitForChange: async () => false,
      },
      createStreamPlaces({ total: streamsMax }),
    ),
  );

  return {
    ...books,
    app,
    claims: collecting.claims,
    barred,
    newVisitor: (address?: string): Visitor => createVisitor(app, address),
    /** Money that waits for this name, whose owner has the id that its stand-in says. */
    payTo: async (platform: 'x' | 'code' | 'photo' | 'decsocial' | 'email' | 'web' | 'discord', name: string) => {
      const recipient = parseRecipient(platform, name);
      const isName = platform === 'email' || platform === 'web' || platform === 'discord';
      const stableId = isName ? recipient.key : localUserId(recipient);
      return books.pay({ payees: [{ platform, name: recipient.key, stableId }] });
    },
    mailsTo: async (address: string): Promise<string> =>
      (await fetch(`${standIns.pages.mailbox}/?address=${encodeURIComponent(address)}`)).text(),
    publish: (host: string, text: string, where: 'file' | 'record') =>
      fetch(standIns.pages.website, { method: 'POST', body: new URLSearchParams({ host, text, where }) }),
    close: async () => {
      await announcer.close();
      await proofs.close();
      await standIns.close();
      await books.close();
    },
  };
}

const SETTINGS = {
  baseUrl: BASE_URL,
  feeBps: 0,
  feeFlat: ZERO_USDC,
  claimTtlMs: 30 * 86_400_000,
  settlementWaitMs: 0,
  localMode: true,
  reservationsMax: null,
  picturesDir: null,
  botApiToken: BOT_TOKEN,
  isTrustedProxy: () => false,
  operator: { name: 'the test', supportUrl: '', termsUrl: '' },
};

/** The real rules over a node that knows one barred address and no contract. */
function createChecks(barred: ReadonlySet<string>): ClaimsDependencies['checkAddress'] {
  const node = {
    areBlacklisted: async (addresses: readonly string[]) => addresses.map((address) => barred.has(address)),
    isToken: async () => false,
  };
  const recipient = async () => ({ kind: 'none', usdc: { kind: 'none' } }) as const;
  return {
    base: (text) => checkEvmAddress(node, evmProfile('base', 'local'), [TREASURY], text),
    solana: (text) => checkSolanaAddress({ recipient }, solanaProfile('local'), [], text),
  };
}
