import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../core/config/config.ts';
import type { RandomBytes } from '../core/ids.ts';
import { isProvenBy, type Platform } from '../core/platforms/platforms.ts';
import { openHub, type Hub } from '../identity/hub/hub.ts';
import { signInEndpoints } from '../identity/platforms/offered.ts';
import { createProofs, type Proofs } from '../identity/proofs/proofs.ts';
import { localUserId } from '../local/identity.ts';
import { createMailTexts } from '../texts/mail/mails.ts';

/** Where a newcomer to local mode reads all mail, and publishes for every website. */
export type LocalPages = { mailbox: string; website: string };

export type RunningProofs = {
  proofs: Proofs;
  /** The origin at which people of a platform sign in; null where there is no sign-in. */
  signInOrigin: (platform: Platform) => string | null;
  /** Null outside local mode. */
  localPages: LocalPages | null;
  /** Who engaged with a post, for rewards; null where no hub is configured. */
  hub: Hub | null;
  /** The same hub, for reading which addresses people have published: in local mode never a configured one. */
  farcasterHubUrl: string | undefined;
  close: () => Promise<void>;
};

type Options = {
  config: Config;
  /** Where the service is reached from outside: providers lead people back there. */
  baseUrl: string;
  log: Logger;
};

/**
 * How people prove their names: at the configured providers or, in local mode, at stand-ins on this computer that speak
 * the same protocols and use the user ids that local mode resolves names to. Each process has stand-ins of its own, on
 * ports of their own.
 */
export async function startProofs({ config, baseUrl, log }: Options): Promise<RunningProofs> {
  const { mode, operator } = config;
  const random: RandomBytes = (count) => new Uint8Array(randomBytes(count));
  const mails = createMailTexts({ operatorName: operator.name, supportUrl: operator.supportUrl, baseUrl });
  const options = { mode, baseUrl, mails, random, now: () => Date.now(), log };
  if (mode !== 'local') {
    const proofs = createProofs(config.identity, options);
    const hub = hubOf(config.identity, options);
    const close = async (): Promise<void> => {
      await proofs.close();
      await hub?.close();
    };
    const { farcasterHubUrl } = config.identity;
    return { proofs, signInOrigin: originsOf(config.identity), localPages: null, hub, farcasterHubUrl, close };
  }
  // They bring a mail server and a name server along, which only they need.
  const { startIdentityStandIns } = await import('../local/identity/platforms/stand-ins.ts');
  const standIns = await startIdentityStandIns({ baseUrl: () => baseUrl, idOf: localUserId, random, now: options.now });
  const { identity, toHostUrl, pages } = standIns;
  const proofs = createProofs(identity, { ...options, toHostUrl });
  const hub = hubOf(identity, options);
  return {
    proofs,
    signInOrigin: originsOf(identity),
    localPages: pages,
    hub,
    farcasterHubUrl: identity.farcasterHubUrl,
    close: async () => {
      await proofs.close();
      await hub?.close();
      await standIns.close();
    },
  };
}

function hubOf(
  { farcasterHubUrl: hubUrl }: Config['identity'],
  dependencies: { log: Logger; now: () => number },
): Hub | null {
  return hubUrl === undefined ? null : openHub({ hubUrl }, dependencies);
}

function originsOf(identity: Config['identity']): RunningProofs['signInOrigin'] {
  return (platform) => {
    if (!isProvenBy(platform, 'oauth')) return null;
    return new URL(signInEndpoints(identity, platform).authUrl).origin;
  };
}
