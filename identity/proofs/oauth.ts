import { timingSafeEqual } from 'node:crypto';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import type { RandomBytes } from '../../core/ids.ts';
import { isProblem } from '../../core/platforms/parsed-name.ts';
import { platformRow, type OauthPlatform } from '../../core/platforms/platforms.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { askProvider, type LookupTools } from '../lookup.ts';
import { createConfiguration, exchangeCode, issuerOf, originOf, type OauthServer } from './oauth-exchange.ts';
import type { OauthAccount } from '../platforms/oauth-provider.ts';
import { PLATFORM_IDENTITIES } from '../platforms/platforms.ts';
import { refuse, UNAVAILABLE, type ProofOutcome, type Proven } from './port.ts';

export type OauthSettings = {
  platform: OauthPlatform;
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  /** Absent: the provider's own. */
  meUrl?: string;
};

export type OauthOptions = LookupTools & {
  /** One per platform, so that the address of a callback tells its provider. */
  redirectUri: string;
  random: RandomBytes;
  /** Accepts endpoints without TLS, such as the stand-ins of local mode. */
  allowsHttp?: boolean;
};

/** Stored with the claim until the callback comes, then deleted, because it may be used once. */
export type OauthBegun = { url: string; state: string; codeVerifier: string };

export type OauthProof = {
  begin: () => Promise<OauthBegun>;
  finish: (answer: {
    /** As the browser requested it, with its query. */
    callbackUrl: string;
    state: string;
    codeVerifier: string;
    signal: AbortSignal;
  }) => Promise<ProofOutcome>;
};

/** A provider's answer has a code and a state; a longer text is no such answer. */
const CALLBACK_CHARACTERS_MAX = 4_096;

/**
 * Sign-in by OAuth 2 with PKCE and state, only to learn the id of the person. The token is used for that one request
 * and revoked. `fetch` follows no redirect. Throws at once where an endpoint is not https.
 */
export function createOauthProof(settings: OauthSettings, options: OauthOptions): OauthProof {
  const { redirectUri, random } = options;
  const server = toServer(settings, options);
  return {
    begin: async () => {
      const state = toBase64Url(random(32));
      const codeVerifier = toBase64Url(random(32));
      const { provider } = server;
      const url = buildAuthorizationUrl(createConfiguration(server, originOf(server.authUrl)), {
        redirect_uri: redirectUri,
        ...(provider.scope === '' ? {} : { scope: provider.scope }),
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...provider.authorizationParameters,
      });
      return { url: url.href, state, codeVerifier };
    },
    finish: async ({ callbackUrl, state, codeVerifier, signal }) => {
      const callback = checkCallback(callbackUrl, state, redirectUri, server.authUrl);
      if (!(callback instanceof URL)) return callback;
      const traded = await exchangeCode(server, { callback, state, codeVerifier, signal }, options);
      if (traded.kind !== 'token') return traded;
      const account = await askAccount(server, traded.token, signal, options);
      await giveBack(server, traded.token, signal, options);
      return account === null ? UNAVAILABLE : toProven(settings.platform, account);
    },
  };
}

function toServer(settings: OauthSettings, { redirectUri, allowsHttp = false }: OauthOptions): OauthServer {
  const { platform, clientId, clientSecret, authUrl, tokenUrl } = settings;
  const { provider } = PLATFORM_IDENTITIES[platform];
  const meUrl = settings.meUrl ?? provider.meUrl;
  for (const url of [authUrl, tokenUrl, meUrl, redirectUri]) {
    const { protocol } = new URL(url);
    if (protocol === 'https:' || (allowsHttp && protocol === 'http:')) continue;
    throw new Error(`expected the sign-in of ${platform} to use https, found ${protocol}`);
  }
  return { provider, client: { clientId, clientSecret, tokenUrl, meUrl }, authUrl, allowsHttp };
}

/** Checks a callback before the provider is asked. The state comes first: without it nothing else counts. */
function checkCallback(text: string, state: string, redirectUri: string, authUrl: string): URL | ProofOutcome {
  if (text.length > CALLBACK_CHARACTERS_MAX || !URL.canParse(text)) return refuse('wrong_callback');
  const callback = new URL(text);
  const states = callback.searchParams.getAll('state');
  if (states.length !== 1 || !isSame(states[0] ?? '', state)) return refuse('wrong_state');
  const expected = new URL(redirectUri);
  const isHere = callback.origin === expected.origin && callback.pathname === expected.pathname;
  if (!isHere || callback.username !== '' || callback.password !== '') return refuse('wrong_callback');
  const issuer = issuerOf(callback);
  // The providers publish their issuers in different forms, but always at the origin of their sign-in.
  if (issuer !== null && (!URL.canParse(issuer) || originOf(issuer) !== originOf(authUrl))) {
    return refuse('wrong_issuer');
  }
  return callback;
}

async function askAccount(
  { provider, client }: OauthServer,
  token: string,
  signal: AbortSignal,
  tools: LookupTools,
): Promise<OauthAccount | null> {
  const headers = { accept: 'application/json', ...provider.meHeaders, authorization: `Bearer ${token}` };
  const answer = await askProvider({ url: client.meUrl, headers }, signal, tools);
  if (answer === null) return null;
  const account = answer.status === 200 ? provider.readAccount(answer.json) : null;
  if (account === null) tools.report(`unexpected answer about who signed in, with status ${answer.status}`);
  return account;
}

/** A token that is not revoked expires by itself, so a failure here changes nothing for the person. */
async function giveBack(
  { provider, client }: OauthServer,
  token: string,
  signal: AbortSignal,
  { fetch, report }: LookupTools,
): Promise<void> {
  const revocation = provider.toRevocation(client, token);
  if (revocation === null) return;
  const { url, method, headers, body } = revocation;
  try {
    const { status } = await fetch.send(url, { method, headers, body, signal });
    if (status < 200 || status > 299) report(`token not given back: status ${status}`);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    report(`token not given back: ${error.fault}`);
  }
}

/** A name outside our grammar (some old ones) cannot have been paid; the id decides anyway. */
function toProven(platform: OauthPlatform, { stableId, username, sinceMs }: OauthAccount): Proven {
  const parsed = platformRow(platform).parse(username);
  const handle = isProblem(parsed) ? username.toLowerCase() : parsed.key;
  return { kind: 'proven', stableId, handle, ...(sinceMs === undefined ? {} : { sinceMs }) };
}

function isSame(found: string, expected: string): boolean {
  const [a, b] = [Buffer.from(found), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
