import type { Config } from '../../core/config/sections.ts';
import type { RandomBytes } from '../../core/ids.ts';
import type { MailTexts } from '../../core/claims/mail.ts';
import { OAUTH_PLATFORMS, recordOf, type OauthPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { isGlobalAddress } from '../addresses.ts';
import { createAddressLookup, createDns } from '../dns.ts';
import { createGuardedFetch, type GuardedFetch } from '../guarded-fetch.ts';
import { createTroubleReport, type Log } from '../trouble.ts';
import { signInEndpoints } from '../platforms/offered.ts';
import { createEmailProof, type EmailProof } from './email.ts';
import { createFarcasterProof, type FarcasterProof } from './farcaster.ts';
import { createOauthProof, type OauthProof } from './oauth.ts';
import {
  createFindPublishedWallets,
  type FindPublishedWallets,
  type ToHostUrl,
} from '../platforms/published-wallets.ts';
import { createWebProof, type WebProof } from './web.ts';

/** A person waits for these at a page. */
const TIMEOUT_MS = 10_000;
/** A page of verified addresses has about 70 KiB. */
const BYTES_MAX = 256 * 1024;
const FILE_TIMEOUT_MS = 5_000;
const FILE_BYTES_MAX = 16 * 1024;

export type Proofs = {
  /** Null, here and below: not configured. */
  oauth: Readonly<Record<OauthPlatform, OauthProof | null>>;
  farcaster: FarcasterProof | null;
  email: EmailProof | null;
  web: WebProof;
  findPublishedWallets: FindPublishedWallets;
  close: () => Promise<void>;
};

export type ProofsOptions = {
  /** Only local mode uses stand-ins on this machine, without TLS. */
  mode: Config['mode'];
  /** The public address of this service. */
  baseUrl: string;
  /** The texts of mails, with the operator's name. */
  mails: MailTexts;
  random: RandomBytes;
  now: () => number;
  log: Log;
  /** The URLs at which local mode serves the files of all hosts. */
  toHostUrl?: ToHostUrl;
};

/** A proof for each platform that this configuration supports. */
export function createProofs(identity: Config['identity'], options: ProofsOptions): Proofs {
  const { baseUrl, random, mails, mode } = options;
  const isLocal = mode === 'local';
  const fetches = createFetches(identity, isLocal);
  const reportFor = (platform: Platform) => createTroubleReport(platform, options);
  const oauthFor = (platform: OauthPlatform): OauthProof | null => {
    const { clientId, clientSecret, meUrl } = identity[platform];
    if (!clientId || !clientSecret) return null;
    const { authUrl, tokenUrl } = signInEndpoints(identity, platform);
    const endpoints = { authUrl, tokenUrl, ...(meUrl === undefined ? {} : { meUrl }) };
    return createOauthProof(
      { platform, clientId, clientSecret, ...endpoints },
      {
        redirectUri: `${baseUrl}/claims/callback/${platform}`,
        fetch: fetches.outside,
        report: reportFor(platform),
        random,
        allowsHttp: isLocal,
      },
    );
  };
  const { smtpUrl, mailFrom: from } = identity;
  const ofHosts = options.toHostUrl === undefined ? {} : { toHostUrl: options.toHostUrl };
  return {
    oauth: recordOf(OAUTH_PLATFORMS, oauthFor),
    farcaster: createFarcaster(identity, fetches, options),
    email: smtpUrl && from ? createEmailProof({ smtpUrl, from }, { texts: mails, report: reportFor('email') }) : null,
    web: createWebProof({ dns: fetches.dns, fetch: fetches.files, report: reportFor('web'), ...ofHosts }),
    findPublishedWallets: createFindPublishedWallets({ fetch: fetches.files, ...ofHosts }),
    close: fetches.close,
  };
}

function createFarcaster(
  identity: Config['identity'],
  fetches: { outside: GuardedFetch; operator: GuardedFetch },
  options: ProofsOptions,
): FarcasterProof | null {
  const { farcasterRelayUrl: relayUrl, farcasterHubUrl: hubUrl, optimismRpcUrl } = identity;
  if (hubUrl === undefined || optimismRpcUrl === undefined) return null;
  const { baseUrl, random, now, mode } = options;
  const report = createTroubleReport('decsocial', options);
  const relayTools = { fetch: fetches.outside, report };
  const operatorTools = { fetch: fetches.operator, report };
  return createFarcasterProof(
    { relayUrl, hubUrl, optimismRpcUrl },
    { baseUrl, relayTools, operatorTools, random, now, allowsHttp: mode === 'local' },
  );
}

/** None follows a redirect: their content is for the configured address only. */
function createFetches(identity: Config['identity'], isLocal: boolean) {
  const dns = createDns({ servers: identity.dnsServers });
  const everywhere = () => true;
  const allowsAddress = isLocal ? everywhere : isGlobalAddress;
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX, redirectsMax: 0 };
  // Providers and the relay are on the internet, so an address on this machine is refused.
  const outside = createGuardedFetch({ ...limits, allowsAddress });
  const operator = createGuardedFetch({ ...limits, allowsAddress: everywhere });
  const files = createGuardedFetch({
    timeoutMs: FILE_TIMEOUT_MS,
    bytesMax: FILE_BYTES_MAX,
    redirectsMax: 0,
    allowsAddress,
    lookup: createAddressLookup(dns, { timeoutMs: FILE_TIMEOUT_MS }),
  });
  const close = async (): Promise<void> => {
    await Promise.all([outside.close(), operator.close(), files.close()]);
  };
  return { dns, outside, operator, files, close };
}
