import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { PROOF_FRESH_MS } from '../../../core/claims/claims.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { PINNED, textEvent, usdc } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

let harness: Awaited<ReturnType<typeof createWalletHarness>>;
beforeEach(async () => {
  harness = await createWalletHarness();
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

const wish = { address: STRANGER, amount: 'all' };
/** Of the family whose one network here holds nothing. */
const EMPTY = 'So11111111111111111111111111111111111111112';

test('it shows each wallet by its name, what lies where, and where more can arrive', async () => {
  const { get } = await harness.openBrowser();
  const response = await get('/');
  const page = await response.text();
  for (const text of [
    'Kept for @alice on X',
    '$3.20</span>',
    '3.20 USDC, on Base',
    '0.00 USDC, on Solana',
    `Solana-${WALLET}`,
    'operated by',
    'https://help.test/',
  ]) {
    expect(page).toContain(text);
  }
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(page).not.toMatch(/<script(?! type="module" src=)|style=|onclick=/);
});

test.each([
  ['a browser without a wallet', async () => (await harness.openBrowser(null)).get('/')],
  ['a browser that we do not know', async () => harness.pages.request('http://localhost/')],
])('%s is told where to get one', async (_title, get) => {
  const page = await (await get()).text();
  expect(page).toContain('Nothing is kept here for this browser.');
  expect(page).toContain('href="/claim/x?for=purse"');
});

test('in local mode the chat’s own wallet is among them, elsewhere it is not', async () => {
  const local = await createWalletHarness({ faucet: true });
  const { get } = await local.openBrowser(null);
  expect(await (await get('/')).text()).toContain('This chat’s own money');
  await local.store.close();
});

test('a wallet of the chat that was never used is left out beside kept money, until something lies in it', async () => {
  const local = await createWalletHarness({ faucet: true });
  const { get, holderId } = await local.openBrowser();
  const own = await local.deps.networks[0]?.addressOf(holderId);
  local.state.balances.set(own ?? '', usdc(0));
  const page = await (await get('/')).text();
  expect(page).toContain('Kept for @alice on X');
  expect(page).not.toContain('This chat’s own money');
  local.state.balances.set(own ?? '', usdc(1));
  expect(await (await get('/')).text()).toContain('This chat’s own money');
  local.state.balances.clear();
  local.state.balance = usdc(0);
  expect(await (await get('/')).text()).toContain('This chat’s own money');
  await local.store.close();
});

test('what taking it out costs, and where to, stands beside the button', async () => {
  const { get } = await harness.openBrowser();
  const page = await (await get('/')).text();
  // Not folded: it follows the end of the form.
  expect(page).toMatch(
    /<\/details>\s*<p class="hint">Taking it out is free\. It goes to an app or exchange of your own that takes USDC\./,
  );
});

test('everything is shown first, and confirmed twice it is one withdrawal, which is then followed', async () => {
  const { get, post, review, tokenIn } = await harness.openBrowser();
  const shown = await review(wish);
  const page = await shown.clone().text();
  // The address stands in fours.
  const read = page.replaceAll('</span><span>', '');
  for (const text of ['Take out $3.20?', shownAddress(STRANGER), 'Kept for @alice on X', 'Base'])
    expect(read).toContain(text);
  expect(await harness.rows()).toEqual([]);

  const token = await tokenIn(shown);
  const [first, second] = await Promise.all([post('/send', { token }), post('/send', { token })]);
  await harness.bot.idle();
  const [row, ...more] = await harness.rows();
  expect(more).toEqual([]);
  expect(row).toMatchObject({ status: 'signed', toAddress: STRANGER, amountMicroUsdc: 3_200_000n });
  const path = `/withdrawals/${row?.id}`;
  expect([first, second].map((one) => [one.status, one.headers.get('location')])).toEqual([
    [303, `/purse${path}`],
    [303, `/purse${path}`],
  ]);

  const underway = await (await get(path)).text();
  expect(underway).toContain('On its way');
  expect(underway).toContain('<noscript><meta http-equiv="refresh" content="3"');
  await harness.pay();
  const done = await (await get(path)).text();
  expect(done).toContain('It has arrived');
  expect(done).toContain(`https://basescan.org/tx/0x${'4f'.repeat(32)}`);
  expect(done).not.toContain('http-equiv="refresh"');
  expect(await (await get('/')).text()).toContain(`/purse${path}`);
  expect(harness.signed).toHaveLength(1);
});

test('what leaves tomorrow says so before and after, does not load itself again, and can be called off', async () => {
  harness.state.balance = usdc(20);
  const { get, post, review, tokenIn } = await harness.openBrowser();
  const shown = await review(wish);
  expect(await shown.clone().text()).toContain('data-shows="minute">21 Nov, 12:00 UTC</time></strong>');
  await post('/send', { token: await tokenIn(shown) });
  await harness.bot.idle();
  const [row] = await harness.rows();
  const path = `/withdrawals/${row?.id}`;
  const page = await (await get(path)).text();
  for (const text of ['Leaves later', '21 Nov, 12:00 UTC', 'action="/purse/cancel"']) expect(page).toContain(text);
  expect(page).not.toContain('http-equiv="refresh"');
  const leaving = '$20.00 of it is about to be taken out.';
  expect(await (await get('/')).text()).toContain(leaving);
  const other = await harness.openBrowser('x:8');
  const fields = { withdrawal: row?.id ?? '' };
  expect((await other.post('/cancel', fields)).status).toBe(400);
  expect((await post('/cancel', fields, { origin: 'https://evil.test' })).status).toBe(403);
  expect((await harness.rows())[0]?.status).toBe('requested');
  expect((await post('/cancel', fields)).headers.get('location')).toBe(`/purse${path}`);
  expect(await (await get(path)).text()).toContain('It was cancelled. The money is where it was.');
  expect(await (await get('/')).text()).not.toContain(leaving);
  expect(harness.signed).toEqual([]);
});

describe('a browser with more wallets than a page shows', () => {
  const NINTH = 'x:9';
  /** The first kept is the last shown. */
  async function openFull() {
    const browser = await harness.openBrowser(NINTH);
    const { store } = harness;
    for (let count = 1; count <= 8; count++) {
      const holder = { holderId: browser.holderId, walletId: `github:${count}`, identityId: `p${count}` };
      await store.tx((db) =>
        addHolder(db, store.tables, { ...holder, name: `code:name${count}` }, harness.clock.now() + count),
      );
    }
    return browser;
  }
  const cards = (page: string) => [...page.matchAll(/<h2 id="wallet-\d">([^<]+)</g)].map(([, title]) => title);

  test('asks the networks for those of one page only, and leads to the others', async () => {
    const { get } = await openFull();
    const first = await (await get('/')).text();
    expect([cards(first).length, cards(first)[0]]).toEqual([8, 'Kept for name8 on GitHub']);
    expect(first).toContain('<a href="/purse?page=2">Kept for @alice on X</a>');
    const second = await (await get('/?page=2')).text();
    expect(cards(second)).toEqual(['Kept for @alice on X']);
    expect(second).toContain('<a href="/purse?page=1">Kept for name8 on GitHub · Kept for name7 on GitHub · ');
    for (const page of ['3', '0', 'x', '1.5'])
      expect(cards(await (await get(`/?page=${page}`)).text())).toHaveLength(8);
  });

  test('withdraws from each of them, sees it, and can call it off', async () => {
    harness.state.balance = usdc(20);
    const { get, post, tokenIn } = await openFull();
    const fields = { ...wish, wallet: NINTH, network: 'base' };
    const wrong = await post('/review', { ...fields, address: 'alice.eth' });
    expect([wrong.status, cards(await wrong.text())]).toEqual([400, ['Kept for @alice on X']]);
    await post('/send', { token: await tokenIn(await post('/review', fields)) });
    await harness.bot.idle();
    const [row] = await harness.rows(NINTH);
    expect(await (await get('/')).text()).toContain(`/purse/withdrawals/${row?.id}`);
    expect(await (await get(`/withdrawals/${row?.id}`)).text()).toContain('action="/purse/cancel"');
    expect((await post('/cancel', { withdrawal: row?.id ?? '' })).status).toBe(303);
    expect(await harness.rows(NINTH)).toMatchObject([{ status: 'failed', failure: 'cancelled' }]);
  });

  test('can be the only one to hold each of them', async () => {
    const [full, other] = [await openFull(), await harness.openBrowser(NINTH)];
    expect((await full.post('/only', { wallet: NINTH })).status).toBe(303);
    expect(await (await other.get('/')).text()).toContain('Nothing is kept here');
  });
});

/** A typed “all” is the sum to choose. */
const CHOSEN_SUM = /name="sum" value="all" checked aria-describedby="problem-0" autofocus/;

describe('refuses', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['our own address', { address: PINNED.payTo }, 'This address belongs to this service.', 'address-0'],
    ['what is no address', { address: 'alice.eth' }, 'That is no address of a wallet or exchange.', 'address-0'],
    ['more than there is', { amount: '5' }, 'There are only 3.20 USDC on Base.', 'amount-0'],
    ['what is no amount', { amount: 'a bit' }, 'as an amount', 'amount-0'],
    ['an empty network', { address: EMPTY }, 'There is nothing on Solana.', 'the chosen sum'],
  ])('%s, in its place and with what was typed', async (_title, change, sentence, field) => {
    const { review } = await harness.openBrowser();
    const response = await review({ ...wish, ...change });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain(sentence);
    const place = field === 'the chosen sum' ? CHOSEN_SUM : new RegExp(`id="${field}"[^>]*aria-invalid="true"`);
    expect(page).toMatch(place);
    expect(page).toContain(`value="${change['address'] ?? STRANGER}"`);
  });

  test('markup in what was typed stays text', async () => {
    const { review } = await harness.openBrowser();
    const page = await (await review({ ...wish, address: '"><script>alert(1)</script>' })).text();
    expect(page).not.toContain('<script>alert');
  });

  test('a wallet that this browser does not hold', async () => {
    const { post } = await harness.openBrowser('x:8');
    const response = await post('/review', { ...wish, wallet: WALLET, network: 'base' });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('name="token"');
  });

  test('a confirmation by another browser, or that was never shown', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    const token = await owner.tokenIn(await owner.review(wish));
    for (const guess of [token, 'b_AAAAAAAAAAAAAAAAAAAAAA', '']) {
      expect((await other.post('/send', { token: guess })).status).toBe(400);
    }
    expect(await harness.rows()).toEqual([]);
  });

  test.each([
    ['says that it comes from elsewhere', { origin: 'https://evil.example' }],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['comes from a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['hides where it comes from', { origin: 'null' }],
  ])('a form that %s', async (_title, headers) => {
    const { review, tokenIn, post } = await harness.openBrowser();
    const token = await tokenIn(await review(wish));
    expect((await post('/send', { token }, headers)).status).toBe(403);
    expect(await harness.rows()).toEqual([]);
  });

  test('to take a wallet from others for who does not hold it', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    expect((await other.post('/only', { wallet: WALLET })).status).toBe(400);
    expect(await (await owner.get('/')).text()).toContain('Kept for @alice on X');
  });

  test('to show a withdrawal to a browser that does not hold its wallet', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    await owner.post('/send', { token: await owner.tokenIn(await owner.review(wish)) });
    await harness.bot.idle();
    const [row] = await harness.rows();
    expect((await owner.get(`/withdrawals/${row?.id}`)).status).toBe(200);
    expect((await other.get(`/withdrawals/${row?.id}`)).status).toBe(404);
  });

  test('a fourth withdrawal while three are on their way', async () => {
    const { review, tokenIn, post } = await harness.openBrowser();
    const send = async () => post('/send', { token: await tokenIn(await review({ ...wish, amount: '1' })) });
    for (let count = 0; count < 3; count++) expect((await send()).status).toBe(303);
    const fourth = await send();
    expect([fourth.status, await fourth.text()]).toEqual([400, expect.stringContaining('3 withdrawals on their way')]);
  });
});

test('a holder who finds another browser at the wallet ends it, and its form no longer sends', async () => {
  const [mine, lost] = [await harness.openBrowser(), await harness.openBrowser()];
  const token = await lost.tokenIn(await lost.review(wish));
  expect(await (await mine.get('/')).text()).toContain('Active sessions: 2<');
  const taken = await mine.post('/only', { wallet: WALLET });
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/purse']);
  expect(await (await mine.get('/')).text()).toContain('Active sessions: 1<');
  expect(await (await lost.get('/')).text()).toContain('Nothing is kept here');
  expect((await lost.post('/send', { token })).status).toBe(400);
  expect(await harness.rows()).toEqual([]);
});

test('a holder without a fresh proof of the name takes the wallet from nobody, and is sent to prove it', async () => {
  const [mine, other] = [await harness.openBrowser(), await harness.openBrowser()];
  const isDropped = async () => (await (await other.get('/')).text()).includes('Nothing is kept here');
  harness.clock.pass(PROOF_FRESH_MS);
  const page = await (await mine.get('/')).text();
  expect(page).not.toContain('action="/purse/only"');
  expect(page).toContain('href="/claim/x?for=purse"');
  const refused = await mine.post('/only', { wallet: WALLET });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('sign in with the name again')]);
  expect(await isDropped()).toBe(false);
  const proven = { holderId: mine.holderId, walletId: WALLET, identityId: 'person_7', name: 'x:alice' };
  const { store, clock } = harness;
  await store.tx((db) => addHolder(db, store.tables, proven, clock.now()));
  expect(await (await mine.get('/')).text()).toContain('action="/purse/only"');
  expect((await mine.post('/only', { wallet: WALLET })).status).toBe(303);
  expect(await isDropped()).toBe(true);
});

test('what has left at once for a new address says so, and each browser of the wallet can make it new again', async () => {
  const [thief, owner] = [await harness.openBrowser(), await harness.openBrowser()];
  await thief.post('/send', { token: await thief.tokenIn(await thief.review({ ...wish, amount: '1' })) });
  await harness.bot.idle();
  const [row] = await harness.rows();
  const path = `/withdrawals/${row?.id}`;
  expect(await (await owner.get(path)).text()).not.toContain('action="/purse/cancel"');
  await harness.pay();
  const page = await (await owner.get(path)).text();
  expect(page).toContain('any amount can leave for that address at once');
  expect((await owner.post('/cancel', { withdrawal: row?.id ?? '' })).status).toBe(303);
  expect(await (await owner.get(path)).text()).not.toContain('action="/purse/cancel"');
  const [now] = await harness.rows();
  expect(now).toMatchObject({ status: 'paid', calledOffAtMs: harness.clock.now() });
});

test('the page of the codes opens with its link alone, and only for a while', async () => {
  const { bot, chat, deps, clock, pages } = harness;
  await bot.handle(textEvent('/deposit'));
  const link = chat.last('event-1')?.actions.find((action) => action.kind === 'link');
  const path = link?.url.slice(`${deps.publicUrl}/purse`.length) ?? '';
  const open = (at: string) => pages.request(`http://localhost${at}`);
  const response = await open(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const page = await response.text();
  for (const { addressOf } of deps.networks) expect(page).toContain(shownAddress(await addressOf('chat:user-1')));
  // A page is no file, and a file no page.
  expect((await open(path.replace('/deposit/', '/files/'))).status).toBe(404);
  expect((await open(`${path}x`)).status).toBe(404);
  clock.pass(15 * 60_000);
  expect((await open(path)).status).toBe(404);
});
