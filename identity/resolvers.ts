import type { Config } from '../core/config/sections.ts';
import type { Platform } from '../core/platforms/platforms.ts';
import { resolveDiscord, resolveTelegram } from './chats.ts';
import { createCodeResolver } from './code.ts';
import { createDecsocialResolver } from './decsocial.ts';
import { createDns } from './dns.ts';
import { createEmailResolver } from './email.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { LookupTools } from './lookup.ts';
import { createPhotoResolver } from './photo.ts';
import type { Resolver } from './port.ts';
import { createTroubleReport, type Log } from './trouble.ts';
import { createWebResolver } from './web.ts';
import { createXResolver } from './x.ts';

/** The whole exchange with a provider. `createResolver` ends it earlier for somebody who waits. */
const TIMEOUT_MS = 5_000;
/** A user object has about 2 KiB, a page of verifications about 70. */
const BYTES_MAX = 256 * 1024;
/** GitHub redirects a renamed login, once. */
const REDIRECTS_MAX = 2;

export type Resolvers = {
  /** Null: what the platform needs is not configured. */
  resolvers: Readonly<Record<Platform, Resolver | null>>;
  close: () => Promise<void>;
};

/** A resolver for each platform that the configuration can ask, at the endpoints which it names. */
export function createResolvers(
  identity: Config['identity'],
  dependencies: { log: Log; now: () => number },
): Resolvers {
  const { x, code, photo, farcasterHubUrl: hubUrl } = identity;
  // These endpoints are the operator's choice and may be on this machine; strangers only choose a name within them.
  const fetch = createGuardedFetch({
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    redirectsMax: REDIRECTS_MAX,
    allowsAddress: () => true,
  });
  const dns = createDns({ servers: identity.dnsServers });
  const reportFor = (platform: Platform) => createTroubleReport(platform, dependencies);
  const toolsFor = (platform: Platform): LookupTools => ({ fetch, report: reportFor(platform) });
  const resolvers = {
    x: x.appToken === undefined ? null : createXResolver({ ...x, appToken: x.appToken }, toolsFor('x')),
    decsocial: hubUrl === undefined ? null : createDecsocialResolver({ hubUrl }, toolsFor('decsocial')),
    code: createCodeResolver(code, toolsFor('code')),
    email: createEmailResolver({ dns, report: reportFor('email') }),
    web: createWebResolver({ dns, report: reportFor('web') }),
    photo:
      photo.appToken === undefined || photo.lookupUrl === undefined
        ? null
        : createPhotoResolver({ lookupUrl: photo.lookupUrl, appToken: photo.appToken }, toolsFor('photo')),
    discord: resolveDiscord,
    telegram: resolveTelegram,
  } as const satisfies Record<Platform, Resolver | null>;
  return { resolvers, close: () => fetch.close() };
}
