import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { bringAxe, findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createNovelty } from '../../support/browser/kinds.ts';
import { listPages, newVisitor, showClaim, type Visitor } from './gallery.ts';
import { CODE, SIGN_IN } from './memory-claims.ts';
import { serveInstallation, type ServedInstallation } from './server.ts';

const PHONE = { width: 320, height: 640 };

let browser: TestBrowser;
let installation: ServedInstallation;
/** For all who leave their browser as it was, each as another visitor. */
let shared: Page;
beforeAll(async () => {
  [browser, installation] = await Promise.all([startBrowser(), serveInstallation()]);
  shared = await open();
});
afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

let page: Page;
let visitor: Visitor;
/** What the policy blocked, or the script threw. */
let complaints: string[] = [];
beforeEach(() => visitIn(shared));
afterEach(async () => {
  if (page === shared) await page.goto('about:blank');
  else await page.context().close();
  if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const opened = await (await browser.newContext({ ...PHONE, ...options })).newPage();
  opened.setDefaultTimeout(60_000);
  opened.on('console', (message) => {
    // Answers that are refusals are mentioned by the browser; each test that gets one looks at it.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(String(error)));
  return opened;
}

async function visitIn(opened: Page): Promise<void> {
  page = opened;
  complaints = [];
  installation.claims.calls.length = 0;
  installation.claims.hasSaidYes = false;
  visitor = newVisitor(installation);
  await page.setViewportSize(PHONE);
  await page.context().clearCookies();
  await page.context().addCookies([visitor.cookie]);
}

const FOCUSED = `document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('role') ?? '')`;

test(
  'on every page axe finds nothing, nothing scrolls sideways, and what a thumb aims at is 44 px high, but for links inside of a sentence',
  { timeout: 240_000 },
  async () => {
    const small = `[...document.querySelectorAll('main :is(button, summary, input:not([type=hidden]), a, label.check)')]
      .filter((element) => element.checkVisibility() && !element.closest('p.hint, p.lead, .state, p:has(> a:not(.button):not(.standing-link))'))
      .filter((element) => (element.closest('label.check') ?? element).getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML)`;
    const found: string[] = [];
    await visitIn(await open());
    await bringAxe(page.context());
    const isNew = createNovelty();
    for (const [name, path] of await listPages(installation, visitor)) {
      await page.goto(installation.url + path);
      expect([name, await page.evaluate(small)]).toEqual([name, []]);
      // What is folded away is looked at too.
      await page.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true; })`);
      const flaws = (await isNew(page)) ? await findFlaws(page, { rules: 'strict' }) : [];
      found.push(...flaws.map((flaw) => `${name}: ${flaw}`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > PHONE.width) found.push(`${name}: is ${width} px wide`);
    }
    expect(found).toEqual([]);
  },
);

describe('the way of a recipient who keeps it', () => {
  const line = { platform: 'email', recipientKey: 'alice@example.com' };

  test('has five taps and one code from the receipt to the money, without script', async () => {
    await visitIn(await open({ javaScriptEnabled: false }));
    const { slug } = await installation.seed({ line, payment: { meta: { agent_name: 'Marta' } } });
    let taps = 0;
    const tap = async (name: string) => {
      taps += 1;
      await page.locator('main').getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
    };
    await page.goto(`${installation.url}/receipts/${slug}`);
    await tap('Collect it');
    await page.getByLabel('Your e-mail address').fill('alice@example.com');
    await tap('Continue');
    await tap('Keep it here');
    await page.getByRole('heading', { name: 'Type the code' }).waitFor();
    expect(await page.evaluate(FOCUSED)).toBe('H1 ');
    await page.getByLabel('Code').fill(CODE);
    await tap('Continue');
    await page.getByText('becomes yours').waitFor();
    await tap('Keep $3.20 here');
    await page.getByText('On its way to you').waitFor();
    expect(taps).toBe(5);
    expect(installation.claims.calls[0]).toBe(`open email alice@example.com {"keep":true} ${slug}`);
  });

  test('is the same with script: what goes wrong on it is read out first, keeps what was typed, and is mended by keyboard alone', async () => {
    const { slug } = await installation.seed({ line, payment: { meta: { agent_name: 'Marta' } } });
    await page.goto(`${installation.url}/receipts/${slug}`);
    await page.getByRole('link', { name: 'Collect it' }).press('Enter');
    await page.getByLabel('Your e-mail address').fill('alice@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it here' }).press('Enter');
    await page.getByRole('heading', { name: 'Type the code' }).waitFor();
    expect(await page.evaluate(FOCUSED)).toBe('H1 ');
    await page.getByLabel('Code').fill('1111 1111');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate(FOCUSED)).toBe('P alert');
    expect(await page.getByLabel('Code').inputValue()).toBe('1111 1111');
    await page.getByLabel('Code').fill(CODE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are alice@example.com.' }).waitFor();
    await page.getByText('becomes yours').waitFor();
    await page.getByRole('button', { name: 'Keep $3.20 here' }).click();
    await page.getByText('On its way to you').waitFor();
    expect(installation.claims.calls[0]).toBe(`open email alice@example.com {"keep":true} ${slug}`);
  });

  test('with a sign-in the form leads out to the provider, which the policy allows, and the browser says whose form it is, with Origin too', async () => {
    await visitIn(await open());
    await page.route(`${SIGN_IN}/**`, (route) => route.fulfill({ body: 'Signed in', contentType: 'text/html' }));
    await page.goto(`${installation.url}/claim/x/alice`);
    // What the policy blocks is never asked for. Not every browser hands what a redirect asks for to a route.
    const [form, request] = await Promise.all([
      page.waitForRequest((asked) => asked.method() === 'POST'),
      page.waitForRequest(`${SIGN_IN}/**`),
      page.getByRole('button', { name: 'Keep it here' }).click(),
    ]);
    // Some have nothing else to say it with.
    expect((await form.allHeaders())['origin']).toBe(installation.url);
    expect(request.isNavigationRequest()).toBe(true);
  });
});

test('a refused address is shown where it was typed', async () => {
  installation.claims.failNext(
    'open',
    new AppError('invalid_payout_address', { field: 'payout.base', detail: 'Ours.' }),
  );
  await page.goto(`${installation.url}/claim/email/alice%40example.com`);
  await page.getByText('Send it to my own app or exchange').click();
  await page.getByLabel('Your address').fill('0xabc');
  await page.getByRole('button', { name: 'Send it there' }).click();
  await page.getByRole('alert').getByText('Ours.').waitFor();
  expect(await page.getByLabel('Your address').inputValue()).toBe('0xabc');
});

describe('what goes on by itself', () => {
  test('Farcaster: the page asks until the person confirms on a phone, then shows the next step', async () => {
    await visitIn(await open());
    const path = await showClaim(installation, visitor, { name: ['decsocial', 'alice'], payout: { keep: true } });
    await page.clock.install();
    await page.goto(installation.url + path);
    await page.locator('html.js').waitFor();
    // Nobody has yet: the port says no more than before, and the page stays.
    installation.claims.failNext('prove', new AppError('upstream_unavailable'));
    await page.clock.runFor(3_500);
    await page.getByText('Not connected right now').waitFor();
    await page.clock.runFor(3_500);
    await page.getByText('goes on by itself').waitFor();
    installation.claims.hasSaidYes = true;
    await page.clock.runFor(3_500);
    await page.getByRole('heading', { name: 'You are @alice on Farcaster.' }).waitFor();
    expect(installation.claims.calls.filter((call) => call === 'prove siwf')).toHaveLength(3);
  });

  test('the money: each event brings the page up to date, and the live region says it', async () => {
    const shown = {
      name: ['x', 'alice'],
      payout: { keep: true },
      isVerified: true,
      change: { status: 'paying' },
    } as const;
    const path = await showClaim(installation, visitor, shown);
    await page.goto(installation.url + path);
    await page.getByText('On its way to you').waitFor();
    installation.claims.set(path.slice('/claims/'.length), { status: 'paid' });
    // The stream's own stand-in says that something changed each time it is connected to.
    await page.getByRole('status').getByText('It is yours, and stays here for you').waitFor();
    expect(await page.getByRole('link', { name: 'See your money' }).getAttribute('href')).toBe('/purse');
    expect(await page.locator('.step.done').count()).toBe(3);
  });
});

test('on the smallest phone the one button of receipt and claim is in sight at once', async () => {
  const payment = { description: 'For your good advice', meta: { agent_name: 'Marta' } };
  const { slug } = await installation.seed({ payment, amountMicroUsdc: 3_200_000n });
  await page.setViewportSize({ width: 320, height: 568 });
  for (const [path, button] of [
    [`/receipts/${slug}`, '#collect'],
    [`/claim/x/alice?receipt=${slug}`, '#keep'],
  ] as const) {
    await page.goto(installation.url + path);
    const box = await page.locator(button).boundingBox();
    expect([path, box !== null && box.y > 0 && box.y + box.height <= 568]).toEqual([path, true]);
  }
});
