/** Everybody whom local mode has in place of the identity providers, started together, with what leads to them. */
import type { Config } from '../../core/config/sections.ts';
import type { RandomBytes } from '../../core/ids.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { AppError } from '../../core/errors.ts';
import { COMMUNITY_WALLETS, createCommunityPosts } from './farcaster-community.ts';
import { startHubStandIn, type HubVerification } from './farcaster-hub.ts';
import { createFarcasterPeople, type FarcasterPeople } from './farcaster-people.ts';
import { startRelayStandIn } from './farcaster-relay.ts';
import { startMailbox } from './mailbox.ts';
import { startOauthStandIn, type OauthStandIn } from './oauth-provider.ts';
import type { OauthStandInPlatform } from './oauth-dialects.ts';
import { startOptimismStandIn } from './optimism-rpc.ts';
import { startWebHost } from './web-host.ts';

export type IdentityStandInsOptions = {
  /** The service's own address; asked for late, because its port may be known after this has started. */
  baseUrl: () => string;
  /** The stable id of everybody: a positive whole number that is exact in JavaScript. */
  idOf: (recipient: Recipient) => string;
  random: RandomBytes;
  now: () => number;
};

export type IdentityStandIns = {
  /** Takes the place of the configured providers. */
  identity: Config['identity'];
  toHostUrl: (host: string, path: string) => string;
  /** Where a newcomer reads mail, and publishes for any website. */
  pages: { mailbox: string; website: string };
  close: () => Promise<void>;
};

const CLIENT_ID = 'pennypost-local';
const MAIL_FROM = 'pennypost@pennypost.example';

export async function startIdentityStandIns(options: IdentityStandInsOptions): Promise<IdentityStandIns> {
  const { idOf, random, now } = options;
  const fidOf = (name: string) => toExact(idOf(parseRecipient('decsocial', name)));
  const people = createFarcasterPeople({ fidOf });
  const started: { close: () => Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((standIn) => standIn.close()));
  };
  async function start<T extends { close: () => Promise<void> }>(starting: Promise<T>): Promise<T> {
    const standIn = await starting;
    started.push(standIn);
    return standIn;
  }
  try {
    // One after the other, so that a failure knows all that it has to close.
    const x = await start(startProvider('x', options));
    const code = await start(startProvider('code', options));
    const photo = await start(startProvider('photo', options));
    const relay = await start(startRelayStandIn({ people, random, now }));
    const findNames = (fid: number) => namesOf(people.byFid(fid));
    const posts = createCommunityPosts({ fidOf });
    // Not by the posts: whoever is tipped is asked for, and the crowd takes a moment to make.
    const findPublishing = (fid: number) => COMMUNITY_WALLETS.find((name) => fidOf(name) === fid);
    const findVerifications = (fid: number) => verificationsOf(people, findPublishing(fid));
    const find = (name: string) => people.personOf(name);
    const hub = await start(startHubStandIn({ find, findNames, findVerifications, posts }));
    const optimism = await start(startOptimismStandIn({ people }));
    const mailbox = await start(startMailbox({ now }));
    const website = await start(startWebHost());
    return {
      identity: {
        x: toSettings(x),
        code: toSettings(code),
        photo: toSettings(photo),
        farcasterHubUrl: hub.url,
        farcasterRelayUrl: relay.url,
        optimismRpcUrl: optimism.url,
        smtpUrl: mailbox.smtpUrl,
        mailFrom: MAIL_FROM,
        dnsServers: [website.dnsServer],
      },
      toHostUrl: website.toHostUrl,
      pages: { mailbox: mailbox.url, website: website.url },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type LocalProvider = OauthStandIn & { secret: string };

async function startProvider(
  platform: OauthStandInPlatform,
  { baseUrl, idOf, random, now }: IdentityStandInsOptions,
): Promise<LocalProvider> {
  const secret = Buffer.from(random(24)).toString('base64url');
  const standIn = await startOauthStandIn({
    platform,
    client: { id: CLIENT_ID, secret, redirectUri: () => `${baseUrl()}/claims/callback/${platform}` },
    find: (username) => {
      const recipient = findRecipient(platform, username);
      return recipient && { id: String(toExact(idOf(recipient))), username: recipient.key };
    },
    random,
    now,
  });
  return { ...standIn, secret };
}

/** GitHub and Farcaster tell ids as numbers: one that JavaScript rounds would be somebody else's. */
function toExact(id: string): number {
  const value = Number(id);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`expected the id of a person to be an exact positive number, found ${id}`);
}

/** Whoever can be written exists. */
function findRecipient(platform: OauthStandInPlatform, username: string): Recipient | null {
  try {
    return parseRecipient(platform, username);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function namesOf(person: { name: string } | null): readonly string[] {
  return person === null ? [] : [person.name];
}

function verificationsOf(people: FarcasterPeople, name: string | undefined): readonly HubVerification[] {
  if (name === undefined) return [];
  return [{ address: people.personOf(name).address, protocol: 'PROTOCOL_ETHEREUM' }];
}

function toSettings({ authUrl, tokenUrl, meUrl, secret }: LocalProvider): Config['identity']['x'] {
  const lookups = { appToken: undefined, lookupUrl: undefined };
  return { clientId: CLIENT_ID, clientSecret: secret, authUrl, tokenUrl, meUrl, ...lookups };
}
