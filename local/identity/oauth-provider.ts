/**
 * A strict OAuth 2 provider that speaks like the real one of a platform: PKCE with S256, exact redirect URI, single-use
 * codes, authenticated clients. Its sign-in page lets newcomers choose who they are.
 */
import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../core/ids.ts';
import { createBoundedMap } from './bounded-map.ts';
import { html, type Html } from './html.ts';
import { readBasic, readClient, type OauthDialect, type OauthPerson, type TokenRefusal } from './oauth-dialect.ts';
import { PAGE_HEADERS, renderPage } from './page.ts';
import { startStandIn, type Question, type Reply, type StandIn } from './server.ts';

export type OauthStandInOptions = {
  dialect: OauthDialect;
  /** The one client. The redirect URI is asked for late: the service may learn its port after this server. */
  client: { id: string; secret: string; redirectUri: () => string };
  /** Null: the name does not exist. */
  find: (username: string) => OauthPerson | null;
  random: RandomBytes;
  now: () => number;
  /** Added to the way back as RFC 9207 has it. */
  issuer?: string;
};

export type OauthStandIn = StandIn & {
  authUrl: string;
  tokenUrl: string;
  meUrl: string;
  /** Tokens that were given out and not given back. */
  countTokens: () => number;
};

type Asked = { state: string; challenge: string };
type Grant = Asked & { person: OauthPerson; untilMs: number; token: string | null };

const KEPT_MAX = 1_000;
const CODE_MS = 60_000;

export async function startOauthStandIn(options: OauthStandInOptions): Promise<OauthStandIn> {
  const { dialect } = options;
  const { paths } = dialect;
  const asked = createBoundedMap<string, Asked>(KEPT_MAX);
  const grants = createBoundedMap<string, Grant>(KEPT_MAX);
  const tokens = createBoundedMap<string, OauthPerson>(KEPT_MAX);
  const context = { options, dialect, asked, grants, tokens };
  const standIn = await startStandIn((question) => {
    const { method, path } = question;
    if (path === paths.authorize && method === 'GET') return showSignIn(context, question);
    if (path === paths.authorize && method === 'POST') return decide(context, question);
    if (path === paths.token && method === 'POST') return trade(context, question);
    if (path === paths.me && method === 'GET') return tellWho(context, question);
    if (isRevocation(dialect, options.client.id, question)) return revoke(context, question);
    return { status: 404, body: { error: 'not_found' } };
  });
  const { url } = standIn;
  return {
    ...standIn,
    authUrl: `${url}${paths.authorize}`,
    tokenUrl: `${url}${paths.token}`,
    meUrl: `${url}${paths.me}${dialect.meQuery}`,
    countTokens: () => tokens.size,
  };
}

type Context = {
  options: OauthStandInOptions;
  dialect: OauthDialect;
  asked: Map<string, Asked>;
  grants: Map<string, Grant>;
  tokens: Map<string, OauthPerson>;
};

/** A wrong client or redirect URI is shown to the person, never sent by a redirect: that could lead anywhere. */
function showSignIn({ options, dialect, asked }: Context, { query }: Question): Reply {
  const { client, random } = options;
  if (query.get('client_id') !== client.id)
    return toPage(dialect, 400, 'Unknown application', html`<p>Nobody registered it here.</p>`);
  if (query.get('redirect_uri') !== client.redirectUri()) {
    return toPage(dialect, 400, 'Wrong redirect URI', html`<p>It is not exactly the one that was registered.</p>`);
  }
  const state = query.get('state') ?? '';
  const challenge = query.get('code_challenge') ?? '';
  const isProtected = query.get('code_challenge_method') === 'S256' && /^[A-Za-z0-9_-]{43}$/.test(challenge);
  if (query.get('response_type') !== 'code' || state === '' || !isProtected)
    return goBack(options, state, { error: 'invalid_request' });
  if (query.get('scope') !== dialect.scope) return goBack(options, state, { error: 'invalid_scope' });
  const id = toToken(random);
  asked.set(id, { state, challenge });
  return toPage(dialect, 200, `Sign in to ${dialect.title}`, signInForm(dialect, id, ''));
}

function signInForm({ paths, title }: OauthDialect, id: string, problem: string): Html {
  const about = problem === '' ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`;
  return html`<p>pennypost wants to know who you are on ${title}, and nothing else.</p>
${about}
<form method="post" action="${paths.authorize}">
<input type="hidden" name="request" value="${id}">
<label for="username">Who do you want to be?</label>
<input id="username" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="100">
<button name="decision" value="allow">Sign in as this person</button>
<button class="quiet" name="decision" value="deny">Cancel</button>
</form>`;
}

function decide({ options, dialect, asked, grants }: Context, { body }: Question): Reply {
  const form = new URLSearchParams(body);
  const id = form.get('request') ?? '';
  const question = asked.get(id);
  if (!question) return toPage(dialect, 400, 'This sign-in is over', html`<p>Go back and start it again.</p>`);
  if (form.get('decision') !== 'allow') {
    asked.delete(id);
    return goBack(options, question.state, { error: 'access_denied' });
  }
  const person = options.find((form.get('username') ?? '').trim().replace(/^@/, ''));
  if (person === null)
    return toPage(dialect, 400, `Sign in to ${dialect.title}`, signInForm(dialect, id, 'Nobody has that name here.'));
  asked.delete(id);
  const code = toToken(options.random);
  grants.set(code, { ...question, person, untilMs: options.now() + CODE_MS, token: null });
  return goBack(options, question.state, { code });
}

function goBack({ client, issuer }: OauthStandInOptions, state: string, answer: Record<string, string>): Reply {
  const location = new URL(client.redirectUri());
  const all = { ...answer, ...(state === '' ? {} : { state }), ...(issuer === undefined ? {} : { iss: issuer }) };
  for (const [name, value] of Object.entries(all)) location.searchParams.set(name, value);
  return { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } };
}

function trade({ options, dialect, grants, tokens }: Context, { headers, body }: Question): Reply {
  const form = new URLSearchParams(body);
  const code = form.get('code') ?? '';
  const grant = grants.get(code);
  const refusal = checkTrade(options, dialect, headers, form, grant);
  // RFC 6749, 4.1.2: a code that comes twice was stolen, and what it was traded for is worth nothing any more.
  if (grant && grant.token !== null) tokens.delete(grant.token);
  if (refusal !== null || !grant) return dialect.toRefusal(refusal ?? 'invalid_grant');
  const token = toToken(options.random);
  grants.set(code, { ...grant, token });
  tokens.set(token, grant.person);
  return { status: 200, body: dialect.toToken(token, grant.person), headers: { 'cache-control': 'no-store' } };
}

function checkTrade(
  { client, now }: OauthStandInOptions,
  dialect: OauthDialect,
  headers: Question['headers'],
  form: URLSearchParams,
  grant: Grant | undefined,
): TokenRefusal | null {
  const found = readClient(dialect, headers, form);
  if (found?.id !== client.id || found.secret !== client.secret) return 'invalid_client';
  if (form.get('grant_type') !== 'authorization_code') return 'unsupported_grant_type';
  if (!grant || grant.token !== null || now() >= grant.untilMs) return 'invalid_grant';
  if (form.get('redirect_uri') !== client.redirectUri()) return 'invalid_grant';
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return challenge === grant.challenge ? null : 'invalid_grant';
}

function tellWho({ dialect, tokens }: Context, { headers, query }: Question): Reply {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  const person = tokens.get(token);
  if (!person || headers['user-agent'] === undefined) return { status: 401, body: { message: 'Bad credentials' } };
  return dialect.toMe(person, query);
}

function isRevocation({ revoke }: OauthDialect, clientId: string, { method, path }: Question): boolean {
  return revoke !== null && revoke.method === method && revoke.pathOf(clientId) === path;
}

function revoke({ options, dialect, tokens }: Context, { headers, body }: Question): Reply {
  const found = readBasic(headers);
  const { id, secret } = options.client;
  if (found?.id !== id || found.secret !== secret) return { status: 401, body: { error: 'invalid_client' } };
  tokens.delete(dialect.readRevoked(body) ?? '');
  return dialect.revoke?.reply ?? { status: 404 };
}

function toPage({ title: standsFor }: OauthDialect, status: number, title: string, main: Html): Reply {
  return { status, body: renderPage({ title, standsFor: `the sign-in of ${standsFor}`, main }), headers: PAGE_HEADERS };
}

function toToken(random: RandomBytes): string {
  return Buffer.from(random(24)).toString('base64url');
}
