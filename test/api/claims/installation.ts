import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { createClaimsApp, type ClaimHandlers, type ClaimsAppDependencies } from '../../../api/claims/http/app.ts';
import { createPagesApp } from '../../../api/pages/app.ts';
import type { ApiEnv } from '../../../api/http/env.ts';
import { AppError } from '../../../core/errors.ts';
import { microUsdc } from '../../../core/money.ts';
import { mainnetOf, type Network } from '../../../core/networks.ts';
import { isProvenBy } from '../../../core/platforms/platforms.ts';
import { startInstallation, type Installation } from '../pages/installation.ts';
import { createMemoryClaims, SIGN_IN, type MemoryClaims } from './memory-claims.ts';

export type ClaimInstallation = Installation & {
  claims: MemoryClaims;
  claimsDependencies: ClaimsAppDependencies;
  /** Everything that a visitor's browser may ask for. */
  appWith: (change?: Partial<ClaimsAppDependencies>) => ReturnType<typeof createPagesApp>;
};

/** The pages of claims over the port in memory, beside the other pages over a real database. */
export async function startClaimInstallation(): Promise<ClaimInstallation> {
  const installation = await startInstallation();
  const claims = createMemoryClaims(() => installation.clock.nowMs);
  const claimsDependencies: ClaimsAppDependencies = {
    ...installation.dependencies,
    claims,
    handlers: createHandlers(),
    random: randomBytes,
    claimOffers: {
      keeps: true,
      purseMaxMicroUsdc: microUsdc(100_000_000n),
      signInOrigin: (platform) => (isProvenBy(platform, 'oauth') ? SIGN_IN : null),
      localPages: { mailbox: 'http://127.0.0.1:1/mail', website: 'http://127.0.0.1:1/web' },
    },
  };
  return {
    ...installation,
    claims,
    claimsDependencies,
    appWith: (change = {}) => {
      const dependencies = { ...claimsDependencies, ...change };
      const app = createPagesApp(dependencies);
      // First, as in the service: the pages' own answer to unknown addresses comes last.
      return createClaimsApp(dependencies).route('/', app);
    },
  };
}

/** As the service has them with these networks. */
export function networksOf(
  { claimsDependencies: { networks } }: Pick<ClaimInstallation, 'claimsDependencies'>,
  names: readonly Network[],
): ClaimsAppDependencies['networks'] {
  const [base] = networks;
  if (base === undefined) throw new Error('the installation has a network');
  return names.map((network) => ({ ...base, terms: { ...base.terms, network, caip2: mainnetOf(network) } as never }));
}

/** Each says who was called: what they answer is tested beside them. */
function createHandlers(): ClaimHandlers {
  const answer = (name: string) => (c: Context<ApiEnv>) => c.json({ handler: name });
  return {
    open: answer('open'),
    prove: answer('prove'),
    resend: answer('resend'),
    confirm: answer('confirm'),
    decline: answer('decline'),
    read: answer('read'),
    watch: (c) => c.body('retry: 3000\n\nid: 1\ndata: {}\n\n', 200, { 'Content-Type': 'text/event-stream' }),
    callback: () => {
      throw new AppError('claim_refused', { detail: 'This sign-in was not started here.' });
    },
  };
}
