import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { ADDRESS_LAPSE_MS } from '../../../core/claims/claims.ts';
import { HOLDER_WAIT_MS, LAPSED_HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { TIP_PAGE_MS } from '../../../core/tip-pages/tip-pages.ts';
import { ownTipPage } from '../../../db/tip-pages/tip-pages.ts';
import { findWithdrawal } from '../../../db/withdrawals/find.ts';
import { admitHolder, sessionsOf } from '../../../db/wallets/holders.ts';
import { isLeft } from '../../../db/chats/sign-out.ts';
import { spentOn } from '../../../db/wallets/spending.ts';
import { RAISE_WAIT_MS } from '../../../core/wallets/spending-limits.ts';
import { findOrder } from '../../../db/tips/orders.ts';
import { lockSpending } from '../../../db/wallets/spending-locks.ts';
import { toCsv } from '../../../bot/wallet/statement.ts';
import { noteRates } from '../../../db/tips/day-rates.ts';
import { startFakeApi, type Challenge, type FakeApi } from '../fake-api.ts';
import { START_MS, textEvent, usdc } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

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

const pay = ({ post }: Browser, change: Record<string, string> = {}) =>
  post('/pay', { wallet: WALLET, platform: 'x', name: '@bob', amount: '1', note: '', ...change });

/** The page that shows everything before it is sent. */
async function review(browser: Browser, change: Record<string, string> = {}) {
  const answer = await pay(browser, change);
  expect(answer.status).toBe(303);
  const path = (answer.headers.get('location') ?? '').slice('/purse'.length);
  const page = await (await browser.get(path)).text();
  return { path, page, order: /name="order" value="([^"]+)"/.exec(page)?.[1] ?? '' };
}

test('a possible new owner of the name sees nothing of it but why and until when, and may leave it', async () => {
  const [owner, fromMs] = [await harness.openBrowser(), START_MS + LAPSED_HOLDER_WAIT_MS];
  const newcomer = await harness.openBrowser(WALLET, fromMs, fromMs);
  const { path, order } = await review(owner);
  await owner.post('/pay/confirm', { order });
  await harness.bot.idle();
  const page = await (await newcomer.get('')).text();
  expect(page).toContain('it may have a new owner');
  expect(page).toContain(new Date(fromMs).toISOString());
  const [paying] = harness.deps.networks;
  for (const kept of ['3.20', '@bob', shownAddress(await paying.addressOf(WALLET)), '/receipts/'])
    expect(page).not.toContain(kept);
  expect((await newcomer.post('/statement', { wallet: WALLET })).status).toBe(400);
  expect((await newcomer.get(path)).status).toBe(404);
  const leaver = await harness.openBrowser(WALLET, fromMs, fromMs);
  expect((await leaver.post('/leave', { wallet: WALLET })).status).toBe(303);
  const left = (await sessionsOf(harness.store, WALLET)).map(({ holderId }) => holderId);
  expect(left.toSorted()).toEqual([owner.holderId, newcomer.holderId].toSorted());
  harness.clock.pass(fromMs - harness.clock.now());
  expect((await newcomer.post('/statement', { wallet: WALLET })).status).toBe(200);
});

describe('to a name', () => {
  test('everything is shown first; confirmed twice it is paid once, from this money, and the receipt can be passed on, looked at however often', async () => {
    const owner = await harness.openBrowser();
    const { path, page, order } = await review(owner, { note: ' Thank\nyou ' });
    for (const text of ['Send $1.00 to @bob on X?', 'Kept for @alice on X', 'Thank you']) expect(page).toContain(text);
    expect([api.headers(), await spentOn(harness.store, WALLET, START_MS)]).toEqual([[], 0n]);
    const answers = [await owner.post('/pay/confirm', { order }), await owner.post('/pay/confirm', { order })];
    expect(answers.map((one) => [one.status, one.headers.get('location')])).toEqual([
      [303, `/purse${path}`],
      [303, `/purse${path}`],
    ]);
    await harness.bot.idle();
    // A chat would get a button to take it back; a page that is looked at writes nothing.
    const rows = async () => (await harness.store.read.select().from(harness.store.tables.chatButtons)).length;
    const before = await rows();
    for (let look = 0; look < 3; look++) {
      const done = await (await owner.get(path)).text();
      for (const text of ['<strong class="paid">Sent</strong>', 'Open the receipt']) expect(done).toContain(text);
    }
    expect([await rows(), api.headers().length]).toEqual([before, 1]);
    const [paying] = harness.deps.networks;
    expect(api.seen.at(-1)).toMatchObject({
      path: '/payments/x/pay',
      body: { receiver: 'bob', amount: '1', description: 'Thank you' },
      authorization: { from: await paying.addressOf(WALLET) },
    });
    expect(await spentOn(harness.store, WALLET, START_MS)).toBe(usdc(1));
  });

  test('a sum that is chosen is sent as it stands, and none is offered that is not there', async () => {
    const owner = await harness.openBrowser();
    const page = await (await owner.get('/')).text();
    const offered = [...page.matchAll(/name="sum" value="([^"]*)"/g)].map(([, value]) => value);
    // Below them, what is taken out.
    expect(offered).toEqual(['1', '', 'all', '']);
    expect((await review(owner, { sum: '1', amount: '' })).page).toContain('Send $1.00 to @bob on X?');
    expect((await review(owner, { sum: '', amount: '2' })).page).toContain('Send $2.00 to @bob on X?');
    const all = { wallet: WALLET, network: 'base', address: STRANGER, sum: 'all', amount: '' };
    expect(await (await owner.post('/review', all)).text()).toContain('Take out $3.20?');
    harness.state.balance = usdc(50);
    expect(await (await owner.get('/')).text()).toContain('name="sum" value="10"');
  });

  const MISTAKES: readonly [string, Record<string, string>, string, string][] = [
    ['a name that cannot be', { name: 'not a name' }, 'send-name-0', 'not a name'],
    ['the own name', { name: 'alice' }, 'send-name-0', 'is you'],
    ['no amount', { amount: 'much' }, 'send-amount-0', 'much'],
    ['more than there is', { amount: '5' }, 'send-amount-0', 'there is $3.20'],
    ['more than one person gets', { amount: '11' }, 'send-amount-0', '10'],
    ['a message that is too long', { note: 'x'.repeat(141) }, 'send-note-0', '140'],
  ];
  test('a mistake is refused in its place and with what was typed', async () => {
    const owner = await harness.openBrowser();
    for (const [title, change, field, sentence] of MISTAKES) {
      const answer = await pay(owner, change);
      const page = await answer.text();
      expect([title, answer.status]).toEqual([title, 400]);
      expect(page).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
      expect(/role="alert"[^>]*>(.*?)<\/p>/s.exec(page)?.[1]).toContain(sentence);
      for (const typed of Object.values(change)) expect(page).toContain(`value="${typed}"`);
    }
    expect(api.headers()).toEqual([]);
  });

  test('a sum that is missing is asked for, and one that was chosen is chosen again after a mistake', async () => {
    const owner = await harness.openBrowser();
    const out = { wallet: WALLET, network: 'base', address: STRANGER };
    for (const none of [await pay(owner, { amount: ' ' }), await owner.post('/review', { ...out, amount: '' })])
      expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('Choose a sum, or type one.')]);
    const again = async (answer: Response) =>
      [
        ...(await answer.text()).matchAll(
          /<input[^>]*(?:name="sum" value="([^"]*)" checked|name="amount" value="([^"]*)")/g,
        ),
      ].map(([, chosen, typed]) => chosen ?? `typed ${typed}`);
    const sending = (change: Record<string, string>) => pay(owner, { name: '', ...change });
    expect(await again(await sending({ sum: '1', amount: '' }))).toEqual(['1', 'typed ', '', 'typed ']);
    expect(await again(await sending({ sum: '', amount: '2' }))).toEqual(['', 'typed 2', '', 'typed ']);
    const bad = { ...out, address: 'nowhere' };
    const all = await again(await owner.post('/review', { ...bad, sum: 'all', amount: '' }));
    expect(all).toEqual(['', 'typed ', 'all', 'typed ']);
    const two = await again(await owner.post('/review', { ...bad, sum: '', amount: '2' }));
    expect(two).toEqual(['', 'typed ', '', 'typed 2']);
  });

  test('it names all that it costs, and is not sent once the price has risen above that', async () => {
    const owner = await harness.openBrowser();
    const asks = (amount: string) =>
      api.script(({ header }) => {
        const change = ({ accepts }: Challenge) => accepts.forEach((terms) => (terms.amount = amount));
        return header === null ? { do: 'challenge', change } : { do: 'paid' };
      });
    harness.deps.networks.forEach(({ pinned }) => (pinned.costLine = usdc(0.005)));
    asks('1005000');
    const dear = await review(owner);
    for (const text of ['<dd>$0.005</dd>', '<dd>$1.005</dd>']) expect(dear.page).toContain(text);
    await owner.post('/pay/confirm', { order: dear.order });
    await harness.bot.idle();
    expect(api.seen.at(-1)?.authorization?.value).toBe('1005000');
    asks('1000000');
    const cheap = await review(owner, { name: 'carol' });
    asks('1005000');
    await owner.post('/pay/confirm', { order: cheap.order });
    await harness.bot.idle();
    expect(api.headers()).toHaveLength(1);
    expect(await (await owner.get(cheap.path)).text()).toContain('The price I was asked for is not the one I know');
  });

  test('a browser that was dropped after it was shown confirms nothing', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser()];
    const { order } = await review(other);
    expect((await owner.post('/only', { wallet: WALLET })).status).toBe(303);
    expect((await other.post('/pay/confirm', { order })).status).toBe(400);
    expect((await findOrder(harness.store, order))?.status).toBe('proposed');
  });

  test('locked, as after a restore, it says so and sends again a day after it is unlocked there', async () => {
    const owner = await harness.openBrowser();
    const lock = { lockedBy: 'reconcile', nowMs: START_MS };
    await lockSpending(harness.store, [WALLET, owner.holderId], lock);
    const shown = await (await owner.get('/')).text();
    for (const text of ['Sending is locked', 'action="/purse/unlock"']) expect(shown).toContain(text);
    expect(shown).not.toContain('action="/purse/pay"');
    expect((await pay(owner)).status).toBe(400);
    expect((await owner.post('/unlock', { wallet: WALLET }, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await owner.post('/unlock', { wallet: WALLET })).status).toBe(303);
    expect(await (await owner.get('/')).text()).toContain('2026-11-21T12:00:00.000Z');
    expect((await pay(owner)).status).toBe(400);
    harness.clock.pass(RAISE_WAIT_MS);
    expect((await pay(owner)).status).toBe(303);
  });

  test('nobody else sees it or sends it, and no other site can have it sent', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    expect((await pay(other)).status).toBe(400);
    const { path, order } = await review(owner);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post('/pay/confirm', { order })).status).toBe(400);
    expect((await owner.post('/pay/confirm', { order }, { origin: 'https://evil.test' })).status).toBe(403);
    await harness.bot.idle();
    expect(api.headers()).toEqual([]);
  });
});

describe('what came and went', () => {
  test('is on the page, on one of its own and in a table, in the reader’s zone, and for no one else', async () => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser('x:8')];
    const { order } = await review(owner);
    await owner.post('/pay/confirm', { order });
    await harness.bot.idle();
    const page = await (await owner.get('/')).text();
    for (const text of ['Activity', '−$1.00', '@bob on X', 'No. 4711']) expect(page).toContain(text);
    const all = await (await owner.get('/movements?of=1')).text();
    for (const text of ['Kept for @alice on X', '−$1.00', '@bob on X', 'No. 4711', 'data-print'])
      expect(all).toContain(text);
    for (const place of ['2', '0', 'x', WALLET]) expect((await owner.get(`/movements?of=${place}`)).status).toBe(404);
    expect(await (await other.get('/movements?of=1')).text()).not.toContain('@bob on X');
    const file = await owner.post('/statement', { wallet: WALLET, zone: 'Asia/Tokyo' });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
    const [head, row] = (await file.text()).split('\r\n');
    expect(head).toBe(
      'time,zone,kind,with,in_usdc,out_usdc,fee_usdc,status,number,receipt,transaction,value,currency,rate_usdc',
    );
    expect(row).toMatch(/^2026-11-20 21:0\d:\d\d,Asia\/Tokyo,sent,x:bob,,1,,queued,4711,http/);
    expect((await other.post('/statement', { wallet: WALLET, zone: 'UTC' })).status).toBe(400);
    const odd = await owner.post('/statement', { wallet: WALLET, zone: 'Nowhere/Land' });
    expect(await odd.text()).toMatch(/2026-11-20 12:0\d:\d\d,UTC,sent/);
  });

  test('is shown however much was called off since, and the way to all of it also where there is nothing', async () => {
    harness.state.balance = usdc(60);
    const owner = await harness.openBrowser();
    expect(await (await owner.get('/')).text()).toContain('href="/purse/movements?of=1"');
    expect(await (await owner.get('/movements?of=1')).text()).toContain('No activity is listed yet.');
    const takeOut = async (amount: string) =>
      owner.post('/send', { token: await owner.tokenIn(await owner.review({ address: STRANGER, amount })) });
    await takeOut('5');
    await harness.bot.idle();
    await harness.pay();
    for (const amount of ['15', '16', '17']) {
      harness.clock.pass(1);
      await takeOut(amount);
      const [row] = await harness.rows();
      await owner.post('/cancel', { withdrawal: row?.id ?? '' });
    }
    expect((await harness.rows()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'paid']);
    const page = await (await owner.get('/')).text();
    expect(page).toContain('−$5.00');
    expect(page).not.toContain('No activity is listed yet.');
  });

  test('has the value in other money at the rate of its own day, in the money that its reader chose', async () => {
    const owner = await harness.openBrowser();
    const { store } = harness;
    const { order } = await review(owner);
    await owner.post('/pay/confirm', { order });
    await harness.bot.idle();
    const valueIn = async (currency: string) => {
      const file = await owner.post('/statement', { wallet: WALLET, currency });
      return (await file.text()).split('\r\n')[1]?.split(',').slice(-3);
    };
    expect(await valueIn('')).toEqual(['', '', '']);
    expect(await (await owner.get('/movements?of=1')).text()).not.toContain('Values in');
    const rates = (eur: number) =>
      new Map([
        ['EUR', usdc(eur)],
        ['JPY', usdc(0.0064)],
      ]);
    // A day later nothing is known of the day before, and nothing is guessed.
    await noteRates(store, rates(2), harness.clock.now() + 24 * 3_600_000);
    expect(await valueIn('EUR')).toEqual(['', '', '']);
    await noteRates(store, rates(1.08), harness.clock.now());
    expect(await valueIn('EUR')).toEqual(['0.925925', 'EUR', '1.08']);
    expect(await valueIn('JPY')).toEqual(['156.25', 'JPY', '0.0064']);
    // Not one that nobody has heard of.
    expect(await valueIn('XXX')).toEqual(['0.925925', 'EUR', '1.08']);
    const page = await (await owner.get('/movements?of=1')).text();
    for (const text of ['Values in EUR', '0.93 EUR', 'href="/purse/movements?of=1&amp;in=JPY"']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('<input type="hidden" name="currency" value="EUR"');
    const yen = await (await owner.get('/movements?of=1&in=JPY')).text();
    expect(yen).toContain('>Sent · 156 JPY');
    expect(yen).not.toContain('0.93 EUR');
  });

  test('no name in it begins a formula', () => {
    const line = { kind: 'received', atMs: START_MS, amount: usdc(1), fee: usdc(0), txnId: 1, receipt: null } as const;
    const text = toCsv(
      [{ ...line, transaction: null, status: null, waitingOrder: null, other: '=HYPERLINK("http://evil.test")' }],
      'UTC',
      null,
    );
    expect(text).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
    expect(text).not.toMatch(/(?:^|,)"?[=+@-]/m);
  });
});

describe('one limit for chat and browser', () => {
  /** As typed in a chat, and agreed to on the card. The harness sets the limits as high as they go with each command. */
  async function tip(userId: string, id: string): Promise<void> {
    const event = { ...textEvent('/tip x:bob 10', id), userId, walletId: WALLET };
    await harness.bot.handle(event);
    const button = harness.chat.last(id)?.actions.find((action) => action.kind === 'button');
    if (button) await harness.bot.press({ ...event, eventId: `${id}-yes`, buttonId: button.id });
    await harness.bot.idle();
  }

  /** Whatever waits on this clock passes time, and the limit is one of a day. */
  const atNoon = () => harness.clock.pass(START_MS - harness.clock.now());

  test.each(['the chat', 'the browser'])('used up in %s it refuses in both', async (place) => {
    harness.state.balance = usdc(1_000);
    const owner = await harness.openBrowser();
    const sends = async (name: string) => {
      const { order } = await review(owner, { name, amount: '10' });
      await owner.post('/pay/confirm', { order });
      await harness.bot.idle();
    };
    await tip(owner.holderId, 'tip-0');
    for (let round = 1; round <= 9; round++) {
      atNoon();
      if (place === 'the chat') await tip(owner.holderId, `tip-${round}`);
      else await sends(`bob${round}`);
    }
    atNoon();
    expect(await spentOn(harness.store, WALLET, START_MS)).toBe(usdc(100));
    const refused = await pay(owner, { amount: '1' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('<strong>100.00 USDC</strong> a day'),
    ]);
    await tip(owner.holderId, 'tip-10');
    expect(harness.chat.textOf('tip-10')).toContain('100.00 USDC a day');
    expect(await spentOn(harness.store, WALLET, START_MS)).toBe(usdc(100));
  });
});

describe('a browser that came after the one that kept it', () => {
  const laterMs = START_MS + HOLDER_WAIT_MS;

  test('sees it and when it may send it, and sends and takes out nothing before', async () => {
    await harness.openBrowser();
    const second = await harness.openBrowser(WALLET, laterMs);
    const page = await (await second.get('/')).text();
    for (const text of ['$3.20', 'You can look at it now', '2026-11-21T12:00:00.000Z']) expect(page).toContain(text);
    for (const text of ['action="/purse/pay"', 'action="/purse/review"', 'action="/purse/only"', 'action="/purse/end"'])
      expect(page).not.toContain(text);
    expect((await pay(second)).status).toBe(400);
    expect((await second.review({ address: STRANGER, amount: '1' })).status).toBe(400);
    expect((await second.post('/only', { wallet: WALLET })).status).toBe(400);
    expect((await second.post('/end', { wallet: WALLET })).status).toBe(400);
    harness.clock.pass(HOLDER_WAIT_MS);
    expect((await pay(second)).status).toBe(303);
  });

  test('calls off nothing that the owner takes out', async () => {
    harness.state.balance = usdc(20);
    const owner = await harness.openBrowser();
    await owner.post('/send', { token: await owner.tokenIn(await owner.review({ address: STRANGER, amount: 'all' })) });
    const [row] = await harness.rows();
    const second = await harness.openBrowser(WALLET, laterMs);
    expect((await second.get(`/withdrawals/${row?.id}`)).status).toBe(200);
    expect((await second.post('/cancel', { withdrawal: row?.id ?? '' })).status).toBe(400);
    expect((await findWithdrawal(harness.store, row?.id ?? ''))?.status).toBe('requested');
  });

  test('is shown to the others, who end it with one press', async () => {
    const owner = await harness.openBrowser();
    const second = await harness.openBrowser(WALLET, laterMs);
    expect(await (await owner.get('/')).text()).toContain('Somebody else signed in');
    const foreign = { origin: 'https://evil.test' };
    expect((await owner.post('/end', { wallet: WALLET }, foreign)).status).toBe(403);
    expect((await sessionsOf(harness.store, WALLET)).length).toBe(2);
    expect((await owner.post('/end', { wallet: WALLET })).status).toBe(303);
    expect(await (await second.get('/')).text()).toContain('Nothing is kept here for this browser.');
    expect(await (await owner.get('/')).text()).not.toContain('Somebody else signed in');
  });
});

test('a browser signs out of it, but for the last', async () => {
  const [first, second] = [await harness.openBrowser(), await harness.openBrowser()];
  expect((await second.post('/leave', { wallet: WALLET })).status).toBe(303);
  expect(await (await second.get('/')).text()).toContain('Nothing is kept here for this browser.');
  expect((await first.post('/leave', { wallet: WALLET })).status).toBe(400);
  expect(await (await first.get('/')).text()).toContain('$3.20');
});

describe('signing out', () => {
  const signOut = ({ post }: Browser, more: Record<string, string> = {}) => post('/signed-out', {}, more);

  test('is asked once more, ends the cookie, and leaves the others what they have', async () => {
    const [first, second] = [await harness.openBrowser(), await harness.openBrowser()];
    expect(await (await first.get('/')).text()).toContain('href="/purse/sign-out"');
    const asked = await (await first.get('/sign-out')).text();
    expect(asked).toContain('Sign out in this browser?');
    expect(asked).not.toContain('No other place can send it now.');
    const answer = await signOut(first);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/purse']);
    expect(answer.headers.get('set-cookie')).toMatch(/^pennypost=; Max-Age=0; Path=\//);
    expect((await sessionsOf(harness.store, WALLET)).map(({ holderId }) => holderId)).toEqual([second.holderId]);
  });

  test('of the last place says what coming in again takes; who then comes is not the first, and waits', async () => {
    const owner = await harness.openBrowser();
    const form = { wallet: WALLET, network: 'base', address: STRANGER, amount: '1' };
    const token = await owner.tokenIn(await owner.post('/review', form));
    expect(await (await owner.get('/sign-out')).text()).toContain('can send it 24 hours later');
    expect((await signOut(owner)).status).toBe(303);
    // Its cookie, copied before, opens nothing, nor does what it had begun go on.
    expect(await (await owner.get('/')).text()).toContain('Nothing is kept here for this browser.');
    expect((await owner.post('/send', { token })).status).toBe(400);
    const { store, clock } = harness;
    const next = await harness.openBrowser(null);
    const holder = { holderId: next.holderId, walletId: WALLET, identityId: 'person_7', name: 'x:alice' };
    const admission = { mayLapse: false, keeps: 'money', nowMs: clock.now() } as const;
    await store.tx((db) => admitHolder(db, store.tables, holder, admission));
    const [own] = (await sessionsOf(store, WALLET)).filter(({ holderId }) => holderId === next.holderId);
    expect(own?.fromMs).toBeGreaterThan(clock.now());
    const page = await (await next.get('/')).text();
    for (const text of ['You can look at it now', 'Active sessions: 1<']) expect(page).toContain(text);
  });

  test('of the last place twice is said twice: who signed out before holds nothing', async () => {
    await signOut(await harness.openBrowser());
    const owner = await harness.openBrowser();
    expect(await (await owner.get('/sign-out')).text()).toContain('No other place can send it now.');
    const page = await (await owner.get('/')).text();
    expect(page).toContain('so it stays here until you sign out of this browser');
    expect(page).not.toContain('action="/purse/leave"');
    expect((await owner.post('/leave', { wallet: WALLET })).status).toBe(400);
    expect(await (await owner.get('/')).text()).toContain('$3.20');
    expect((await signOut(owner)).status).toBe(303);
    expect((await sessionsOf(harness.store, WALLET)).every(isLeft)).toBe(true);
  });

  test('of the last place hands nothing to a newcomer: it is to be ended first', async () => {
    const owner = await harness.openBrowser();
    const fromMs = START_MS + HOLDER_WAIT_MS;
    const newcomer = await harness.openBrowser(WALLET, fromMs);
    const warnings = [
      await owner.get('/sign-out'),
      await owner.get('/'),
      await owner.post('/leave', { wallet: WALLET }),
    ];
    for (const warning of await Promise.all(warnings.map((one) => one.text()))) {
      expect(warning).toContain('Somebody else waits to come in');
      expect(warning).toContain(new Date(fromMs).toISOString());
      for (const form of ['action="/purse/signed-out"', 'action="/purse/leave"']) expect(warning).not.toContain(form);
    }
    const refused = await signOut(owner);
    expect([refused.headers.get('location'), refused.headers.get('set-cookie')]).toEqual(['/purse/sign-out', null]);
    expect((await sessionsOf(harness.store, WALLET)).length).toBe(2);
    expect((await newcomer.post('/leave', { wallet: WALLET })).status).toBe(303);
    expect((await signOut(owner)).headers.get('location')).toBe('/purse');
  });

  test.each([
    ['signs out', signOut],
    ['leaves this money alone', ({ post }: Browser) => post('/leave', { wallet: WALLET })],
  ])(
    'a browser that %s calls off what it asked to take out and has not left, and says so before',
    async (_title, go) => {
      harness.state.balance = usdc(40);
      const [owner, other] = [await harness.openBrowser(), await harness.openBrowser()];
      const takeOut = async (browser: Browser) =>
        browser.post('/send', {
          token: await browser.tokenIn(await browser.review({ address: STRANGER, amount: '15' })),
        });
      expect(await (await owner.get('/sign-out')).text()).not.toContain('asked to take out');
      await takeOut(owner);
      await takeOut(other);
      await harness.bot.idle();
      for (const path of ['/sign-out', '/'])
        expect(await (await owner.get(path)).text()).toContain('$15.00 that you asked to take out in this browser');
      expect((await go(owner)).status).toBe(303);
      const states = (await harness.rows()).map(({ holderId, status, failure }) => [holderId, status, failure]);
      expect(states).toEqual(
        expect.arrayContaining([
          [owner.holderId, 'failed', 'cancelled'],
          [other.holderId, 'requested', null],
        ]),
      );
    },
  );

  test('of the last place for a mailbox that nobody used for half a year says the week', async () => {
    const owner = await harness.openBrowser('email:alice@example.com');
    const asked = async () => (await owner.get('/sign-out')).text();
    expect(await asked()).toContain('you see it at once and can send it 24 hours later');
    harness.clock.pass(ADDRESS_LAPSE_MS);
    expect(await asked()).toContain('you see it and can send it 168 hours later');
    expect(await asked()).not.toContain('at once');
  });

  test('is done by our own page alone', async () => {
    const owner = await harness.openBrowser();
    expect((await signOut(owner, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await (await owner.get('/')).text()).toContain('$3.20');
  });
});

/** What must not be said before a person takes money out to a wallet of their own. */
const FOREIGN_WORDS: Record<(typeof LANGUAGE_TAGS)[number], RegExp> = {
  en: /wallet|blockchain|network|\bgas\b|\bchain\b|transaction|crypto|token|(?<!mail )address/i,
  es: /billetera|cadena|\bred(?:es)?\b|transacci|cripto|token|dirección/i,
  de: /wallet|blockchain|netzwerk|transaktion|krypto|token|(?<!mail)adresse/i,
  pt: /carteira(?! do bolso)|blockchain|\bredes?\b|transaç|cripto|token|endereço/i,
  ja: /ウォレット|ブロックチェーン|ネットワーク|ガス代|取引(?!所)|暗号|トークン|アドレス/,
};

/** Before the part that asks for an own wallet is opened. */
function visibleWords(page: string): string {
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  // Its inner part goes first: details may stand in details.
  const closed = main.replace(/<details>\s*<summary[^>]*>([^<]*)<\/summary>(?:(?!<details).)*?<\/details>/gs, '');
  return closed.replace(/<details[^>]*>\s*<summary[^>]*>[^<]*<\/summary>.*?<\/details>/gs, '').replace(/<[^>]+>/g, ' ');
}

test('nothing speaks of wallets before one is asked for, in any language', async () => {
  const [owner, second] = [await harness.openBrowser(), await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS)];
  const nobody = await harness.openBrowser(null);
  for (const language of LANGUAGE_TAGS) {
    for (const { get } of [owner, second, nobody])
      expect(visibleWords(await (await get(`/?lang=${language}`)).text())).not.toMatch(FOREIGN_WORDS[language]);
    // The one that is opened does, so the table can notice.
    expect(await (await owner.get(`/?lang=${language}`)).text()).toMatch(FOREIGN_WORDS[language]);
  }
});

describe('what was sent and nobody has collected', () => {
  const TXN = 4711;
  let asked: number[];
  let kind: 'done' | 'too_late';
  beforeEach(async () => {
    [asked, kind] = [[], 'done'];
    harness.closing.abort();
    await harness.store.close();
    const cancel = async (txnId: number) => {
      asked.push(txnId);
      return { kind };
    };
    harness = await createWalletHarness({ apiUrl: api.url, cancellations: { cancel } });
  });

  /** The payment as the API has it in the books. */
  async function putLine(status: 'escrowed' | 'paying' | 'returning'): Promise<void> {
    const { store } = harness;
    const { lines } = store.tables;
    const names = { platform: 'x', receiver: 'bob', recipientKey: 'bob', display: 'bob' };
    const ids = { txnId: TXN, paymentId: 'payment', identityId: 'identity', slug: 'slug', publicSlug: 'public' };
    const row = { ...ids, ...names, position: 0, amountMicroUsdc: usdc(1), status, expiresAtMs: START_MS };
    await store.tx((db) => db.insert(lines).values(row).onConflictDoUpdate({ target: lines.txnId, set: { status } }));
  }

  async function sendOne(owner: Browser): Promise<{ path: string; order: string }> {
    api.script(({ header }) => (header ? { do: 'paid', txnId: TXN } : { do: 'challenge' }));
    await putLine('escrowed');
    const { path, order } = await review(owner);
    await owner.post('/pay/confirm', { order });
    await harness.bot.idle();
    return { path, order };
  }

  test('is taken back by a button, asked for once more where it is pressed twice, and says so', async () => {
    const owner = await harness.openBrowser();
    const { path, order } = await sendOne(owner);
    expect(await (await owner.get(path)).text()).toContain('action="/purse/pay/undo"');
    const answers = [await owner.post('/pay/undo', { order }), await owner.post('/pay/undo', { order })];
    expect(answers.map((one) => [one.status, one.headers.get('location')])).toEqual([
      [303, `/purse${path}`],
      [303, `/purse${path}`],
    ]);
    await putLine('returning');
    expect(new Set(asked)).toEqual(new Set([TXN]));
    await harness.bot.idle();
    const page = await (await owner.get(path)).text();
    for (const text of ['Taken back', 'It is on its way back to your money here.']) expect(page).toContain(text);
    expect(page).not.toContain('/purse/pay/undo');
  });

  test('is seen and taken back from any place that may send this money', async () => {
    const [owner, looking] = [
      await harness.openBrowser(),
      await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS),
    ];
    const { path, order } = await sendOne(owner);
    const second = await harness.openBrowser();
    const [nobody, stranger] = [await harness.openBrowser(null), await harness.openBrowser('x:8')];
    for (const other of [nobody, stranger, looking]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await other.post('/pay/undo', { order })).status).toBe(400);
      expect(await (await other.get('/')).text()).not.toContain(`/purse${path}`);
    }
    expect(asked).toEqual([]);
    for (const list of ['/', '/movements?of=1'])
      expect(await (await second.get(list)).text()).toContain(`<a href="/purse${path}">Take it back</a>`);
    expect(await (await second.get(path)).text()).toContain('action="/purse/pay/undo"');
    // Also once the place that sent it is gone.
    expect((await owner.post('/leave', { wallet: WALLET })).status).toBe(303);
    expect((await owner.get(path)).status).toBe(404);
    expect((await second.post('/pay/undo', { order })).headers.get('location')).toBe(`/purse${path}`);
    expect(asked).toEqual([TXN]);
    await putLine('returning');
    expect(await (await second.get('/')).text()).not.toContain(`/purse${path}`);
    expect((await findOrder(harness.store, order))?.undoneAtMs).not.toBeNull();
  });

  test('is to be agreed to by the browser alone that asked for it', async () => {
    const owner = await harness.openBrowser();
    const { path, order } = await review(owner);
    const second = await harness.openBrowser();
    expect((await second.get(path)).status).toBe(404);
    expect((await second.post('/pay/confirm', { order })).status).toBe(400);
    await harness.bot.idle();
    expect(api.headers()).toEqual([]);
  });

  test('is not taken back by others, by another site, or once its recipient has it', async () => {
    const owner = await harness.openBrowser();
    const { path, order } = await sendOne(owner);
    const stranger = await harness.openBrowser('x:8');
    expect((await stranger.post('/pay/undo', { order })).status).toBe(400);
    expect((await owner.post('/pay/undo', { order }, { origin: 'https://evil.example' })).status).toBe(403);
    expect(asked).toEqual([]);
    kind = 'too_late';
    const late = await owner.post('/pay/undo', { order });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('Too late')]);
    await putLine('paying');
    expect(await (await owner.get(path)).text()).not.toContain('/purse/pay/undo');
  });
});

describe('a page under the name', () => {
  const page = { wallet: WALLET, on: 'yes', words: 'Thank you!' };
  const find = () => ownTipPage(harness.store, 'person_7');

  test('is switched on with words, changed and switched off by who may send from it', async () => {
    const owner = await harness.openBrowser();
    expect((await owner.post('/page', page)).status).toBe(303);
    expect(await find()).toMatchObject({ words: 'Thank you!', untilMs: START_MS + TIP_PAGE_MS });
    const shown = await (await owner.get('')).text();
    for (const text of ['/to/x/alice', 'badge.svg', 'Switch it off']) expect(shown).toContain(text);
    await owner.post('/page', { ...page, on: 'no' });
    expect(await find()).toMatchObject({ untilMs: null });
  });

  test('is not switched on by one that only looks, by strangers, by another site, or for an address', async () => {
    await harness.openBrowser();
    const looker = await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS);
    const stranger = await harness.openBrowser('x:8');
    expect((await looker.post('/page', page)).status).toBe(400);
    expect((await stranger.post('/page', page)).status).toBe(400);
    const owner = await harness.openBrowser();
    expect((await owner.post('/page', page, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await find()).toBeNull();
  });

  test.each([
    ['a link', 'buy at evil.example', 'no links'],
    ['too much', 'x'.repeat(141), 'Please shorten it'],
  ])('refuses %s, with what was typed', async (_what, words, says) => {
    const owner = await harness.openBrowser();
    const answer = await owner.post('/page', { ...page, words });
    const shown = await answer.text();
    expect(answer.status).toBe(400);
    expect(shown).toContain(says);
    expect(shown).toContain(`value="${words}"`);
    expect(await find()).toBeNull();
  });

  test('leads to the form of who wants to send, filled in and not sent', async () => {
    const owner = await harness.openBrowser();
    const wish = { platform: 'code', name: '"bob"', amount: '2', note: 'Hello' };
    const shown = await (await owner.post('/wish', wish)).text();
    for (const text of ['value="&quot;bob&quot;"', 'value="2"', 'value="Hello"', 'value="code" selected'])
      expect(shown).toContain(text);
    const chosen = await (await owner.post('/wish', { ...wish, sum: '5', amount: '' })).text();
    expect(chosen).toContain('name="amount" value="5"');
    expect(api.seen).toEqual([]);
    const signedOut = await harness.openBrowser(null);
    expect((await signedOut.post('/wish', wish)).status).toBe(200);
  });
});
