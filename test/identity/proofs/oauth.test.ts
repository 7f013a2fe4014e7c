import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OAUTH_PLATFORMS, type OauthPlatform } from '../../../core/platforms/platforms.ts';
import { isGlobalAddress } from '../../../identity/addresses.ts';
import { createOauthProof, type OauthBegun, type OauthOptions } from '../../../identity/proofs/oauth.ts';
import {
  startOauthStandIn,
  type OauthStandIn,
  type OauthStandInOptions,
} from '../../../local/identity/oauth-provider.ts';
import { OAUTH_DIALECTS } from '../../../local/identity/platforms/stand-ins.ts';
import { answering, startServer } from '../servers.ts';
import { CANARY, EVERYWHERE, NAMES, TRICKY_TARGETS } from '../tricky-targets.ts';
import { startTlsServer } from './tls-server.ts';
import { createTools, FOREVER, keep, random } from './tools.ts';
import { submit } from './submit.ts';

const SECRET = 'the-secret-of-the-client_1';
const SINCE = '2013-12-14T04:35:55.000Z';
const redirectUriOf = (platform: OauthPlatform) => `https://pay.example.com/claims/callback/${platform}`;

/** Where ids are longer than most. */
const LONG_IDS: Partial<Record<OauthPlatform, string>> = { x: '18446744073709551615', photo: '17841401441775531' };
const aliceOn = (platform: OauthPlatform) => ({ id: LONG_IDS[platform] ?? '583231', username: 'Alice' });

/** Since when an account exists is told by most. */
const tellsAge = (platform: OauthPlatform): boolean => {
  const { toMe, meQuery } = OAUTH_DIALECTS[platform];
  const { body } = toMe({ ...aliceOn(platform), createdAt: SINCE }, new URLSearchParams(meQuery));
  return JSON.stringify(body).includes(SINCE);
};

async function startProvider(
  platform: OauthPlatform,
  options: Partial<OauthStandInOptions> = {},
): Promise<OauthStandIn> {
  return keep(
    startOauthStandIn({
      dialect: OAUTH_DIALECTS[platform],
      client: { id: 'client', secret: SECRET, redirectUri: () => redirectUriOf(platform) },
      find: (name) => (name.toLowerCase() === 'alice' ? { ...aliceOn(platform), createdAt: SINCE } : null),
      random,
      now: () => Date.now(),
      ...options,
    }),
  );
}

type Endpoints = Pick<OauthStandIn, 'authUrl' | 'tokenUrl' | 'meUrl'>;

function createProof(
  platform: OauthPlatform,
  { authUrl, tokenUrl, meUrl }: Endpoints,
  tools: ReturnType<typeof createTools>,
  options: Partial<OauthOptions> = {},
) {
  return createOauthProof(
    { platform, clientId: 'client', clientSecret: SECRET, authUrl, tokenUrl, meUrl },
    { redirectUri: redirectUriOf(platform), allowsHttp: true, random, ...tools, ...options },
  );
}

/** Where the provider sends the browser after a person has decided. */
async function decide({ url }: OauthBegun, username = 'alice', decision = 'allow'): Promise<string> {
  const { status, headers } = await submit(url, { username, decision });
  expect(status).toBe(303);
  return headers.get('location') ?? '';
}

async function begin(platform: OauthPlatform, options: Partial<OauthStandInOptions> = {}) {
  const provider = await startProvider(platform, options);
  const tools = createTools();
  const proof = createProof(platform, provider, tools);
  const begun = await proof.begin();
  const finish = (callbackUrl: string, other: Partial<OauthBegun> = {}) =>
    proof.finish({ callbackUrl, state: begun.state, codeVerifier: begun.codeVerifier, signal: FOREVER, ...other });
  return { provider, tools, proof, begun, finish };
}

const refused = (reason: string) => ({ kind: 'refused', reason });
const UNAVAILABLE = { kind: 'unavailable' };

describe.each(OAUTH_PLATFORMS)('%s', (platform) => {
  const since = tellsAge(platform) ? { sinceMs: Date.parse(SINCE) } : {};
  const PROVEN = { kind: 'proven', stableId: aliceOn(platform).id, handle: 'alice', ...since };

  test('a person who signs in is proven by the provider’s id', async () => {
    const { begun, finish, tools } = await begin(platform);
    expect(await finish(await decide(begun))).toEqual(PROVEN);
    expect(tools.reasons).toEqual([]);
  });

  test('the token is given back, where the provider takes it', async () => {
    const { begun, finish, provider } = await begin(platform);
    await finish(await decide(begun));
    expect(provider.countTokens()).toBe(OAUTH_DIALECTS[platform].revoke === null ? 1 : 0);
  });

  test('no sign-in is like another', async () => {
    const { proof, begun } = await begin(platform);
    const again = await proof.begin();
    expect(again.state).not.toBe(begun.state);
    expect(again.codeVerifier).not.toBe(begun.codeVerifier);
    expect(begun.codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new URL(begun.url).searchParams.get('code_challenge')).not.toBe(begun.codeVerifier);
  });

  test('a person who does not agree proves nothing', async () => {
    const { begun, finish, tools } = await begin(platform);
    expect(await finish(await decide(begun, 'alice', 'deny'))).toEqual(refused('denied_by_user'));
    expect(tools.reasons).toEqual([]);
  });

  test('a code counts once, and the second try ends what the first one got', async () => {
    const { begun, finish, provider } = await begin(platform);
    const callbackUrl = await decide(begun);
    expect(await finish(callbackUrl)).toEqual(PROVEN);
    expect(await finish(callbackUrl)).toEqual(refused('replayed'));
    expect(provider.countTokens()).toBe(0);
  });

  test('a code that another browser was given counts for nobody else', async () => {
    const { begun, finish, proof } = await begin(platform);
    const theirs = await proof.begin();
    const code = new URL(await decide(theirs)).searchParams.get('code') ?? '';
    const callback = new URL(redirectUriOf(platform));
    callback.searchParams.set('code', code);
    callback.searchParams.set('state', begun.state);
    expect(await finish(callback.href)).toEqual(refused('replayed'));
  });

  test('a code that is too old', async () => {
    let nowMs = 0;
    const { begun, finish } = await begin(platform, { now: () => nowMs });
    const callbackUrl = await decide(begun);
    nowMs = 60_000;
    expect(await finish(callbackUrl)).toEqual(refused('replayed'));
  });

  test('a provider that is down is asked once and says nothing about the person', async () => {
    const { begun, finish, provider, tools } = await begin(platform);
    const callbackUrl = await decide(begun);
    const before = provider.requests.length;
    provider.setDown(true);
    expect(await finish(callbackUrl)).toEqual(UNAVAILABLE);
    expect(provider.requests.length - before).toBe(1);
    expect(tools.reasons).toHaveLength(1);
  });

  test('a client whom the provider does not know, or not any more', async () => {
    const provider = await startProvider(platform);
    const tools = createTools();
    const proof = createOauthProof(
      { platform, clientId: 'client', clientSecret: 'wrong', ...provider },
      { redirectUri: redirectUriOf(platform), allowsHttp: true, random, ...tools },
    );
    const begun = await proof.begin();
    const outcome = await proof.finish({ ...begun, callbackUrl: await decide(begun), signal: FOREVER });
    // Instagram words it like a refused code, and there is nothing else to tell the two apart.
    const { toRefusal } = OAUTH_DIALECTS[platform];
    const areAlike = isDeepStrictEqual(toRefusal('invalid_client'), toRefusal('invalid_grant'));
    expect(outcome).toEqual(areAlike ? refused('replayed') : UNAVAILABLE);
  });
});

/** What a provider is asked beside the standard. */
const MORE: Partial<Record<OauthPlatform, Record<string, string>>> = {
  code: { prompt: 'select_account', allow_signup: 'false' },
  photo: { force_reauth: 'true' },
};

test.each(OAUTH_PLATFORMS)(
  '%s is asked for the least that tells an account, and where to go back',
  async (platform) => {
    const { searchParams } = new URL((await begin(platform)).begun.url);
    const { state, code_challenge: challenge, ...others } = Object.fromEntries(searchParams);
    expect([state?.length, challenge?.length]).toEqual([43, 43]);
    const { scope } = OAUTH_DIALECTS[platform];
    expect(others).toEqual({
      client_id: 'client',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: redirectUriOf(platform),
      ...(scope === null ? {} : { scope }),
      ...MORE[platform],
    });
  },
);

describe('the way back', () => {
  test.each<[string, (callback: URL) => void, string]>([
    ['another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43)), 'wrong_state'],
    [
      'the state with something behind it',
      ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')}x`),
      'wrong_state',
    ],
    ['no state', ({ searchParams }) => searchParams.delete('state'), 'wrong_state'],
    ['an empty state', ({ searchParams }) => searchParams.set('state', ''), 'wrong_state'],
    ['two states', ({ searchParams }) => searchParams.append('state', searchParams.get('state') ?? ''), 'wrong_state'],
    [
      'another state and a refusal',
      ({ searchParams }) => {
        searchParams.set('error', 'access_denied');
        searchParams.set('state', 'x');
      },
      'wrong_state',
    ],
    ['another host', (callback) => void (callback.host = 'evil.example.com'), 'wrong_callback'],
    ['another port', (callback) => void (callback.port = '8443'), 'wrong_callback'],
    ['no TLS', (callback) => void (callback.protocol = 'http:'), 'wrong_callback'],
    ["another platform's address", (callback) => void (callback.pathname = '/claims/callback/code'), 'wrong_callback'],
    ['a slash at the end', (callback) => void (callback.pathname += '/'), 'wrong_callback'],
    ['a user', (callback) => void (callback.username = 'x'), 'wrong_callback'],
    ['no code', ({ searchParams }) => searchParams.delete('code'), 'wrong_callback'],
    ['two codes', ({ searchParams }) => searchParams.append('code', 'x'), 'wrong_callback'],
    ['a token of the implicit flow', ({ searchParams }) => searchParams.set('id_token', 'x'), 'wrong_callback'],
    ['an answer of another kind', ({ searchParams }) => searchParams.set('response', 'x'), 'wrong_callback'],
    ['thousands of characters', ({ searchParams }) => searchParams.set('more', 'x'.repeat(4_096)), 'wrong_callback'],
    ['another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example.com'), 'wrong_issuer'],
    ['an issuer that is no URL', ({ searchParams }) => searchParams.set('iss', 'x'), 'wrong_issuer'],
  ])('%s is refused before anybody is asked', async (_case, spoil, reason) => {
    const { begun, finish, provider } = await begin('x');
    const callback = new URL(await decide(begun));
    const before = provider.requests.length;
    spoil(callback);
    expect(await finish(callback.href)).toEqual(refused(reason));
    expect(provider.requests.length).toBe(before);
  });

  test('what is no URL at all', async () => {
    const { finish } = await begin('x');
    expect(await finish('/claims/callback/x?code=1')).toEqual(refused('wrong_callback'));
  });

  test("the provider's own issuer passes", async () => {
    const provider = await startProvider('x');
    const tools = createTools();
    const proof = createProof('x', provider, tools);
    const begun = await proof.begin();
    const callback = new URL(await decide(begun));
    callback.searchParams.set('iss', `${provider.url}/`);
    expect((await proof.finish({ ...begun, callbackUrl: callback.href, signal: FOREVER })).kind).toBe('proven');
  });

  test.each(['server_error', 'temporarily_unavailable', 'invalid_scope', 'whatever <script>'])(
    'the error %j is nobody’s refusal, and its text goes nowhere',
    async (error) => {
      const { begun, finish, tools } = await begin('x');
      const callback = new URL(await decide(begun));
      callback.searchParams.delete('code');
      callback.searchParams.set('error', error);
      expect(await finish(callback.href)).toEqual(UNAVAILABLE);
      expect(tools.reasons).toEqual(['the sign-in page answered with an error']);
    },
  );

  test('another verifier', async () => {
    const { begun, finish } = await begin('x');
    expect(await finish(await decide(begun), { codeVerifier: 'y'.repeat(43) })).toEqual(refused('replayed'));
  });
});

describe('answers of the token endpoint', () => {
  const good = { access_token: 'a-token-that-was-given', token_type: 'bearer' };
  const CALLBACK = `${redirectUriOf('x')}?code=a-code-that-was-given&state=${'s'.repeat(43)}`;

  async function finish(
    tokenUrl: string,
    meUrl: string,
    limits: Parameters<typeof createTools>[0] = {},
    signal = FOREVER,
  ) {
    const tools = createTools(limits);
    const proof = createProof('x', { authUrl: 'https://x.example/authorize', tokenUrl, meUrl }, tools);
    const outcome = await proof.finish({
      callbackUrl: CALLBACK,
      state: 's'.repeat(43),
      codeVerifier: 'v'.repeat(43),
      signal,
    });
    expect(tools.reasons.filter((reason) => /a-token|a-code|the-secret/.test(reason))).toEqual([]);
    return { outcome, reasons: tools.reasons };
  }

  /** Tells the id 5 to the bearer of the token; gives tokens as told. */
  async function startOddProvider(status: number, body: string, headers: Record<string, string> = {}) {
    return startServer((request, response) => {
      if (request.url === '/me' && request.headers.authorization === 'Bearer a-token-that-was-given') {
        response.end(JSON.stringify({ data: { id: '5', username: 'alice' } }));
      } else answering(request.url === '/token' ? status : 404, body, headers)(request, response);
    });
  }

  test('the exact answer that the next table spoils', async () => {
    const { url } = await startOddProvider(200, JSON.stringify(good));
    const { outcome, reasons } = await finish(`${url}/token`, `${url}/me`);
    expect(outcome).toEqual({ kind: 'proven', stableId: '5', handle: 'alice' });
    expect(reasons).toEqual(['token not given back: status 404']);
  });

  test.each<[string, number, string, Record<string, string>?]>([
    ['no JSON', 200, '<html>'],
    ['nothing', 200, ''],
    ['a list', 200, '[]'],
    ['a text', 200, '"token"'],
    ['null', 200, 'null'],
    ['no token', 200, JSON.stringify({ token_type: 'bearer' })],
    ['a number for a token', 200, JSON.stringify({ ...good, access_token: 5 })],
    ['no type', 200, JSON.stringify({ access_token: good.access_token })],
    ['another type', 200, JSON.stringify({ ...good, token_type: 'mac' })],
    ['status 201', 201, JSON.stringify(good)],
    ['status 204', 204, ''],
    ['status 401', 401, JSON.stringify({ error: 'invalid_client' })],
    ['status 403', 403, 'forbidden'],
    ['status 429', 429, '{}'],
    ['status 500', 500, JSON.stringify({ error: 'invalid_grant' })],
    ['another refusal', 400, JSON.stringify({ error: 'invalid_request' })],
    ['a redirect', 307, '', { location: '/token-elsewhere' }],
    ['too much', 200, JSON.stringify({ ...good, more: 'x'.repeat(200_000) })],
  ])('%s is no answer', async (_case, status, body, headers) => {
    const { url, requests } = await startOddProvider(status, body, headers);
    const { outcome, reasons } = await finish(`${url}/token`, `${url}/me`);
    expect(outcome).toEqual(UNAVAILABLE);
    expect(reasons).toHaveLength(1);
    expect(requests()).toBe(1);
  });

  test('the time limit, and the caller’s signal', async () => {
    const { url } = await startServer(() => {});
    expect((await finish(url, url, { timeoutMs: 50 })).reasons).toEqual(['timeout']);
    const caller = new AbortController();
    const { url: waiting } = await startServer(() => caller.abort());
    expect((await finish(waiting, waiting, {}, caller.signal)).outcome).toEqual(UNAVAILABLE);
  });

  test.each<[string, number, unknown]>([
    ['no user', 200, {}],
    ['a number for an id', 200, { data: { id: 5, username: 'alice' } }],
    ['an id that is no number', 200, { data: { id: '../5', username: 'alice' } }],
    ['no name', 200, { data: { id: '5' } }],
    ['status 201', 201, { data: { id: '5', username: 'alice' } }],
    ['status 401', 401, { data: { id: '5', username: 'alice' } }],
    ['status 500', 500, {}],
  ])('who signed in, told as %s, is not used', async (_case, status, user) => {
    const { url } = await startServer((request, response) => {
      const body = request.url === '/token' ? good : user;
      answering(request.url === '/me' ? status : 200, JSON.stringify(body))(request, response);
    });
    const { outcome, reasons } = await finish(`${url}/token`, `${url}/me`);
    expect(outcome).toEqual(UNAVAILABLE);
    expect(reasons).toHaveLength(1);
  });

  test('a token is given back also when it was of no use', async () => {
    const given: string[] = [];
    const { url } = await startServer((request, response) => {
      given.push(`${request.method} ${request.url}`);
      answering(request.url === '/me' ? 500 : 200, JSON.stringify(good))(request, response);
    });
    await finish(`${url}/token`, `${url}/me`);
    expect(given).toEqual(['POST /token', 'GET /me', 'POST /revoke']);
  });

  test('a token does not follow a redirect', async () => {
    const elsewhere = await startServer(answering(200, JSON.stringify({ data: { id: '5', username: 'alice' } })));
    const { url } = await startServer((request, response) => {
      if (request.url === '/me') answering(302, '', { location: `${elsewhere.url}/me` })(request, response);
      else answering(200, JSON.stringify(good))(request, response);
    });
    expect((await finish(`${url}/token`, `${url}/me`)).outcome).toEqual(UNAVAILABLE);
    expect(elsewhere.requests()).toBe(0);
  });

  test.each(TRICKY_TARGETS)('the guard refuses %s, for codes and for tokens', async (target) => {
    const canary = await startServer(answering(200, JSON.stringify(good)), EVERYWHERE);
    const url = target.replace(CANARY, String(canary.port));
    const guard = { allowsAddress: isGlobalAddress, lookup: async (host: string) => NAMES[host] ?? [] };
    expect(await finish(url, url, guard)).toEqual({ outcome: UNAVAILABLE, reasons: ['forbidden-address'] });
    // Here the token endpoint is let through, as if it stood on the internet.
    const outside = await startServer(answering(200, JSON.stringify(good)));
    let judged = 0;
    const allowsAddress = (address: string) => judged++ === 0 || isGlobalAddress(address);
    const { outcome, reasons } = await finish(`${outside.url}/token`, url, { ...guard, allowsAddress });
    expect(outcome).toEqual(UNAVAILABLE);
    expect(reasons[0]).toBe('forbidden-address');
    expect(canary.requests()).toBe(0);
  });
});

describe('GitHub', () => {
  test.each(['Organization', 'Bot'])('an account of the type %s is nobody', async (type) => {
    const { url } = await startServer((request, response) => {
      const body =
        request.url === '/user' ? { id: 5, login: 'alice', type } : { access_token: 't', token_type: 'bearer' };
      answering(200, JSON.stringify(body))(request, response);
    });
    const proof = createProof(
      'code',
      { authUrl: `${url}/a`, tokenUrl: `${url}/t`, meUrl: `${url}/user` },
      createTools(),
    );
    const { state, codeVerifier } = await proof.begin();
    const callbackUrl = `${redirectUriOf('code')}?code=c&state=${state}`;
    expect(await proof.finish({ callbackUrl, state, codeVerifier, signal: FOREVER })).toEqual(UNAVAILABLE);
  });

  test('a login that our grammar does not know is reported as it is', async () => {
    const { begun, finish } = await begin('code', { find: () => ({ id: '5', username: 'Old--Name-' }) });
    expect(await finish(await decide(begun))).toMatchObject({ stableId: '5', handle: 'old--name-' });
  });
});

describe('outside local mode', () => {
  const https = { authUrl: 'https://a.example/', tokenUrl: 'https://t.example/', meUrl: 'https://m.example/' };

  test('everything with TLS is taken', () => {
    expect(() => createProof('x', https, createTools(), { allowsHttp: false })).not.toThrow();
  });

  test.each(['authUrl', 'tokenUrl', 'meUrl'] as const)('%s without TLS is refused at once', (name) => {
    const endpoints = { ...https, [name]: 'http://127.0.0.1/' };
    expect(() => createProof('x', endpoints, createTools(), { allowsHttp: false })).toThrow(
      'to use https, found http:',
    );
    expect(() => createProof('x', endpoints, createTools())).not.toThrow();
  });

  test('so is a callback without TLS', () => {
    const options = { allowsHttp: false, redirectUri: 'http://pay.example.com/claims/callback/x' };
    expect(() => createProof('x', https, createTools(), options)).toThrow('to use https');
  });

  test('a server with a certificate that nobody vouches for gets no code', async () => {
    const { port, requests } = await startTlsServer(answering(200, '{}'));
    const tools = createTools();
    const proof = createProof('x', { ...https, tokenUrl: `https://127.0.0.1:${port}/` }, tools, { allowsHttp: false });
    const { state, codeVerifier } = await proof.begin();
    const callbackUrl = `${redirectUriOf('x')}?code=c&state=${state}`;
    expect(await proof.finish({ callbackUrl, state, codeVerifier, signal: FOREVER })).toEqual(UNAVAILABLE);
    expect(requests()).toBe(0);
  });
});
