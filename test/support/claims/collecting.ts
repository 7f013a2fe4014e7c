import { randomBytes } from 'node:crypto';
import type { ClaimsDependencies } from '../../../api/claims/dependencies.ts';
import { createClaims } from '../../../api/claims/flow.ts';
import type { ApiDependencies, Collecting } from '../../../api/environment/dependencies.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { createProofs } from '../../../identity/proofs/proofs.ts';
import { createMailTexts } from '../../../texts/mail/mails.ts';

type Shared = Pick<ApiDependencies, 'store' | 'ids' | 'now' | 'log' | 'identity' | 'notify'>;

const random = (count: number): Uint8Array => randomBytes(count);

/** Collecting as an installation without any provider has it, but for what a test brings. */
export function createTestCollecting(
  { store, ids, now, log, identity, notify }: Shared,
  brought: Partial<ClaimsDependencies> = {},
  offers: Partial<Collecting['offers']> = {},
): Collecting {
  const config = parseConfig({});
  const { identity: providers, mode } = config;
  const baseUrl = 'http://127.0.0.1:8402';
  const mails = createMailTexts({ operatorName: 'the test', supportUrl: undefined, baseUrl });
  const dependencies: ClaimsDependencies = {
    store,
    ids,
    transferIdOf: ids.payoutId,
    now,
    log,
    random,
    platforms: identity.platforms,
    proofs: createProofs(providers, { mode, baseUrl, mails, random, now, log }),
    checkAddress: {},
    personalWallets: null,
    purseMaxMicroUsdc: null,
    notify: () => notify(null),
    announce: () => undefined,
    waitForChange: async () => false,
    openLimiter: createRateLimiter(0, now),
    baseUrl,
    mailsPerIpHourMax: 20,
    mailsDailyMax: null,
    ...brought,
  };
  const { waitForChange, personalWallets, purseMaxMicroUsdc } = dependencies;
  return {
    claims: createClaims(dependencies),
    waitForChange: (claimId, timeoutMs, signal = new AbortController().signal) =>
      waitForChange(claimId, timeoutMs, signal),
    offers: {
      keeps: personalWallets !== null,
      purseMaxMicroUsdc,
      signInOrigin: () => null,
      localPages: null,
      ...offers,
    },
    random,
  };
}
