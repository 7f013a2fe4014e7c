import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { isNull } from 'drizzle-orm';
import { Hono } from 'hono';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { writeComparison } from '../../../db/audit/solvency.ts';
import { storeReport } from '../../../db/reports/reports.ts';
import { bringAxe, findFlaws } from '../../support/browser/axe.ts';
import { addPasskeyDevice, startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createNovelty } from '../../support/browser/kinds.ts';
import { TREASURY } from '../../support/books.ts';
import { fillOthers, OTHERS } from '../../support/stories/others.ts';
import { createConsoleHarness, type ConsoleHarness } from './console-harness.ts';

/** The others are walked to. */
const PAGES = ['/', '/flows', '/suspense', '/reports', '/limits', '/admins', '/audit'];

const PHONE = { width: 320, height: 640 };
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const pictures = process.env['SCREENSHOTS'];
/** More than any page has that can be reached. */
const TABS_MAX = 120;

/** Each tells a story with other elements. */
const FINDS = ['dist_1', 'drop_1', OTHERS.PROPOSAL];

let harness: ConsoleHarness;
let browser: TestBrowser;
let server: ReturnType<typeof serve>;
let site: string;

beforeAll(async () => {
  const app = new Hono();
  server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started));
  });
  site = `http://localhost:${(server.address() as AddressInfo).port}`;
  harness = await createConsoleHarness({ site });
  app.route('/', harness.app);
  browser = await startBrowser();
  await fill();
});
afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
  await harness.close();
});

/** Something on each page: a held payout, a comparison, a report. */
async function fill(): Promise<void> {
  const { books, store, clock } = harness;
  const dailyMicroUsdc = { payer: 1_000_000n, recipient: null };
  await storePayoutSettings(store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
  await books.link(await books.meet('alice', '1'));
  for (let count = 0; count < 4; count += 1) {
    clock.nowMs += 1_000;
    await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  }
  const sums = { inBooks: 4_000_000n, onChain: 4_000_000n, unexplained: 0n, float: 0n, reorgLoss: 0n };
  await writeComparison(store, { network: 'base', block: 1, ...sums });
  const [line] = await store.read.select().from(store.tables.lines);
  if (line === undefined) throw new Error('nothing was paid');
  await fillOthers(store, { payer: TREASURY, paymentId: line.paymentId, txnId: line.txnId });
  const report = { id: 'report_1', kind: 'payment', subject: String(line.txnId), reason: 'trick' } as const;
  await storeReport(
    store,
    { ...report, words: 'They said it was for a prize.', reporter: 'r', share: 'small' },
    clock.nowMs,
  );
}

/** With an authenticator that has its person there. */
async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await addPasskeyDevice(page);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems };
}

const MARK = 'data-target';
type Marked = { setAttribute: (name: string, value: string) => void };
/** How it is seen where the focus stands, when that is the target; null: it is elsewhere; undefined: another page has come. */
const STANDING = `(() => {
  if (document.querySelector('[${MARK}]') === null) return undefined;
  const at = document.activeElement;
  if (!at.hasAttribute('${MARK}')) return null;
  at.removeAttribute('${MARK}');
  return getComputedStyle(at).outlineStyle;
})()`;

/** By Tab alone, as without a mouse, and where it stands is seen. */
async function tabTo(target: Locator): Promise<void> {
  const [one, page] = [target.first(), target.page()];
  const mark = () => one.evaluate((element: Marked, name) => element.setAttribute(name, ''), MARK);
  await one.waitFor();
  await mark();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    const outline = await page.evaluate<string | null | undefined>(STANDING);
    if (typeof outline === 'string') {
      expect([String(target), outline]).not.toEqual([String(target), 'none']);
      return;
    }
    if (outline === undefined) await mark();
    else await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} is not reached by ${TABS_MAX} times Tab`);
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** By the link of that name, and stays until its page is there. */
async function walkTo(page: Page, name: string, path: string): Promise<void> {
  await press(page.getByRole('link', { name, exact: true }));
  await page.waitForURL(site + path);
}

async function type(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.type(text);
}

/** In `SCREENSHOTS`, a folder, as a phone and a wide window show it; the overview also in docs/ where that is 1. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const [width, height] of [
    [320, 640],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (pictures !== '1') await page.screenshot({ path: `${pictures}/console-${name}-${width}.png`, fullPage: true });
    else if (name === 'overview' && width > 320) await page.screenshot({ path: 'docs/images/console.png' });
  }
}

const nameOf = (path: string) => path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'overview';

test('by keyboard, from the invitation to a payout that is let go, on a phone and without a flaw', async () => {
  const { page, problems } = await openPage();
  await bringAxe(page.context());
  const isNew = createNovelty();
  // A page on which nothing is new but the words only has to fit.
  const isFine = async () => {
    for (const size of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(size);
      expect(await page.evaluate(OVERFLOW)).toBe(0);
    }
    if (await isNew(page)) expect(await findFlaws(page)).toEqual([]);
  };
  const look = async (path: string) => {
    await isFine();
    await takePicture(page, nameOf(path));
  };
  await page.goto(`${site}/invite/${await harness.invite('ada', 'owner')}`);
  await isFine();
  await press(page.getByRole('button', { name: 'Make a passkey' }));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await isFine();
  await press(page.getByRole('button', { name: 'Sign in with a passkey' }));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Solvent').waitFor();
  for (const path of [...PAGES, ...FINDS.map((text) => `/search?q=${text}`)]) {
    await page.goto(site + path);
    await look(path);
  }

  await walkTo(page, 'Search', '/search');
  await look('/search');
  await type(page.getByLabel('A txn_id'), 'x:alice');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '1.00 USDC on base' }).first().waitFor();
  await isFine();
  await press(page.getByRole('link', { name: /^attempt_/ }));
  await page.getByRole('heading', { name: 'Ledger' }).waitFor();
  await isFine();

  await walkTo(page, 'Held', '/held');
  await look('/held');
  await press(page.getByRole('button', { name: 'Release' }));
  await page.getByRole('status').getByText('Released 1 payout').waitFor();
  await isFine();
  await walkTo(page, 'Back', '/held');
  await press(page.getByLabel('It goes back to its payer'), 'Space');
  await press(page.getByRole('button', { name: 'Give back' }));
  await page.getByRole('status').getByText('goes back with the next payout').waitFor();
  await walkTo(page, 'Exports', '/exports');
  await look('/exports');
  // Typing chooses in a list.
  await type(page.getByLabel('What'), 'claims');
  expect(await page.getByLabel('What').inputValue()).toBe('claims');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    press(page.getByRole('button', { name: 'Download' })),
  ]);
  expect(file.suggestedFilename()).toBe('claims.csv');
  await walkTo(page, 'Stops', '/stops');
  await look('/stops');
  await type(page.getByLabel('Why'), 'a look at the books');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Signing is stopped').waitFor();
  await walkTo(page, 'Back', '/stops');
  await isFine();
  await press(page.getByLabel('I know what happened'), 'Space');
  await press(page.getByRole('button', { name: 'Resume' }));
  await page.getByRole('status').getByText('Signing goes on').waitFor();

  await press(page.getByRole('button', { name: 'Sign out' }));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(`${site}/held`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(problems).toEqual([]);
});

test('without scripts everything but the passkey works', async () => {
  const { signedIn } = harness;
  const otto = await signedIn('otto', 'operator');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const [[name, value] = ['', '']] = otto.jar;
  await context.addCookies([{ name, value, url: site }]);
  const page = await context.newPage();
  await page.goto(`${site}/reports`);
  await page.getByLabel('What came of it').fill('the payer was told');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('status').getByText('Closed report_1.').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('console:otto').first().waitFor();
  expect(
    await harness.store.read.$count(harness.store.tables.reports, isNull(harness.store.tables.reports.closedAtMs)),
  ).toBe(0);
});
