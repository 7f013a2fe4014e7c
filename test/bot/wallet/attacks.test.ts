/** What a stranger tries with the forms of a purse, a session of its owner's, or an answer of their passkey. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dropOtherHolders } from '../../../db/wallets/holders.ts';
import { passkeysOf } from '../../../db/wallets/passkeys.ts';
import { spentOn } from '../../../db/wallets/spending.ts';
import { changeWalletLimits } from '../../../db/wallets/wallet-limits.ts';
import { ADDRESS_WAIT_MS } from '../../../core/wallets/withdrawal-wait.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { START_MS, usdc } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { createAuthenticator } from './authenticator.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

const SITE = 'http://localhost';
const THIEF = `0x${'66'.repeat(20)}`;

let api: FakeApi;
let harness: Awaited<ReturnType<typeof createWalletHarness>>;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.seen.length = 0;
  api.script(({ header }) => ({ do: header ? 'paid' : 'challenge' }));
  harness = await createWalletHarness({ apiUrl: api.url });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

type Browser = Awaited<ReturnType<typeof harness.openBrowser>>;

describe('another site', () => {
  /** Each that there is, so that a new form is among them. */
  const pathsOf = (method: 'GET' | 'POST') => [
    ...new Set(
      harness.pages.routes
        .filter((route) => route.method === method)
        .map(({ path }) => path.replace('/assets/:version/:name', '/assets/x/y').replaceAll(/:\w+/g, 'x')),
    ),
  ];

  test('has none of the forms sent, whatever it says of itself', async () => {
    const owner = await harness.openBrowser();
    const paths = pathsOf('POST');
    for (const path of ['/send', '/pay/confirm', '/passkeys/add', '/passkeys/ask', '/moved', '/link/x'])
      expect(paths).toContain(path);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'https://localhost' },
      { origin: 'http://localhost.evil.test' },
      { origin: SITE, 'sec-fetch-site': 'cross-site' },
      { origin: '' },
    ];
    for (const path of paths) {
      for (const headers of foreign) {
        const { status } = await owner.post(path, { wallet: WALLET }, headers);
        expect([path, headers, status]).toEqual([path, headers, 403]);
      }
    }
  });

  test('puts none of the pages into a frame, and no cache keeps one for another reader', async () => {
    const owner = await harness.openBrowser();
    for (const path of pathsOf('GET').filter((one) => !one.startsWith('/assets'))) {
      const { headers } = await owner.get(path);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringMatching(/default-src 'none'.*form-action 'self'; frame-ancestors 'none'/),
      ]);
      expect([path, headers.get('cache-control'), headers.get('cross-origin-resource-policy')]).toEqual([
        path,
        'no-store',
        'same-origin',
      ]);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

describe('the form that confirms', () => {
  test('of what is taken out goes by what was shown, whatever stands beside its token', async () => {
    const owner = await harness.openBrowser();
    const shown = await owner.review({ address: STRANGER, amount: '1' });
    const token = await owner.tokenIn(shown);
    const swapped = { address: THIEF, amount: 'all', to: THIEF, wallet: 'x:8', network: 'solana' };
    expect((await owner.post('/send', { token, ...swapped })).status).toBe(303);
    expect(await harness.rows()).toMatchObject([{ toAddress: STRANGER, amountMicroUsdc: usdc(1), network: 'base' }]);
  });

  test('of what was shown first is not changed by what another page shows later', async () => {
    const owner = await harness.openBrowser();
    const token = await owner.tokenIn(await owner.review({ address: STRANGER, amount: '1' }));
    await owner.review({ address: THIEF, amount: '2' });
    await owner.post('/send', { token });
    expect(await harness.rows()).toMatchObject([{ toAddress: STRANGER, amountMicroUsdc: usdc(1) }]);
  });

  test('of what is sent to a name goes by what was shown', async () => {
    const owner = await harness.openBrowser();
    const form = { wallet: WALLET, platform: 'x', name: '@bob', amount: '1', note: '' };
    const { headers } = await owner.post('/pay', form);
    const order = (headers.get('location') ?? '').split('/').at(-1) ?? '';
    await owner.post('/pay/confirm', { ...form, order, name: '@thief', amount: '3' });
    await harness.bot.idle();
    expect(api.seen.at(-1)).toMatchObject({ path: '/payments/x/pay', body: { receiver: 'bob', amount: '1' } });
  });
});

describe('one limit for what is sent and what is taken out', () => {
  const DAY = usdc(25);
  /** Whatever waits on this clock passes time, and the limit is one of a day. */
  const atNoon = () => harness.clock.pass(START_MS - harness.clock.now());

  async function limitDay(): Promise<void> {
    harness.state.balance = usdc(1_000);
    const by = { walletId: WALLET, changedBy: 'the test', nowMs: START_MS };
    await changeWalletLimits(harness.store, by, () => ({ day: { now: DAY.toString() } }));
  }
  async function send(owner: Browser, name: string, amount: string): Promise<number> {
    atNoon();
    const { status, headers } = await owner.post('/pay', { wallet: WALLET, platform: 'x', name, amount, note: '' });
    const order = (headers.get('location') ?? '').split('/').at(-1) ?? '';
    if (status === 303) await owner.post('/pay/confirm', { order });
    await harness.bot.idle();
    return status;
  }
  /** Answers how long it waits. */
  async function takeOut(owner: Browser, amount: string): Promise<number> {
    atNoon();
    await owner.post('/send', { token: await owner.tokenIn(await owner.review({ address: STRANGER, amount })) });
    await harness.bot.idle();
    const row = (await harness.rows()).find(({ amountMicroUsdc }) => amountMicroUsdc === usdc(Number(amount)));
    return (row?.notBeforeMs ?? NaN) - (row?.createdAtMs ?? NaN);
  }

  test('what was sent leaves less to be taken out at once; the rest waits its day, and is not refused', async () => {
    await limitDay();
    const owner = await harness.openBrowser();
    expect([await send(owner, 'bob', '10'), await send(owner, 'carol', '9')]).toEqual([303, 303]);
    expect(await takeOut(owner, '7')).toBe(ADDRESS_WAIT_MS);
    expect(await takeOut(owner, '6')).toBe(0);
    expect(await spentOn(harness.store, WALLET, START_MS)).toBe(DAY);
  });

  test('what was taken out at once leaves less to be sent, until it is called off', async () => {
    await limitDay();
    const owner = await harness.openBrowser();
    expect(await takeOut(owner, '8')).toBe(0);
    expect([await send(owner, 'bob', '10'), await send(owner, 'carol', '8'), await send(owner, 'dave', '7')]).toEqual([
      303, 400, 303,
    ]);
    expect(await spentOn(harness.store, WALLET, START_MS)).toBe(DAY);
  });
});

describe('a passkey', () => {
  const optionsIn = (page: string): { challenge: string } =>
    JSON.parse((/data-options="([^"]+)"/.exec(page)?.[1] ?? 'null').replaceAll('&quot;', '"')) as { challenge: string };
  const ask = async (browser: Browser, fields: Record<string, string>) =>
    (await (await browser.post('/passkeys/ask', fields)).json()) as { challenge: string };
  async function add(browser: Browser, wallet = WALLET, authenticator = createAuthenticator(SITE)) {
    const wish = { for: 'add', wallet };
    const signed = authenticator.create(await ask(browser, wish));
    return { authenticator, status: (await browser.post('/passkeys/add', { ...wish, signed })).status };
  }
  async function reviewed(owner: Browser) {
    const form = { wallet: WALLET, platform: 'x', name: '@bob', amount: '1', note: '' };
    const { headers } = await owner.post('/pay', form);
    const path = (headers.get('location') ?? '').slice('/purse'.length);
    return { order: path.split('/').at(-1) ?? '', page: await (await owner.get(path)).text() };
  }

  test('signs for this site alone: not under another name, nor inside of another site', async () => {
    const owner = await harness.openBrowser();
    const { authenticator } = await add(owner);
    const { order, page } = await reviewed(owner);
    const foreign = [
      authenticator.get(optionsIn(page), { from: 'http://localhost.evil.test' }),
      authenticator.get(optionsIn(page), { site: 'http://evil.test' }),
      authenticator.get(optionsIn(page), { from: 'http://evil.test', site: 'http://evil.test' }),
    ];
    for (const signed of foreign) expect((await owner.post('/pay/confirm', { order, signed })).status).toBe(403);
    await harness.bot.idle();
    expect(api.headers()).toEqual([]);
  });

  test('of one purse is not added to another, and signs nothing there', async () => {
    const [owner, thief] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    const { authenticator } = await add(thief, 'x:8');
    expect((await add(owner, WALLET, authenticator)).status).toBe(400);
    const { tables, read } = harness.store;
    expect(await passkeysOf(read, tables, WALLET, harness.clock.now())).toEqual([]);
    await add(owner);
    const { order, page } = await reviewed(owner);
    const signed = authenticator.get(optionsIn(page));
    expect((await owner.post('/pay/confirm', { order, signed })).status).toBe(403);
  });

  describe('whose answer to a sign-in was overheard', () => {
    const open = { for: 'open' };
    /** Of one that counts how often it signs, or of one that is copied from device to device and cannot. */
    async function overhear(counter?: number) {
      const owner = await harness.openBrowser();
      const { store } = harness;
      const person = { platform: 'x', stableId: '7', key: 'alice', display: '@alice' } as const;
      await store.tx((db) => ensureIdentity(db, store.tables, person, 'person_7', START_MS));
      const { authenticator } = await add(owner);
      const browser = await harness.openBrowser(null);
      const signed = authenticator.get(await ask(browser, open), counter === undefined ? {} : { counter });
      const post = (by: Browser) => by.post('/passkeys/open', { ...open, signed });
      expect((await post(browser)).status).toBe(303);
      return { owner, browser, post };
    }

    test.each([
      ['counts', undefined],
      ['does not count', 0],
    ])('lets nobody else in: one that %s', async (_kind, counter) => {
      const { post } = await overhear(counter);
      const thief = await harness.openBrowser(null);
      expect((await post(thief)).status).toBe(400);
      expect(await (await thief.get('')).text()).not.toContain('$3.20');
    });

    test.each([
      ['counts', undefined],
      ['does not count', 0],
    ])('does not let the same browser in again that was ended: one that %s', async (_kind, counter) => {
      const { owner, browser, post } = await overhear(counter);
      await dropOtherHolders(harness.store, { walletId: WALLET, holderId: owner.holderId }, harness.clock.now());
      expect(await (await browser.get('')).text()).not.toContain('$3.20');
      await post(browser);
      expect(await (await browser.get('')).text()).not.toContain('$3.20');
    });
  });
});
