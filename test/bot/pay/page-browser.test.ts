/** What the script of a pay page does in a real browser. */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { BrowserContext, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeViolations } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { injectBaseWallet } from '../../support/browser/browser-wallets.ts';
import { createPayWorld, SHOWN_TASK_ADDRESS, type PayWorld } from './world.ts';

const LINK_TIME = '31:00';

let browser: TestBrowser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

let world: PayWorld;
let context: BrowserContext;
let page: Page;
let url: string;
let stop: () => Promise<void>;
beforeEach(async () => {
  world = await createPayWorld();
  await world.say('/pay @x:alice 1');
  const server = createAdaptorServer({ fetch: new Hono().route('/pay', world.pages).fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay/${world.keyOf()}`;
  stop = async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
    await world.close();
  };
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await stop();
});

/** In the order of the page. */
const headings = () => page.locator('#pay section:visible h2').allInnerTexts();
const filledButtons = () => page.locator('.button:not(.quiet):visible').allInnerTexts();
const injectWallet = () => injectBaseWallet(context, privateKeyToAccount(generatePrivateKey()));

test('without a wallet in the browser the way by any app stands first; whatever its clock shows, the page stays open as long as the link', async () => {
  await page.clock.install({ time: '2099-01-01T00:00:00Z' });
  await page.goto(url);
  await page.getByText('There is no wallet in this browser').waitFor();
  expect((await headings()).slice(0, 2)).toEqual(['Pay from any app', 'Pay with your wallet']);
  expect(await filledButtons()).toEqual(['Show address and amount']);
  await page.getByText(/^Time left (?:29|30):/).waitFor();
  expect(await page.getByRole('button', { name: 'Show address and amount' }).isVisible()).toBe(true);
});

test('a wallet of the browser stands first, unless its reader has chosen another way', async () => {
  await injectWallet();
  await page.goto(url);
  await page.getByRole('button', { name: 'Pay with Test Base' }).waitFor();
  expect((await headings()).slice(0, 2)).toEqual(['Pay with your wallet', 'Pay from any app']);
  expect(await filledButtons()).toEqual(['Pay with Test Base']);
  await world.form('transfer');
  await page.reload();
  await page.getByRole('button', { name: 'Pay with Test Base' }).waitFor();
  expect((await headings()).slice(0, 2)).toEqual(['Pay from any app', 'Pay with your wallet']);
});

test('the exact amount never breaks, also on the narrowest phone; when the time is over nothing can pay, also where the server cannot be reached', async () => {
  await page.setViewportSize({ width: 320, height: 568 });
  await injectWallet();
  await world.form('transfer');
  await page.clock.install();
  await page.goto(url);
  await page.getByText(SHOWN_TASK_ADDRESS).first().waitFor();
  await page.locator('.exact:visible').first().waitFor();
  // As wide as the largest amounts get.
  const [lines, width] = await page.evaluate<[number, number]>(`(() => {
    const shown = document.createRange();
    const exact = [...document.querySelectorAll('.exact')].find((each) => each.checkVisibility());
    const before = exact.textContent;
    exact.textContent = '1000.000123';
    shown.selectNodeContents(exact);
    const found = [shown.getClientRects().length, document.documentElement.scrollWidth];
    exact.textContent = before;
    return found;
  })()`);
  expect([lines, width]).toEqual([1, 320]);

  await page.route('**/pay/*', (route) => route.abort());
  await page.clock.fastForward(LINK_TIME);
  await page.getByText('Please do not pay any more').waitFor();
  const main = await page.locator('main').innerText();
  expect(main).toContain('Ask for a new link where you got this one.');
  expect(main).toContain('Closed: 1.00 USDC');
  expect(main).not.toContain(SHOWN_TASK_ADDRESS);
  expect(await page.locator('main :is(button, form, a, .qr, code)').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
});
