import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import { HOLDER_WAIT_MS } from '../../core/wallets/holder-wait.ts';
import { WITHOUT_PASSKEY_MS } from '../../core/wallets/passkeys.ts';
import { newPurseLink } from '../../bot/conversation/files.ts';
import type { Passkey } from '../../db/wallets/passkeys.ts';
import { setTipPage } from '../../db/tip-pages/tip-pages.ts';
import { noteRates } from '../../db/tips/day-rates.ts';
import { addHolder } from '../../db/wallets/holders.ts';
import { lockSpending } from '../../db/wallets/spending-locks.ts';
import { startFakeApi } from '../bot/fake-api.ts';
import { START_MS, usdc } from '../bot/harness.ts';
import { createWalletHarness } from '../bot/wallet/wallet-harness.ts';
import { STRANGER } from '../bot/withdrawal-rows.ts';
import type { GalleryPage, GalleryPart } from './page.ts';

const INSIDE_X = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Twitter for iPhone/10.60';

const WALLETS = Array.from({ length: 8 }, (_, index) => `x:${81 + index}`);

type Harness = Awaited<ReturnType<typeof createWalletHarness>>;
type Browser = Awaited<ReturnType<Harness['openBrowser']>>;

/** Kept money: what a person sees of it, sends and takes out. */
export async function startPurse(): Promise<GalleryPart> {
  const api = await startFakeApi();
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // By its name: browsers have no passkeys for an address.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const harness = await createWalletHarness({ publicUrl: url, apiUrl: api.url });
  app.route('/purse', harness.pages);
  return {
    pages: await listPages(harness, url),
    async close() {
      harness.closing.abort();
      await harness.bot.idle();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await harness.store.close();
      await api.close();
    },
  };
}

/** Where the money of the first wallet of each purse comes from, or its pages would show it beside no activity. */
async function deposit({ store }: Harness): Promise<void> {
  const one = { network: 'base', transaction: '0x1', amountMicroUsdc: usdc(23.2), atMs: START_MS } as const;
  const rows = WALLETS.map((walletId, place) => ({ ...one, place, walletId }));
  await store.tx((db) => db.insert(store.tables.walletDeposits).values(rows));
}

async function listPages(harness: Harness, url: string): Promise<GalleryPage[]> {
  harness.state.balance = usdc(23.2);
  const pageOf = (name: string, { secret }: Pick<Browser, 'secret'>, path = '', act?: GalleryPage['act']) => ({
    name: `purse ${name}`,
    url: `${url}/purse${path}`,
    cookie: { name: 'pennypost', value: secret },
    ...(act && { act }),
  });
  await deposit(harness);
  const signedOut = await harness.openBrowser(null);
  const owner = await harness.openBrowser('x:81');
  return [
    pageOf('signed out', signedOut),
    pageOf('with money', owner),
    pageOf('send', owner, '', (page) => page.locator('#pay-0').click()),
    pageOf('sign out', owner, '/sign-out'),
    pageOf('take out', owner, '', openTakeOut),
    pageOf('take out refused', owner, '', (page) => takeOut(page, '99')),
    pageOf('take out reviewed', owner, '', (page) => takeOut(page, '2')),
    pageOf('not found', owner, '/sends/nowhere'),
    { ...pageOf('inside of an app', owner), userAgent: INSIDE_X },
    { ...pageOf('way out of an app', owner, '', askForLink), userAgent: INSIDE_X },
    pageOf('opened by the link out of an app', signedOut, '/moved#key'),
    ...(await listStandings(harness, pageOf)),
    ...(await listLocked(harness, pageOf, { origin: url })),
    ...(await listSent(harness, pageOf, { origin: url })),
  ];
}

type PageOf = (name: string, browser: Browser, path?: string, act?: GalleryPage['act']) => GalleryPage;

async function listStandings(harness: Harness, pageOf: PageOf): Promise<GalleryPage[]> {
  const { store } = harness;
  const first = await harness.openBrowser('x:82');
  const second = await harness.openBrowser('x:82', START_MS + HOLDER_WAIT_MS);
  const locked = await harness.openBrowser('x:83');
  await lockSpending(store, ['x:83'], { lockedBy: 'reconcile', nowMs: START_MS });
  const several = await harness.openBrowser('x:84');
  const mail = { holderId: several.holderId, walletId: 'email:a', identityId: 'person_8' };
  const named = await harness.openBrowser('x:88');
  const page = { words: 'I write free software at night. Thank you for the tea!' };
  await setTipPage(store, { identityId: 'person_7', page }, START_MS);
  const name = 'email:a.very.long.address.that.goes.on@subdomain.example.com';
  await store.tx((db) => addHolder(db, store.tables, { ...mail, name }, START_MS));
  return [
    pageOf('that another place came into', first, '', (page) =>
      page.locator('section > details > summary').last().click(),
    ),
    pageOf('that is only looked at', second),
    pageOf('that is locked', locked),
    pageOf('with two names', several),
    pageOf('with a page of its own', named, '', (shown) =>
      shown.locator('details:has(> form[action="/purse/page"]) > summary').click(),
    ),
  ];
}

/** Money that a passkey locks, and the page on which a chat is connected. */
async function listLocked(harness: Harness, pageOf: PageOf, origin: { origin: string }): Promise<GalleryPage[]> {
  const { store, deps } = harness;
  const add = async (walletId: string, change: Partial<Passkey>) => {
    const key = { identityId: 'person_7', publicKey: 'key', counter: 0, transports: ['internal'], addedBy: 'chat:1' };
    const times = { createdAtMs: START_MS, holdsFromMs: START_MS, endsAtMs: null };
    const row = {
      id: Buffer.from(`${walletId} ${String(change.holdsFromMs)}`).toString('base64url'),
      walletId,
      ...key,
      ...times,
      ...change,
    };
    await store.tx((db) => db.insert(store.tables.passkeys).values(row));
  };
  const [owner, waiting] = [await harness.openBrowser('x:86'), await harness.openBrowser('x:87')];
  await add('x:86', {});
  await add('x:86', { holdsFromMs: START_MS + WITHOUT_PASSKEY_MS });
  await add('x:87', { endsAtMs: START_MS + WITHOUT_PASSKEY_MS });
  const wish = { wallet: 'x:86', platform: 'x', name: 'bob', amount: '1', note: '' };
  const asked = (await owner.post('/pay', wish, origin)).headers.get('location') ?? '';
  const account = { holderId: 'discord:17', walletId: 'discord:17', identityId: 'person_17', name: 'discord:17' };
  await store.tx((db) => addHolder(db, store.tables, account, START_MS));
  const link = await newPurseLink(deps, 'discord:17', '');
  return [
    pageOf('with a passkey', owner, '', (page) =>
      page.locator('details:has(.needs-passkey) > summary').first().click(),
    ),
    pageOf('that is to lose its passkey', waiting),
    pageOf('send reviewed, with a passkey', owner, asked.slice('/purse'.length)),
    pageOf('take out reviewed, with a passkey', owner, '', (page) => takeOut(page, '2')),
    pageOf(
      'connected with a chat',
      owner,
      link.kind === 'link' ? new URL(link.url).pathname.slice('/purse'.length) : '',
    ),
  ];
}

async function listSent(harness: Harness, pageOf: PageOf, origin: { origin: string }): Promise<GalleryPage[]> {
  const owner = await harness.openBrowser('x:85');
  const propose = async (name: string) => {
    const fields = { wallet: 'x:85', platform: 'x', name, amount: '1', note: 'Thank you for Friday night!' };
    const answer = await owner.post('/pay', fields, origin);
    return (answer.headers.get('location') ?? '').slice('/purse'.length);
  };
  const [asked, sent] = [await propose('bob'), await propose('carol')];
  await owner.post('/pay/confirm', { order: sent.slice('/sends/'.length) }, origin);
  await harness.bot.idle();
  const wish = { wallet: 'x:85', network: 'base', address: STRANGER, amount: '20' };
  const token = await owner.tokenIn(await owner.post('/review', wish, origin));
  await owner.post('/send', { token }, origin);
  const [later] = await harness.rows('x:85');
  const { store } = harness;
  await noteRates(
    store,
    new Map([
      ['EUR', usdc(1.08)],
      ['JPY', usdc(0.0064)],
    ]),
    START_MS,
  );
  return [
    pageOf('send reviewed', owner, asked),
    pageOf('sent', owner, sent),
    pageOf('take out later', owner, `/withdrawals/${later?.id ?? ''}`),
    pageOf('with a history', owner),
    pageOf('movements', owner, '/movements?of=1'),
  ];
}

const takeOutForm = (page: Page) => page.locator('form[action="/purse/review"]').first();

async function askForLink(page: Page): Promise<void> {
  await page.locator('form[action="/purse/move"] button').first().click();
  await page.waitForURL('**/purse/move');
}

async function openTakeOut(page: Page): Promise<void> {
  await page.locator('details:has(> form[action="/purse/review"]) > summary').first().click();
  await takeOutForm(page).waitFor();
}

async function takeOut(page: Page, amount: string): Promise<void> {
  await openTakeOut(page);
  await takeOutForm(page).locator('[name="address"]').fill(STRANGER);
  await takeOutForm(page).locator('[name="amount"]').fill(amount);
  await takeOutForm(page).locator('button[type="submit"]').click();
  await page.waitForURL('**/purse/review');
}
