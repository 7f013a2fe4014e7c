import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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
/** Of all but the one without scripts, each as another visitor. */
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  const app = new Hono();
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve());
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [harness, browser] = await Promise.all([createWalletHarness({ publicUrl: url }), startBrowser()]);
  app.route('/purse', harness.pages);
  const context = await browser.newContext();
  await bringAxe(context);
  page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

async function openPurse(secret: string): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies([{ name: 'pennypost', value: secret, url }]);
  problems.length = 0;
  await page.goto(`${url}/purse`);
}

const isNew = createNovelty();

/** A screen on which nothing is new but the words only has to fit. */
async function expectFine(): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  if (await isNew(page)) expect(await findFlaws(page)).toEqual([]);
}

// Its pages have most of what those of the others have, so they come first.
test('by keyboard, a withdrawal that leaves later says when, and is called off', async () => {
  const walletId = 'x:74';
  const { balance } = harness.state;
  harness.state.balance = usdc(20);
  onTestFinished(() => void (harness.state.balance = balance));
  const { secret } = await harness.openBrowser(walletId);
  await openPurse(secret);
  await page.getByText('Take it out').click();
  await page.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await page.getByLabel('Amount in USDC').fill('15');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Take out $15.00?' }).waitFor();
  await page.getByText(/the money leaves on November 21, 2026 at 1?\d:\d\d/).waitFor();
  await expectFine();
  await page.getByRole('button', { name: 'Take out $15.00' }).press('Enter');
  await page.getByRole('status').getByText('Leaves later').waitFor();
  await page.getByText(/15\.00 USDC leave on November 21, 2026 at 1?\d:\d\d/).waitFor();
  // Nobody looks at it for a day.
  expect(await page.locator('article').getAttribute('data-finished')).toBe('true');
  await expectFine();

  await page.getByRole('link', { name: 'Back to your money' }).press('Enter');
  await page.getByText('Leaves later').waitFor();
  await page.locator('#take-out-0').click();
  await page.getByText('Add money', { exact: true }).click();
  await expectFine();
  await page.getByRole('link', { name: '$15.00' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel it' }).press('Enter');
  await page.getByRole('status').getByText('It was not sent').waitFor();
  await page.getByText('It was cancelled. The money is where it was.').waitFor();
  await expectFine();
  expect(await harness.rows(walletId)).toMatchObject([{ status: 'failed', failure: 'cancelled' }]);
});

test('by keyboard, one that leaves at once is sent and followed to its end', async () => {
  const walletId = 'x:71';
  const { secret } = await harness.openBrowser(walletId);
  await openPurse(secret);
  await page.getByText('Take it out').click();
  await page.getByText('Add money', { exact: true }).click();
  await expectFine();

  await page.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await page.getByLabel('Amount in USDC').fill('99');
  await page.keyboard.press('Enter');
  await page.getByText('There are only').waitFor();
  await expectFine();
  // The wrong field has the focus.
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('all');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Take out $3.20?' }).waitFor();
  await expectFine();

  await page.getByRole('button', { name: 'Take out $3.20' }).press('Enter');
  await page.getByText('On its way').waitFor();
  await expectFine();
  await page.evaluate('document.body.dataset.before = "yes"');
  await harness.bot.idle();
  await harness.pay(walletId);
  await page.getByText('It has arrived').waitFor();
  // It is the same page still: only what changed was replaced.
  expect(await page.evaluate('document.body.dataset.before')).toBe('yes');
  await expectFine();
  // A refused form answers 400, which the browser reports as well.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
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
  await openPurse(secret);
  await expectFine();
  await page.getByRole('link', { name: '@alice on X' }).press('Enter');
  await page.getByRole('heading', { name: 'Kept for @alice on X' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Kept for' }).allInnerTexts()).toHaveLength(2);
  await expectFine();
});

test('without scripts it works too', async () => {
  const { secret } = await harness.openBrowser('x:73');
  const context = await browser.newContext();
  await context.route('**/*.js', (route) => route.abort());
  await context.addCookies([{ name: 'pennypost', value: secret, url }]);
  const plain = await context.newPage();
  await plain.goto(`${url}/purse`);
  await plain.getByText('Take it out').click();
  await plain.getByRole('textbox', { name: 'Address' }).fill(STRANGER);
  await plain.getByLabel('Amount in USDC').fill('1.50');
  await plain.getByRole('button', { name: 'Check before sending' }).click();
  await plain.getByRole('button', { name: 'Take out $1.50' }).click();
  await plain.getByText('On its way').waitFor();
  await harness.bot.idle();
  await harness.pay('x:73');
  await plain.reload();
  expect(await plain.getByRole('status').textContent()).toContain('It has arrived');
  await context.close();
});

test('the codes of both networks can be scanned, in the language that was chosen', async () => {
  const { bot, chat, deps } = harness;
  await bot.handle(textEvent('/language de', 'choose'));
  await bot.handle(textEvent('/deposit', 'deposit'));
  const link = chat.last('deposit')?.actions.find((action) => action.kind === 'link');
  await page.context().clearCookies();
  await page.goto(`${url}${link?.url.slice(deps.publicUrl.length) ?? ''}`);
  expect(await page.locator('h1').innerText()).toBe('Geld einzahlen');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await findFlaws(page)).toEqual([]);
  const shown = await page.locator('.copyable code').allInnerTexts();
  const scanned = [];
  for (const code of await page.locator('svg.qr').all()) scanned.push(await scan(page, await code.screenshot()));
  expect(shown).toHaveLength(2);
  expect(scanned).toEqual(shown);
});
