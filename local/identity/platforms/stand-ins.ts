/** All that local mode has in place of the identity providers, started together, with what leads to them. */
import { parseConfig, type Config } from '../../../core/config/config.ts';
import { AppError } from '../../../core/errors.ts';
import { OAUTH_PLATFORMS, type OauthPlatform, type Platform } from '../../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../../core/platforms/recipient.ts';
import type { OauthDialect } from '../oauth-dialect.ts';
import { startOauthStandIn } from '../oauth-provider.ts';
import { code } from './code.ts';
import { startDecsocial } from './decsocial.ts';
import { startEmail } from './email.ts';
import { photo } from './photo.ts';
import {
  toExact,
  type IdentityStandInsOptions,
  type StandInOptions,
  type StandInPages,
  type StartStandIn,
} from './stand-in.ts';
import { startWeb } from './web.ts';
import { x } from './x.ts';

/** How the providers speak that people sign in with. */
export const OAUTH_DIALECTS = { x, code, photo } as const satisfies Record<OauthPlatform, OauthDialect>;

/** Null: its people prove their names in its own chat. */
const OTHERS = {
  decsocial: startDecsocial,
  email: startEmail,
  web: startWeb,
  discord: null,
  telegram: null,
} as const satisfies Record<Exclude<Platform, OauthPlatform>, StartStandIn | null>;

export type IdentityStandIns = {
  /** Takes the place of the configured providers. */
  identity: Config['identity'];
  toHostUrl: (host: string, path: string) => string;
  pages: StandInPages;
  close: () => Promise<void>;
};

const CLIENT_ID = 'pennypost-local';

export async function startIdentityStandIns(options: IdentityStandInsOptions): Promise<IdentityStandIns> {
  const started: { close: () => Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((standIn) => standIn.close()));
  };
  const keep: StandInOptions['keep'] = async (starting) => {
    const standIn = await starting;
    started.push(standIn);
    return standIn;
  };
  const starts = [...OAUTH_PLATFORMS.map(signInWith), ...Object.values(OTHERS).filter((start) => start !== null)];
  try {
    // One after the other, so that a failure knows all that it has to close.
    const running: Awaited<ReturnType<StartStandIn>>[] = [];
    for (const start of starts) running.push(await start({ ...options, keep }));
    return { ...join(running), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function join(running: readonly Awaited<ReturnType<StartStandIn>>[]): Omit<IdentityStandIns, 'close'> {
  const { mailbox, website } = running.reduce<Partial<StandInPages>>((all, { pages }) => ({ ...all, ...pages }), {});
  const toHostUrl = running.find((standIn) => standIn.toHostUrl !== undefined)?.toHostUrl;
  if (mailbox === undefined || website === undefined || toHostUrl === undefined) {
    throw new Error('expected a mailbox and all websites among the stand-ins');
  }
  const nothing = parseConfig({}).identity;
  const identity = running.reduce<Config['identity']>((all, standIn) => ({ ...all, ...standIn.identity }), nothing);
  return { identity, toHostUrl, pages: { mailbox, website } };
}

function signInWith(platform: OauthPlatform): StartStandIn {
  return async ({ baseUrl, idOf, random, now, keep }) => {
    const clientSecret = Buffer.from(random(24)).toString('base64url');
    const redirectUri = () => `${baseUrl()}/claims/callback/${platform}`;
    const find = (username: string) => {
      const recipient = findRecipient(platform, username);
      return recipient && { id: String(toExact(idOf(recipient))), username: recipient.key };
    };
    const client = { id: CLIENT_ID, secret: clientSecret, redirectUri };
    const dialect = OAUTH_DIALECTS[platform];
    const { authUrl, tokenUrl, meUrl } = await keep(startOauthStandIn({ dialect, client, find, random, now }));
    const lookups = { appToken: undefined, lookupUrl: undefined };
    const identity: { [Name in OauthPlatform]?: Config['identity'][Name] } = {};
    identity[platform] = { clientId: CLIENT_ID, clientSecret, authUrl, tokenUrl, meUrl, ...lookups };
    return { identity };
  };
}

/** Every name that can be written exists. */
function findRecipient(platform: OauthPlatform, username: string): Recipient | null {
  try {
    return parseRecipient(platform, username);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
