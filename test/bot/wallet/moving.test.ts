import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KEPT_IT_MS, HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { FILE_MINUTES } from '../../../bot/conversation/files.ts';
import { findWallet } from '../../../bot/shared/wallets.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { addHolder, sessionsOf } from '../../../db/wallets/holders.ts';
import { passkeysOf } from '../../../db/wallets/passkeys.ts';
import { START_MS, usdc } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { createAuthenticator } from './authenticator.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

const OTHER = 'code:9';
const IN_X = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Twitter for iPhone/10.60',
};

let harness: Awaited<ReturnType<typeof createWalletHarness>>;
beforeEach(async () => {
  harness = await createWalletHarness({ publicUrl: 'https://pay.test' });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

type Browser = Awaited<ReturnType<typeof harness.openBrowser>>;
const own = { origin: 'https://pay.test' };
const now = () => harness.clock.now();

/** As the page inside of the app shows it. */
async function link(browser: Browser, wallet = WALLET) {
  const answer = await browser.post('/move', { wallet }, { ...own, ...IN_X });
  const page = await answer.text();
  const secret = /#([A-Za-z0-9_-]{32})</.exec(page)?.[1] ?? '';
  return { status: answer.status, page, secret };
}
const open = (browser: Browser, secret: string, origin = own) => browser.post('/moved', { secret, sure: '1' }, origin);
const sessions = (walletId = WALLET) => sessionsOf(harness.store, walletId);
const held = async (walletId = WALLET) => (await sessions(walletId)).map(({ holderId }) => holderId);

async function hold({ holderId }: Browser, walletId: string): Promise<void> {
  const holder = { holderId, walletId, identityId: 'person_7', name: 'x:alice' };
  await harness.store.tx((db) => addHolder(db, harness.store.tables, holder, now()));
}
async function leave({ holderId }: Browser): Promise<void> {
  const { walletHolders } = harness.store.tables;
  await harness.store.tx((db) => db.delete(walletHolders).where(eq(walletHolders.holderId, holderId)));
}

describe('the link out of an app', () => {
  test('takes the sign-in along, as it stood: it is gone there, spends here at once, and nobody is told', async () => {
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    harness.clock.pass(1_000);
    const { secret } = await link(app);
    expect(await held()).toEqual([app.holderId]);
    expect((await open(phone, secret)).headers.get('location')).toBe('/purse');
    expect(await sessions()).toEqual([{ holderId: phone.holderId, sinceMs: START_MS, fromMs: KEPT_IT_MS }]);
    expect(await (await phone.get('')).text()).toContain('Review');
    expect(await (await app.get('')).text()).toContain('Nothing is kept here for this browser');
    expect((await dueItems(harness.store, now(), 10)).map(({ topic }) => topic)).not.toContain('holder_added');
  });

  test('a passkey added where it leads counts at once, because the money was kept by this sign-in', async () => {
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    await open(phone, (await link(app)).secret);
    const wish = { for: 'add', wallet: WALLET };
    const asked = (await (await phone.post('/passkeys/ask', wish, own)).json()) as { challenge: string };
    const signed = createAuthenticator('https://pay.test').create(asked);
    expect((await phone.post('/passkeys/add', { ...wish, signed }, own)).status).toBe(303);
    const [passkey] = await passkeysOf(harness.store.read, harness.store.tables, WALLET, now());
    expect(passkey?.holdsFromMs).toBe(now());
  });

  test('says first whose money it is, and changes nothing with that', async () => {
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    const { secret } = await link(app);
    const asked = await phone.post('/moved', { secret }, own);
    expect(await asked.text()).toContain('<h1>Kept for @alice on X</h1>');
    expect(await held()).toEqual([app.holderId]);
    expect((await phone.post('/moved', { secret: 'x'.repeat(32) }, own)).status).toBe(404);
    expect((await open(phone, secret)).status).toBe(303);
  });

  test('is not for money that has a passkey', async () => {
    const app = await harness.openBrowser();
    const wish = { for: 'add', wallet: WALLET };
    const asked = (await (await app.post('/passkeys/ask', wish, own)).json()) as { challenge: string };
    await app.post('/passkeys/add', { ...wish, signed: createAuthenticator('https://pay.test').create(asked) }, own);
    expect((await link(app)).status).toBe(400);
  });

  test('works once, for a while, and only from our own page', async () => {
    const [app, phone, thief] = [
      await harness.openBrowser(),
      await harness.openBrowser(null),
      await harness.openBrowser(null),
    ];
    const first = await link(app);
    expect((await open(thief, first.secret, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await open(phone, first.secret)).status).toBe(303);
    // Also where the name is proven inside of the app once more.
    await hold(app, WALLET);
    expect((await open(thief, first.secret)).status).toBe(404);
    expect((await held()).toSorted()).toEqual([app.holderId, phone.holderId].toSorted());
    await leave(app);
    const second = await link(phone);
    harness.clock.pass(FILE_MINUTES * 60_000);
    expect((await open(thief, second.secret)).status).toBe(404);
    expect(await held()).toEqual([phone.holderId]);
  });

  test('is in no address that a server or a proxy writes down, and in no row', async () => {
    const app = await harness.openBrowser();
    const { page, secret } = await link(app);
    expect(secret).toHaveLength(32);
    expect(page).toContain(`https://pay.test/purse/moved#${secret}`);
    const warning = page.indexOf('<strong class="care">This link is a key to your money</strong>');
    expect(warning).toBeGreaterThan(0);
    expect(warning).toBeLessThan(page.indexOf(secret));
    expect(page).toContain('If the time runs out, your money is safe, and you can get a new link here.');
    expect(page).toContain(`x-safari-https://pay.test/purse/moved#${secret}`);
    for (const [address] of page.matchAll(/[a-z-]*https:[^"<\s]+/g))
      expect(new URL(address).pathname).not.toContain(secret);
    const rows = await harness.store.read.select().from(harness.store.tables.chatFiles);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows).toMatchObject([{ kind: 'browser_link', walletId: WALLET }]);
    // And it opens nothing that other links open.
    const visitor = await harness.openBrowser(null);
    for (const path of [`/link/${secret}`, `/files/${secret}`, `/deposit/${secret}`])
      expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.post(`/link/${secret}`, { into: '' }, own)).status).toBe(404);
  });

  test('takes this money alone', async () => {
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    harness.clock.pass(1);
    await hold(app, OTHER);
    await open(phone, (await link(app)).secret);
    expect([await held(), await held(OTHER)]).toEqual([[phone.holderId], [app.holderId]]);
  });

  test('is for one that may spend, when it is made and when it is opened', async () => {
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    const looker = await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS);
    expect((await link(looker)).status).toBe(400);
    expect((await link(phone)).status).toBe(400);
    expect((await link(app, OTHER)).status).toBe(400);
    const [first, second] = [await link(app), await link(app)];
    const { walletHolders } = harness.store.tables;
    await harness.store.tx((db) => db.update(walletHolders).set({ spendsFromMs: START_MS + HOLDER_WAIT_MS }));
    expect((await open(phone, first.secret)).status).toBe(404);
    await leave(app);
    expect((await open(phone, second.secret)).status).toBe(404);
    expect(await held()).toEqual([looker.holderId]);
  });

  test('where this browser may do more already, it keeps that; opened where it was made, it changes nothing', async () => {
    const [keeper, later] = [await harness.openBrowser(), await harness.openBrowser(WALLET, START_MS)];
    await open(keeper, (await link(later)).secret);
    expect(await sessions()).toEqual([{ holderId: keeper.holderId, sinceMs: START_MS, fromMs: KEPT_IT_MS }]);
    expect((await open(keeper, (await link(keeper)).secret)).status).toBe(303);
    expect(await held()).toEqual([keeper.holderId]);
  });

  test('what was asked for and waits goes on, because its asker still holds the money', async () => {
    harness.state.balance = usdc(20);
    const [app, phone] = [await harness.openBrowser(), await harness.openBrowser(null)];
    const wish = { wallet: WALLET, network: 'base', address: STRANGER, amount: '15' };
    const token = await app.tokenIn(await app.post('/review', wish, own));
    expect((await app.post('/send', { token }, own)).status).toBe(303);
    await open(phone, (await link(app)).secret);
    const [row] = await harness.rows();
    expect(row).toMatchObject({ status: 'requested', holderId: phone.holderId });
    expect(await findWallet(harness.store, { userId: row?.holderId ?? '', walletId: WALLET }, now())).not.toBeNull();
  });
});

test('inside of an app the way out stands where the passkey would be offered', async () => {
  const app = await harness.openBrowser();
  const read = async (userAgent: string) => {
    const headers = { cookie: `pennypost=${app.secret}`, 'user-agent': userAgent };
    return (await harness.pages.request('https://pay.test/', { headers })).text();
  };
  const inside = await read(IN_X['user-agent']);
  expect(inside).toContain('class="state"><strong>Go on in your own browser');
  expect(inside).not.toContain('Lock it with a passkey');
  const outside = await read('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
  expect(outside).toContain('class="state lacks-passkey"><strong>Go on in your own browser');
  expect(outside).toContain('Lock it with a passkey');
});
