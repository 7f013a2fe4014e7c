import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { INVITE_MS, SESSION_IDLE_MS, SESSION_MS } from '../../../core/admins/admins.ts';
import { removeAdmin } from '../../../db/admins/admins.ts';
import { createAuthenticator } from '../../bot/wallet/authenticator.ts';
import {
  createConsoleHarness,
  optionsIn,
  SITE,
  type Authenticator,
  type Browser,
  type ConsoleHarness,
} from './console-harness.ts';

const SESSION = '__Host-pennypost-console';
const ASK = '__Host-pennypost-console-ask';
const ALONE = 0x01;

let harness: ConsoleHarness;
beforeEach(async () => {
  harness = await createConsoleHarness();
});
afterEach(async () => {
  await harness.close();
});

const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/')).status === 200;

describe('by an invitation', () => {
  test('a passkey is made once, and signs in; all of it is in the audit with who', async () => {
    const { openBrowser, invite, actions } = harness;
    const secret = await invite('ada', 'owner');
    const browser = openBrowser();
    const ada = createAuthenticator(SITE);
    const made = await browser.post(`/invite/${secret}`, {
      signed: ada.create(await browser.asked(`/invite/${secret}`)),
    });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/sign-in']);
    expect(await isIn(browser)).toBe(false);
    expect((await browser.signIn(ada)).headers.get('location')).toBe('/');
    expect(await (await browser.get('/')).text()).toContain('ada, owner');
    expect((await actions()).map(({ who, command }) => `${who} ${command}`)).toEqual([
      'test admin invite',
      'console:ada admin accept',
      'console:ada console sign-in',
    ]);
  });

  test.each<[string, (secret: string, browser: Browser) => Promise<string>]>([
    ['a link that nobody made', async () => 'A'.repeat(43)],
    [
      'one that is over',
      async (secret) => {
        harness.clock.nowMs += INVITE_MS;
        return secret;
      },
    ],
    [
      'one that was used',
      async (secret) => {
        const other = harness.openBrowser({ caller: 'other' });
        const signed = createAuthenticator(SITE).create(await other.asked(`/invite/${secret}`));
        await other.post(`/invite/${secret}`, { signed });
        return secret;
      },
    ],
    [
      'one whose admin was removed',
      async (secret) => {
        const command = { name: 'admin remove', arguments: [], who: 'test' };
        await removeAdmin(harness.store, 'ada', command, harness.clock.nowMs);
        return secret;
      },
    ],
  ])('%s opens nothing, before or after its page was seen', async (_what, spoil) => {
    const browser = harness.openBrowser();
    const secret = await harness.invite('ada', 'owner');
    const signed = createAuthenticator(SITE).create(await browser.asked(`/invite/${secret}`));
    const spoilt = await spoil(secret, browser);
    expect((await browser.get(`/invite/${spoilt}`)).status).toBe(404);
    const answer = await browser.post(`/invite/${spoilt}`, { signed });
    expect([403, 404]).toContain(answer.status);
    expect(await harness.store.read.$count(harness.store.tables.adminPasskeys)).toBe(
      _what === 'one that was used' ? 1 : 0,
    );
  });

  test.each<[string, (ada: Authenticator, browser: Browser, address: string) => Promise<string>]>([
    [
      'another origin',
      async (ada, browser, address) => ada.create(await browser.asked(address), { from: 'https://evil.test' }),
    ],
    [
      'the challenge of another browser',
      async (ada, browser, address) => {
        await browser.asked(address);
        return ada.create(await harness.openBrowser().asked(address));
      },
    ],
    ['the challenge of a sign-in', async (ada, browser) => ada.create(await browser.asked('/sign-in'))],
    [
      'an authenticator of another site',
      async (_ada, browser, address) =>
        createAuthenticator('https://evil.test').create(await browser.asked(address), { from: SITE }),
    ],
    ['nothing', async () => ''],
  ])('a passkey made for %s is none', async (_what, sign) => {
    const address = `/invite/${await harness.invite('ada', 'owner')}`;
    const browser = harness.openBrowser();
    const signed = await sign(createAuthenticator(SITE), browser, address);
    expect((await browser.post(address, { signed })).status).toBe(403);
    expect(await harness.store.read.$count(harness.store.tables.adminPasskeys)).toBe(0);
  });

  test('the credential id of another admin is not taken over', async () => {
    const bob = await harness.admit('bob', 'owner');
    const address = `/invite/${await harness.invite('eve', 'viewer')}`;
    const browser = harness.openBrowser();
    // Bob's own id with whatever key: the authenticator signs for Eve's page.
    const signed = bob.create(await browser.asked(address));
    expect((await browser.post(address, { signed })).status).toBe(404);
    expect(await isIn(await signedInAs(bob))).toBe(true);
  });
});

async function signedInAs(authenticator: Authenticator): Promise<Browser> {
  const browser = harness.openBrowser({ caller: 'again' });
  await browser.signIn(authenticator);
  return browser;
}

describe('an attack on the sign-in', () => {
  let ada: Authenticator;
  let browser: Browser;
  beforeEach(async () => {
    ada = await harness.admit('ada', 'owner');
    browser = harness.openBrowser();
  });
  const asked = () => browser.asked('/sign-in');
  /** This browser is asked too, so that only the challenge is wrong. */
  async function elsewhere(address: string) {
    await asked();
    return harness.openBrowser().asked(address);
  }

  test.each<[string, () => Promise<string>]>([
    ['a page of another origin', async () => ada.get(await asked(), { from: 'https://evil.test' })],
    ['the same name with another port', async () => ada.get(await asked(), { from: `${SITE}:8402` })],
    ['plain HTTP', async () => ada.get(await asked(), { from: 'http://console.test' })],
    ['a person who was not verified', async () => ada.get(await asked(), { flags: ALONE })],
    ['nobody at the device', async () => ada.get(await asked(), { flags: 0x04 })],
    ['a challenge that was made for another browser', async () => ada.get(await elsewhere('/sign-in'))],
    [
      'a challenge that nobody made',
      async () => {
        await asked();
        return ada.get({ challenge: Buffer.from('mine').toString('base64url') });
      },
    ],
    ['a passkey that is nobody’s', async () => createAuthenticator(SITE).get(await asked())],
    [
      'another key under a known id',
      async () => {
        const forged = JSON.parse(createAuthenticator(SITE).get(await asked())) as Record<string, unknown>;
        return JSON.stringify({ ...forged, id: ada.id, rawId: ada.id });
      },
    ],
    [
      'an authenticator that was asked for another site',
      async () => ada.get(await asked(), { site: 'https://evil.test' }),
    ],
    [
      'what was signed for an invitation',
      async () => ada.get(await browser.asked(`/invite/${await harness.invite('eve', 'viewer')}`)),
    ],
    ['no answer at all', async () => ''],
    ['something else', async () => '{"id":"x"}'],
    ['more than any answer', async () => `"${'x'.repeat(3_900)}"`],
  ])('by %s fails', async (_what, sign) => {
    const signed = await sign();
    const answer = await browser.post('/sign-in', { signed });
    expect(answer.status).toBe(403);
    expect(browser.jar.has(SESSION)).toBe(false);
    expect(await isIn(browser)).toBe(false);
    expect(await harness.store.read.$count(harness.store.tables.adminSessions)).toBe(0);
  });

  test('by repeating what was signed, in this browser or with its cookie elsewhere, fails', async () => {
    const signed = ada.get(await asked(), { counter: 0 });
    const cookie = browser.jar.get(ASK) ?? '';
    expect((await browser.post('/sign-in', { signed })).status).toBe(303);
    const thief = harness.openBrowser({ caller: 'thief' });
    thief.jar.set(ASK, cookie);
    expect((await thief.post('/sign-in', { signed })).status).toBe(403);
    await browser.post('/sign-out');
    thief.jar.set(ASK, cookie);
    expect((await thief.post('/sign-in', { signed })).status).toBe(403);
  });

  test('by a challenge that has grown old fails', async () => {
    const signed = ada.get(await asked());
    harness.clock.nowMs += 10 * 60_000;
    expect((await browser.post('/sign-in', { signed })).status).toBe(403);
  });

  test('by a copy of the key, which counts behind, fails', async () => {
    await browser.signIn(ada);
    await browser.signIn(ada);
    const copied = ada.get(await asked(), { counter: 1 });
    expect((await browser.post('/sign-in', { signed: copied })).status).toBe(403);
  });

  test('by the passkey of an admin who was removed fails', async () => {
    const command = { name: 'admin remove', arguments: [], who: 'test' };
    await removeAdmin(harness.store, 'ada', command, harness.clock.nowMs);
    expect((await browser.signIn(ada)).status).toBe(403);
  });

  test('by a lost passkey, once there is another, fails', async () => {
    const found = harness.openBrowser({ caller: 'found' });
    await found.signIn(ada);
    const next = await harness.admit('ada', 'owner');
    expect(await isIn(found)).toBe(false);
    expect((await browser.signIn(ada)).status).toBe(403);
    expect((await browser.signIn(next)).status).toBe(303);
  });

  test('by a session that was put into the browser before fails: each sign-in makes its own', async () => {
    const planted = 'p'.repeat(43);
    browser.jar.set(SESSION, planted);
    await browser.signIn(ada);
    expect(browser.jar.get(SESSION)).not.toBe(planted);
    const thief = harness.openBrowser();
    thief.jar.set(SESSION, planted);
    expect(await isIn(thief)).toBe(false);
  });

  test('by a cookie that was copied fails once it was signed out, unused for a while, or long there', async () => {
    for (const end of ['out', 'unused', 'long'] as const) {
      const owner = harness.openBrowser({ caller: end });
      await owner.signIn(ada);
      const thief = harness.openBrowser();
      thief.jar.set(SESSION, owner.jar.get(SESSION) ?? '');
      expect(await isIn(thief)).toBe(true);
      if (end === 'out') await owner.post('/sign-out');
      if (end === 'unused') harness.clock.nowMs += SESSION_IDLE_MS;
      if (end === 'long')
        for (let passed = 0; passed < SESSION_MS; passed += SESSION_IDLE_MS / 2) {
          await owner.get('/audit');
          harness.clock.nowMs += SESSION_IDLE_MS / 2;
        }
      expect(await isIn(thief)).toBe(false);
    }
  });

  test('by guessing is stopped after a few tries, for that caller alone', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await browser.post('/sign-in', { signed: 'x' })).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect((await browser.post('/sign-in', { signed: ada.get(await asked()) })).status).toBe(429);
    expect((await harness.openBrowser({ caller: 'ada' }).signIn(ada)).status).toBe(303);
    const links = harness.openBrowser({ caller: 'links' });
    for (let count = 0; count < 10; count += 1) await links.get(`/invite/${count}`);
    expect((await links.get(`/invite/${await harness.invite('eve', 'owner')}`)).status).toBe(429);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.test' }],
    ['another site, as browsers say it', { 'sec-fetch-site': 'cross-site' }],
    ['a page beside it', { 'sec-fetch-site': 'same-site' }],
    ['the service itself', { origin: 'https://pay.test' }],
    ['nowhere', { origin: 'null' }],
  ])('by a form of %s fails, with a session too', async (_what, headers) => {
    const signed = ada.get(await asked());
    expect((await browser.post('/sign-in', { signed }, headers)).status).toBe(403);
    const owner = await signedInAs(ada);
    for (const path of ['/do/stop', '/do/invite', '/sign-out', '/export.csv']) {
      expect(
        (await owner.post(path, { name: 'eve', role: 'owner', network: 'all', kind: 'signing' }, headers)).status,
      ).toBe(403);
    }
    expect(await isIn(owner)).toBe(true);
    expect(await harness.store.read.$count(harness.store.tables.signingStops)).toBe(0);
  });
});

test('cookies are for this host, over TLS, out of reach of scripts, and never sent by another site', async () => {
  const ada = await harness.admit('ada', 'owner');
  const browser = harness.openBrowser();
  const page = await browser.get('/sign-in');
  const [ask = ''] = page.headers.getSetCookie();
  const signed = ada.get(optionsIn(await page.text()));
  const lines = (await browser.post('/sign-in', { signed })).headers.getSetCookie();
  const session = lines.find((line) => line.startsWith(`${SESSION}=`)) ?? '';
  for (const line of [ask, session]) {
    expect(line).toMatch(/^__Host-/);
    for (const word of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']) expect(line).toContain(word);
    expect(line).not.toContain('Domain');
  }
  expect(JSON.stringify(await harness.store.read.select().from(harness.store.tables.adminSessions))).not.toContain(
    browser.jar.get(SESSION),
  );
});

test('no page may be framed, kept, or load anything else, before and after the sign-in', async () => {
  const owner = await harness.signedIn('ada', 'owner');
  const all = [await owner.get('/'), await owner.get('/nothing'), await harness.openBrowser().get('/sign-in')];
  for (const { headers } of all) {
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});
