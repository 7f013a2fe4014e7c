import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  ClientError,
  ClientSecretPost,
  Configuration,
  customFetch,
  ResponseBodyError,
  type ClientAuth,
  type CustomFetch,
} from 'openid-client';
import { FetchFailure } from '../fetch-failure.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import type { ReportTrouble } from '../trouble.ts';
import { parseJson } from '../json.ts';
import { toBasic, type OauthClient, type OauthProvider } from '../platforms/oauth-provider.ts';
import { refuse, UNAVAILABLE, type ProofOutcome } from './port.ts';

export type OauthServer = {
  provider: OauthProvider;
  client: OauthClient;
  authUrl: string;
  /** Only on this machine, in local mode and in tests. */
  allowsHttp: boolean;
};

type Exchange = { callback: URL; state: string; codeVerifier: string; signal: AbortSignal };

type Token = { kind: 'token'; token: string };

/** Exchanges the code of a callback for a token, once. The library checks state, issuer, code and answer. */
export async function exchangeCode(
  server: OauthServer,
  { callback, state, codeVerifier, signal }: Exchange,
  { fetch, report }: { fetch: GuardedFetch; report: ReportTrouble },
): Promise<Token | ProofOutcome> {
  const asked = { isSent: false };
  const configuration = createConfiguration(server, issuerOf(callback) ?? originOf(server.authUrl));
  configuration[customFetch] = createTokenFetch(server.provider, fetch, signal, asked);
  try {
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    const { access_token: token } = await authorizationCodeGrant(configuration, callback, checks);
    return { kind: 'token', token };
  } catch (error) {
    return toOutcome(error, asked.isSent, report);
  }
}

export function createConfiguration(server: OauthServer, issuer: string): Configuration {
  const { provider, client, authUrl, allowsHttp } = server;
  const metadata = { issuer, authorization_endpoint: authUrl, token_endpoint: client.tokenUrl };
  const basic: ClientAuth = (_server, _client, _body, headers) => headers.set('authorization', toBasic(client));
  const authentication = provider.clientAuthentication === 'basic' ? basic : ClientSecretPost(client.clientSecret);
  const configuration = new Configuration(metadata, client.clientId, {}, authentication);
  if (allowsHttp) allowInsecureRequests(configuration);
  return configuration;
}

/** RFC 9207. The caller has checked that it is this provider's, so the library compares it with itself. */
export function issuerOf(callback: URL): string | null {
  return callback.searchParams.get('iss');
}

export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Sends the library's requests through the guard, and translates the provider's answers into the standard's. */
function createTokenFetch(
  provider: OauthProvider,
  fetch: GuardedFetch,
  signal: AbortSignal,
  asked: { isSent: boolean },
): CustomFetch {
  return async (url, { headers, body }) => {
    asked.isSent = true;
    const answer = await fetch.send(url, { method: 'POST', headers, body: toText(body), signal });
    const { status, json } = provider.toStandardAnswer(answer.status, parseJson(answer.text));
    // Without JSON, or with a status that has no body, the library gets no body and names what it lacks.
    if (json === undefined || [204, 205, 304].includes(status)) return new Response(null, { status });
    return new Response(JSON.stringify(json), { status, headers: { 'content-type': 'application/json' } });
  };
}

function toText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error(`expected the body of a token request to be a form, found ${typeof body}`);
}

/** Refusals of a code: it was used already, is too old, or belongs to another client. */
const CODE_REFUSALS: readonly string[] = ['invalid_grant', 'bad_verification_code'];

function toOutcome(error: unknown, isSent: boolean, report: ReportTrouble): ProofOutcome {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return refuse('denied_by_user');
    // Not logged: its text came through the browser, so anyone could have written it.
    report('the sign-in page answered with an error');
    return UNAVAILABLE;
  }
  if (error instanceof ResponseBodyError) {
    if (CODE_REFUSALS.includes(error.error)) return refuse('replayed');
    report(`the token endpoint refuses us with status ${error.status}`);
    return UNAVAILABLE;
  }
  if (!(error instanceof ClientError)) throw error;
  if (!isSent) return refuse('wrong_callback');
  const fault = findFault(error);
  report(fault ?? `unexpected answer of the token endpoint: ${error.code ?? 'no code'}`);
  return UNAVAILABLE;
}

function findFault(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchFailure) return cause.fault;
  }
  return null;
}
