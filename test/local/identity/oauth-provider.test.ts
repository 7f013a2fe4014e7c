/** The stand-in is strict, so that what passes here passes at the real ones. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OAUTH_PLATFORMS, type OauthPlatform } from '../../../core/platforms/platforms.ts';
import { startOauthStandIn } from '../../../local/identity/oauth-provider.ts';
import { OAUTH_DIALECTS } from '../../../local/identity/platforms/stand-ins.ts';
import { keep, random } from '../../identity/proofs/tools.ts';
import { submit } from '../../identity/proofs/submit.ts';

const REDIRECT_URI = 'https://pay.example.com/claims/callback/x';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

async function start(platform: OauthPlatform) {
  let nowMs = 0;
  const provider = await keep(
    startOauthStandIn({
      dialect: OAUTH_DIALECTS[platform],
      client: { id: 'client', secret: 'secret', redirectUri: () => REDIRECT_URI },
      find: (username) => (username === 'alice' ? { id: '5', username } : null),
      random,
      now: () => nowMs,
    }),
  );
  const { scope } = OAUTH_DIALECTS[platform];
  const asked = {
    response_type: 'code',
    client_id: 'client',
    redirect_uri: REDIRECT_URI,
    state: 'a-state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...(scope === null ? {} : { scope }),
  };
  const signInUrl = (changed: Record<string, string> = {}) =>
    `${provider.authUrl}?${new URLSearchParams({ ...asked, ...changed }).toString()}`;
  const getCode = async (): Promise<string> => {
    const { headers } = await submit(signInUrl(), { username: 'alice', decision: 'allow' });
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  };
  const trade = (changed: Record<string, string>, basic = 'client:secret') => {
    const isPost = OAUTH_DIALECTS[platform].clientAuthentication === 'post';
    const client: Record<string, string> = isPost ? { client_id: 'client', client_secret: 'secret' } : {};
    const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, ...client };
    return fetch(provider.tokenUrl, {
      method: 'POST',
      headers: isPost ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
      body: new URLSearchParams({ ...form, ...changed }),
    });
  };
  return { provider, signInUrl, getCode, trade, setNow: (ms: number) => void (nowMs = ms) };
}

describe.each(OAUTH_PLATFORMS)('%s', (platform) => {
  test('an exact request gets a page that says it pretends', async () => {
    const { signInUrl } = await start(platform);
    const page = await fetch(signInUrl());
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<strong>Pretend.</strong> Nothing here is real.');
  });

  test.each([
    ['another client', { client_id: 'other' }],
    ['another redirect URI', { redirect_uri: `${REDIRECT_URI}/` }],
    ['a redirect URI with a query', { redirect_uri: `${REDIRECT_URI}?x=1` }],
  ])('%s is told to the person and leads nowhere', async (_case, changed) => {
    const { signInUrl } = await start(platform);
    const page = await fetch(signInUrl(changed), { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['no PKCE', { code_challenge: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no state', { state: '' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'invalid_request'],
    ['more than is needed', { scope: 'everything' }, 'invalid_scope'],
  ])('%s goes back as an error', async (_case, changed, error) => {
    const { signInUrl } = await start(platform);
    const { status, headers } = await fetch(signInUrl(changed), { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '');
    expect([status, `${back.origin}${back.pathname}`, back.searchParams.get('error')]).toEqual([
      303,
      REDIRECT_URI,
      error,
    ]);
  });

  test('a person who does not exist is asked for again, on the same page', async () => {
    const { signInUrl } = await start(platform);
    const page = await submit(signInUrl(), { username: '<nobody>', decision: 'allow' });
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('role="alert"');
    expect(text).toContain('Nobody has that name here.');
    expect(text).not.toContain('<nobody>');
  });

  test('the exact trade', async () => {
    const { getCode, trade } = await start(platform);
    const answer = await trade({ code: await getCode() });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('access_token');
  });

  test.each([
    ['another redirect URI', { redirect_uri: `${REDIRECT_URI}/` }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['another grant', { grant_type: 'client_credentials' }],
    ['another code', { code: 'x' }],
  ])('%s gets no token', async (_case, changed) => {
    const { getCode, trade, provider } = await start(platform);
    const answer = await trade({ code: await getCode(), ...changed });
    expect(await answer.text()).not.toContain('access_token');
    expect(provider.countTokens()).toBe(0);
  });

  test('another secret gets no token', async () => {
    const { getCode, trade, provider } = await start(platform);
    await trade({ code: await getCode(), client_secret: 'other' }, 'client:other');
    expect(provider.countTokens()).toBe(0);
  });

  test('an old code gets no token', async () => {
    const { getCode, trade, provider, setNow } = await start(platform);
    const code = await getCode();
    setNow(60_000);
    await trade({ code });
    expect(provider.countTokens()).toBe(0);
  });

  test('a token of nobody tells nothing', async () => {
    const { provider } = await start(platform);
    expect((await fetch(provider.meUrl, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    expect((await fetch(provider.meUrl)).status).toBe(401);
  });

  test('what another site makes a browser send is refused', async () => {
    const { provider, signInUrl } = await start(platform);
    const headers = { origin: 'https://evil.example' };
    expect((await fetch(provider.authUrl, { method: 'POST', headers, body: 'request=x' })).status).toBe(403);
    expect((await fetch(signInUrl(), { headers })).status).toBe(403);
  });

  test('a body beyond 64 KiB is refused', async () => {
    const { provider } = await start(platform);
    expect((await fetch(provider.tokenUrl, { method: 'POST', body: 'x'.repeat(65_537) })).status).toBe(413);
  });
});
