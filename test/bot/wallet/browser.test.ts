import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bringAxe, findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createNovelty } from '../../support/browser/kinds.ts';
import { scan } from '../../support/chains/scan.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { textEvent, usdc } from '../harness.ts';
import { createWalletHarness } from './wallet-harness.ts';

let harness: Awaited<ReturnType<typeof createWalletHarness>>;
let browser: TestBrowser;
let server: ReturnType<typeof serve>;
let url: string;

beforeAll(async () => {
  const app = new Hono();
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve());
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [harness, browser] = await Promise.all([createWalletHarness({ publicUrl: url }), startBrowser()]);
  app.route('/purse', harness.pages);
});
afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

const isNew = createNovelty();

/** A screen on which nothing is new but the words only has to fit. */
async function expectFine(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  if (await isNew(page)) expect(await findFlaws(page)).toEqual([]);
}

test('by keyboard, a withdrawal is sent and followed to its end', async () => {
  const walletId = 'x:71';
  const { secret } = await harness.openBrowser(walletId);
  const context = await browser.newContext();
  await context.addCookies([{ name: 'pennypost', value: secret, url }]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await bringAxe(context);
  await page.goto(`${url}/purse`);
  await page.getByText('Take it out').click();
  await page.getByText('Add money', { exact: true }).click();
  await expectFine(page);

  await page.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await page.getByLabel('Amount in USDC').fill('99');
  await page.keyboard.press('Enter');
  await page.getByText('There are only').waitFor();
  await expectFine(page);
  // The wrong field has the focus.
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('all');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Take out $3.20?' }).waitFor();
  await expectFine(page);

  await page.getByRole('button', { name: 'Take out $3.20' }).press('Enter');
  await page.getByText('On its way').waitFor();
  await expectFine(page);
  await page.evaluate('document.body.dataset.before = "yes"');
  await harness.bot.idle();
  await harness.pay(walletId);
  await page.getByText('It has arrived').waitFor();
  // It is the same page still: only what changed was replaced.
  expect(await page.evaluate('document.body.dataset.before')).toBe('yes');
  await expectFine(page);
  // A refused form answers 400, which the browser reports as well.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  await context.close();
});

test('by keyboard, one that leaves later says when, and is called off', async () => {
  const walletId = 'x:74';
  harness.state.balance = usdc(20);
  const { secret } = await harness.openBrowser(walletId);
  const context = await browser.newContext();
  await context.addCookies([{ name: 'pennypost', value: secret, url }]);
  const page = await context.newPage();
  await bringAxe(context);
  await page.goto(`${url}/purse`);
  await page.getByText('Take it out').click();
  await page.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await page.getByLabel('Amount in USDC').fill('15');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Take out $15.00?' }).waitFor();
  await page.getByText(/the money leaves on November 21, 2026 at 1?\d:\d\d/).waitFor();
  await expectFine(page);
  await page.getByRole('button', { name: 'Take out $15.00' }).press('Enter');
  await page.getByRole('status').getByText('Leaves later').waitFor();
  await page.getByText(/15\.00 USDC leave on November 21, 2026 at 1?\d:\d\d/).waitFor();
  // Nobody looks at it for a day.
  expect(await page.locator('article').getAttribute('data-finished')).toBe('true');
  await expectFine(page);

  await page.getByRole('link', { name: 'Back to your money' }).press('Enter');
  await page.getByText('Leaves later').waitFor();
  await expectFine(page);
  await page.getByRole('link', { name: '$15.00' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel it' }).press('Enter');
  await page.getByRole('status').getByText('It was not sent').waitFor();
  await page.getByText('It was cancelled. The money is where it was.').waitFor();
  await expectFine(page);
  expect(await harness.rows(walletId)).toMatchObject([{ status: 'failed', failure: 'cancelled' }]);
  await context.close();
  harness.state.balance = usdc(3.2);
});

test('wallets that are too many for one page are on the next', async () => {
  const group = 8;
  const { secret, holderId } = await harness.openBrowser(`x:${group}00`);
  const { store, clock } = harness;
  for (let count = 1; count <= 9; count++) {
    const holder = { holderId, walletId: `x:${group}0${count}`, identityId: `p${group}${count}` };
    const name = `code:somebody-${count}`;
    await store.tx((db) => addHolder(db, store.tables, { ...holder, name }, clock.now() + count));
  }
  const context = await browser.newContext();
  await context.addCookies([{ name: 'pennypost', value: secret, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/purse`);
  await expectFine(page);
  await page.getByRole('link', { name: '@alice on X' }).press('Enter');
  await page.getByRole('heading', { name: 'Kept for @alice on X' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Kept for' }).allInnerTexts()).toHaveLength(2);
  await expectFine(page);
  await context.close();
});

test('without scripts it works too', async () => {
  const { secret } = await harness.openBrowser('x:73');
  const context = await browser.newContext();
  await context.route('**/*.js', (route) => route.abort());
  await context.addCookies([{ name: 'pennypost', value: secret, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/purse`);
  await page.getByText('Take it out').click();
  await page.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await page.getByLabel('Amount in USDC').fill('1.50');
  await page.getByRole('button', { name: 'Check before sending' }).click();
  await page.getByRole('button', { name: 'Take out $1.50' }).click();
  await page.getByText('On its way').waitFor();
  await harness.bot.idle();
  await harness.pay('x:73');
  await page.reload();
  expect(await page.getByRole('status').textContent()).toContain('It has arrived');
  await context.close();
});

test('the codes of both networks can be scanned, in the language that was chosen', async () => {
  const { bot, chat, deps } = harness;
  await bot.handle(textEvent('/language de', 'choose'));
  await bot.handle(textEvent('/deposit', 'deposit'));
  const link = chat.last('deposit')?.actions.find((action) => action.kind === 'link');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}${link?.url.slice(deps.publicUrl.length) ?? ''}`);
  expect(await page.locator('h1').innerText()).toBe('Geld einzahlen');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await findFlaws(page)).toEqual([]);
  const shown = await page.locator('.copyable code').allInnerTexts();
  const scanned = [];
  for (const code of await page.locator('svg.qr').all()) scanned.push(await scan(page, await code.screenshot()));
  expect(shown).toHaveLength(2);
  expect(scanned).toEqual(shown);
  await context.close();
});
