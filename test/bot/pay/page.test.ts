import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Network } from '../../../core/networks.ts';
import { readBrowser, walletApps } from '../../../web/browser.ts';
import { LANGUAGES } from '../../../texts/languages.ts';
import { scanPage } from '../../support/browser/scan-code.ts';
import { PINNED_SOLANA, textEvent, usdc } from '../harness.ts';
import { createPayWorld, PAID, PAID_LINE, SHOWN_TASK_ADDRESS, TASK_ADDRESS, type PayWorld } from './world.ts';

const PAGE = 'https://pay.test/pay/key';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

let world: PayWorld;
beforeEach(async () => void (world = await createPayWorld()));
afterEach(() => world.close());

const textOf = async (response: Response) => (await response.text()).replaceAll(/\s+/g, ' ');

describe('the page', () => {
  test('says who gets how much and why the wallet shows another address, and nothing about who asked', async () => {
    await world.say('/pay @x:alice 1 for <b>you</b>');
    const text = await textOf(await world.show());
    expect(text).toContain('@alice on X gets 1.00 USDC');
    expect(text).toContain('Your wallet shows our address; the money is for @alice on X.');
    expect(text).toContain('for &lt;b&gt;you&lt;/b&gt;');
    const order = await world.orderOf();
    for (const secret of [order.id, order.userId, order.walletId, order.payerAddress])
      expect(text).not.toContain(secret);
  });

  test('shows no e-mail address to a reader of the link', async () => {
    await world.say('/pay alice.smith@example.com 1');
    const text = await textOf(await world.show());
    expect(text).toContain('a***@example.com');
    expect(text).not.toContain('alice.smith');
  });

  test('lists everybody whom it pays', async () => {
    await world.say('/pay @x:alice @x:bob 1');
    const text = await textOf(await world.show());
    expect([text.includes('@alice on X gets 1.00 USDC'), text.includes('@bob on X gets 1.00 USDC')]).toEqual([
      true,
      true,
    ]);
    expect(text).toContain('Pay 2.00 USDC');
  });

  test('shows address and exact amount once a visitor wants to pay from an app', async () => {
    await world.say('/pay @x:alice 1');
    expect(await textOf(await world.show())).not.toContain(SHOWN_TASK_ADDRESS);
    const answer = await world.form('transfer');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay/${world.keyOf()}`]);
    const text = await textOf(await world.show());
    expect([text.includes(SHOWN_TASK_ADDRESS), text.includes('1.000123'), text.includes('class="qr"')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('shows a camera the bare address, and on Solana a transfer request with amount and token', async () => {
    const recipient = 'So1anaTask1111111111111111111111111111111111'.replaceAll('1', '2');
    world.state.change = ({ transfers }) => {
      const [onBase] = transfers;
      if (onBase === undefined) throw new Error('the task can be paid by no transfer');
      const { caip2: network, asset: token } = PINNED_SOLANA;
      transfers.push({ ...onBase, network, token, recipient, amount: '1000456' });
    };
    await world.say('/pay @x:alice 1');
    await world.form('transfer');
    const page = await (await world.show()).text();
    expect(scanPage(page)).toEqual([
      TASK_ADDRESS,
      `solana:${recipient}?amount=1.000456&spl-token=${PINNED_SOLANA.asset}`,
    ]);
    for (const label of ['QR code of the address on Base', 'QR code of address and amount on Solana'])
      expect(page).toContain(`aria-label="${label}"`);
  });

  test('has a card where its link is previewed: what it costs and whom it is for, and later how it ended', async () => {
    const cardOf = (page: string) =>
      ['title', 'description', 'url', 'image'].map(
        (name) => new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(page)?.[1],
      );
    await world.say('/pay alice.smith@example.com 1');
    const url = `https://pay.test/pay/${world.keyOf()}`;
    expect(cardOf(await (await world.show()).text())).toEqual([
      'Pay 1.00 USDC for a***@example.com',
      'Your wallet shows our address; the money is for a***@example.com. We pass it on, and you get a receipt.',
      url,
      'https://pay.test/preview.png',
    ]);
    await world.form('transfer');
    world.state.paid = PAID;
    await world.bot.links.run((await world.orderOf()).id);
    expect(cardOf(await (await world.show()).text())).toEqual([
      'Paid: 1.00 USDC for a***@example.com',
      'The receipt shows how far the money is. Pass its link on to a***@example.com.',
      url,
      'https://pay.test/preview.png',
    ]);
  });

  test('has one filled button: the way that needs no wallet', async () => {
    await world.say('/pay @x:alice 1');
    const buttons = (await textOf(await world.show())).match(/class="button(?! quiet)[^>]*>[^<]*/g);
    expect(buttons).toEqual(['class="button wide" id="show-address" type="submit">Show address and amount']);
  });

  test.each(['', `${ANDROID} Discord/250.0`])(
    'has what works in every browser first, also in %j',
    async (userAgent) => {
      await world.say('/pay @x:alice 1');
      const text = await textOf(await world.show(world.keyOf(), { 'user-agent': userAgent }));
      const ways = [...text.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id);
      expect(ways).toEqual(['any-app', ...(userAgent === '' ? [] : ['in-app']), 'with-wallet', 'newcomer']);
      expect(text.match(/class="button(?! quiet)[^>]*>[^<]*/g)).toHaveLength(1);
      // What stays in sight covers the text around it, so no other button does.
      expect(text).not.toMatch(/class="primary">\s*<a class="button quiet"/);
    },
  );

  test('of a link whose time is over has no way to pay left, and says what to do instead', async () => {
    await world.say('/pay @x:alice 1');
    const key = world.keyOf();
    await world.form('transfer');
    const open = await textOf(await world.show());
    const seconds = Number(/<noscript><meta http-equiv="refresh" content="(\d+)">/.exec(open)?.[1]);
    world.clock.pass(seconds * 1_000);
    const text = await textOf(await world.show(key));
    expect(text).toContain('<h1>Closed: 1.00 USDC');
    expect(text).toContain('Please do not pay any more.');
    expect(text).toContain('Ask for a new link where you got this one.');
    for (const way of ['<form', '<button', 'class="qr"', SHOWN_TASK_ADDRESS, 'id="wallets"', 'gets 1.00 USDC'])
      expect([way, text.slice(text.indexOf('<main'), text.indexOf('</main>')).includes(way)]).toEqual([way, false]);
  });

  test('says so when the API opens no task', async () => {
    await world.say('/pay @x:alice 1');
    world.state.refusal = 'rate_limited';
    const { headers } = await world.form('transfer');
    const shown = await world.pages.request((headers.get('location') ?? '').replace(/^\/pay/, ''));
    expect(await textOf(shown)).toContain('That was a bit fast.');
  });

  test('of a link that is paid shows the receipt and asks for nothing', async () => {
    await world.say('/pay @x:alice 1');
    world.keyOf();
    await world.form('transfer');
    world.state.paid = PAID;
    await world.bot.links.run((await world.orderOf()).id);
    const text = await textOf(await world.show());
    expect(text).toContain(PAID_LINE.receipt);
    expect([text.includes('<form'), text.includes(SHOWN_TASK_ADDRESS)]).toEqual([false, false]);
    const again = await world.form('transfer');
    expect(again.headers.get('location')).toContain('refused=order_in_progress');
  });

  test.each(Object.keys(LANGUAGES))('speaks the language of its order: %s', async (language) => {
    await world.bot.handle({ ...textEvent('/pay @x:alice 1'), language });
    await world.bot.idle();
    const text = await textOf(await world.show());
    expect(text).toContain(`lang="${language}"`);
    expect(text).toContain(LANGUAGES[language as keyof typeof LANGUAGES].payPage.title(usdc(1)));
  });

  test('loads nothing from elsewhere, and is kept and framed nowhere', async () => {
    await world.say('/pay @x:alice 1');
    const response = await world.show();
    const { headers } = response;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    for (const [path] of (await textOf(response)).matchAll(/(?<="\/pay)\/assets\/[^"]+/g))
      expect([path, (await world.pages.request(path)).status]).toEqual([path, 200]);
  });
});

describe('nothing happens', () => {
  beforeEach(() => world.say('/pay @x:alice 1'));

  test.each(['x', 'a'.repeat(32), '../../etc/passwd', encodeURIComponent('\u0000'.repeat(32))])(
    'for the key %s, which nobody was given',
    async (key) => {
      expect((await world.show(key)).status).toBe(404);
    },
  );

  test.each(['transfer', 'play', 'prepare', 'signed'])('for a foreign page that sends %s', async (step) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' };
    const answer = await world.pages.request(`/${world.keyOf()}/${step}`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(403);
    expect(world.state.opened).toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ['prepare', 'another network', { network: 'ethereum', address: TASK_ADDRESS }],
    ['prepare', 'what is no address', { network: 'base', address: '0x12' }],
    ['prepare', 'no object', 'base'],
    [
      'signed',
      'what is no signature',
      { network: 'base', address: TASK_ADDRESS, nonce: 'x', validBefore: 1, signature: '0x' },
    ],
  ])('for %s with %s', async (step, _what, body) => {
    expect((await world.call(step, body)).status).toBe(400);
    expect(world.state.opened).toEqual([]);
  });

  test('for a body without end', async () => {
    expect((await world.call('signed', { network: 'base', more: 'x'.repeat(20_000) })).status).toBe(413);
  });

  test('by the play wallet, which only local mode has', async () => {
    await world.form('play');
    expect(world.state.presented).toEqual([]);
    expect(await world.linkOf()).toMatchObject({ status: 'open' });
  });

  test('for the fifty-first link of a person while fifty tasks are unpaid', async () => {
    for (let index = 0; index < 50; index += 1) {
      await world.say('/pay @x:alice 1', `more-${index}`);
      await world.form('transfer', world.keyOf(`more-${index}`));
    }
    const answer = await world.form('transfer');
    expect(answer.headers.get('location')).toContain('refused=too_many_links');
    expect(await world.linkOf()).toMatchObject({ taskId: null });
  });

  test('after thirty tries of one visitor within a minute, and goes on for all others', async () => {
    const ask = async (caller: string) => {
      const answer = await world.call('prepare', { network: 'base', address: TASK_ADDRESS }, undefined, caller);
      return ((await answer.json()) as { error?: string }).error;
    };
    const errors = await Promise.all(Array.from({ length: 40 }, () => ask('here')));
    expect(errors.filter((error) => error === 'rate_limited').length).toBe(10);
    expect(await ask('elsewhere')).not.toBe('rate_limited');
  });
});

test.each([
  ['Discord', `${ANDROID} Discord/250.0`],
  ['Telegram', `${ANDROID} Telegram-Android/11.0`],
  ['X', `${IPHONE} Twitter for iPhone/10.60`],
  ['Instagram', `${IPHONE} Instagram 350.0`],
  ['Facebook', `${IPHONE} [FBAN/FBIOS;FBAV/480.0]`],
])('the browser inside of %s is recognised', (_app, userAgent) => {
  expect(readBrowser(userAgent, PAGE)).toMatchObject({ isInApp: true, isPhone: true });
});

test('a plain browser needs no way out, and each system has its own', () => {
  expect(readBrowser(ANDROID, PAGE)).toEqual({
    isInApp: false,
    isPhone: true,
    browserUrl: 'intent://pay.test/pay/key#Intent;scheme=https;end',
  });
  expect(readBrowser(IPHONE, PAGE).browserUrl).toBe('x-safari-https://pay.test/pay/key');
  expect(readBrowser('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', PAGE)).toEqual({
    isInApp: false,
    isPhone: false,
    browserUrl: null,
  });
});

test('apps of wallets are offered for what they can pay on, and where they can reach the page', () => {
  const names = (networks: Network[]) => walletApps(PAGE, networks).map(({ name }) => name);
  expect(names(['base', 'solana'])).toEqual(['MetaMask', 'Coinbase Wallet', 'Phantom']);
  expect(names(['solana'])).toEqual(['Phantom']);
  expect(walletApps('http://127.0.0.1:8402/pay/key', ['base'])).toEqual([]);
  expect(walletApps(PAGE, ['base'])[0]?.url).toBe('https://metamask.app.link/dapp/pay.test/pay/key');
});
