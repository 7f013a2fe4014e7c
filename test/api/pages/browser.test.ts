import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeViolations, bringAxe, findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createNovelty } from '../../support/browser/kinds.ts';
import { listPages } from './gallery.ts';
import { INBOUND } from './installation.ts';
import { serveInstallation, type ServedInstallation } from './server.ts';

let browser: TestBrowser;
let installation: ServedInstallation;
/** For all who leave their browser as it was. */
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
/** What the browser complained about: blocked by the policy, missing, or thrown by the script. */
let complaints: string[] = [];
beforeEach(() => {
  page = shared;
  complaints = [];
});
afterEach(async () => {
  if (page === shared) {
    await page.goto('about:blank');
    await page.emulateMedia({ media: null, reducedMotion: 'reduce' });
  } else await page.context().close();
  if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const opened = await (await browser.newContext(options)).newPage();
  opened.setDefaultTimeout(60_000);
  opened.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  opened.on('pageerror', (error) => complaints.push(String(error)));
  return opened;
}

async function openReceipt(seed: Parameters<ServedInstallation['seed']>[0] = {}) {
  const receipt = await installation.seed(seed);
  await page.goto(`${installation.url}/receipts/${receipt.slug}`);
  return receipt;
}

const openProof = () => page.getByText('Proof of payment').click();

/** Text that screen readers announce when it changes, as it changes; collected inside the page. */
const COLLECT_ANNOUNCEMENTS = `
  window.announcements = [];
  for (const region of document.querySelectorAll('[role="status"]')) {
    new MutationObserver(() => window.announcements.push(region.innerText.replace(/\\s+/g, ' ').trim()))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }`;

describe('accessibility', () => {
  test('axe finds nothing on any page, and nothing scrolls sideways, nor with text at 200 %', async () => {
    const found: string[] = [];
    page = await open();
    await bringAxe(page.context());
    const isNew = createNovelty();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const [name, path] of await listPages(installation)) {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(installation.url + path);
      // The stamp is a picture that says nothing.
      const flaws = (await isNew(page)) ? await findFlaws(page, { rules: 'strict', exclude: '.stamp' }) : [];
      found.push(...flaws.map((flaw) => `${name}: ${flaw}`));
      expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
      await page.setViewportSize({ width: 640, height: 800 });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
    }
    // The page for a wrong address is answered with 404, which the browser mentions.
    complaints = complaints.filter((text) => !text.includes('404'));
    expect(found).toEqual([]);
  });

  test('the control: axe sees a violation on the same page, which is one that has to be looked at', async () => {
    page = await open();
    const isNew = createNovelty();
    await openReceipt();
    await expect.poll(() => isNew(page)).toBe(false);
    await page.evaluate(`document.querySelector('.state span').style.color = '#777';
      document.querySelector('main').append(document.createElement('button'));`);
    expect(await isNew(page)).toBe(true);
    const flaws = await findFlaws(page, { rules: 'strict', exclude: '.stamp' });
    // The page's own policy forbids styles in attributes, not those set by script.
    expect(flaws.map((flaw) => flaw.split(': ').slice(0, 2).join(' ')).toSorted()).toEqual([
      'dark, 1280 px color-contrast',
      'light, 320 px button-name',
      'light, 320 px color-contrast',
    ]);
    // What is wrong once is not taken for measured.
    expect(await axeViolations(page, { rules: 'looks', exclude: '.stamp' })).toHaveLength(1);
  });

  test('every control is reached by keyboard, in reading order, and shows its focus; only who has nothing against motion sees any', async () => {
    await openReceipt();
    const reached: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        String(
          await page.evaluate(`(() => {
            const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
            return [document.activeElement.innerText || document.activeElement.tagName, outlineStyle, outlineWidth].join(' ');
          })()`),
        ),
      );
      if (reached.at(-1)?.startsWith('Did you send this?')) await page.keyboard.press('Enter');
    }
    expect(reached).toEqual([
      'Skip to the content solid 3px',
      'pennypost solid 3px',
      'Collect it solid 3px',
      'Print solid 3px',
      'Is this real? solid 3px',
      'Report it solid 3px',
      'Proof of payment solid 3px',
      'Did you send this? solid 3px',
      'Copy the link solid 3px',
      'Show as a code solid 3px',
      'I sent this: take it back solid 3px',
    ]);
    const animations = () => page.evaluate('document.getAnimations().length');
    expect(await animations()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await animations()).toBe(1);
  });
});

describe('live updates', () => {
  test('the page follows the payment until it is final, says so once each, and lets the stream go', async () => {
    const receipt = await openReceipt({ payout: { status: 'queued' } });
    await page.evaluate(COLLECT_ANNOUNCEMENTS);
    await page.getByText('On its way to @alice on X').waitFor();
    await installation.update(receipt, { payout: { status: 'confirmed' } });
    installation.announce(receipt.paymentId);
    await page.getByText('Received by @alice on X').waitFor();
    await installation.update(receipt, { payment: { status: 'final' }, payout: { status: 'final' } });
    installation.announce(receipt.paymentId);
    await page.locator('#live-note').waitFor({ state: 'detached' });
    expect(await page.locator('.step.done').count()).toBe(3);
    expect(await page.locator('.postmark').count()).toBe(1);
    expect(await page.evaluate('window.announcements')).toEqual([
      'Received by @alice on X @alice on X has the money. There is nothing left to do; this page stays as the receipt.',
    ]);
    await expect.poll(() => installation.waiting()).toBe(0);
  });

  test('the fold of the one who sent it stays open, and goes when it holds nothing any more', async () => {
    const receipt = await openReceipt({ line: { status: 'resolving' } });
    await page.getByText('Did you send this?').click();
    await page.locator('#take-back').waitFor();
    await installation.update(receipt, { line: { status: 'escrowed' } });
    installation.announce(receipt.paymentId);
    await page.locator('#collect').waitFor();
    expect(await page.locator('#take-back').isVisible()).toBe(true);
    await installation.update(receipt, { line: { status: 'returning' } });
    installation.announce(receipt.paymentId);
    await page.locator('#take-back').waitFor({ state: 'detached' });
    expect(await page.getByText('Did you send this?').isVisible()).toBe(false);
  });

  test('a reorganisation is shown, and so is the way back; focus stays where it was, or goes to the heading when its place is gone', async () => {
    const receipt = await openReceipt();
    const focused = `document.activeElement.id`;
    const [other, third] = [INBOUND.replace('1a', 'ee'), INBOUND.replace('1a', 'ff')];
    await openProof();
    await page.getByText(INBOUND).waitFor();
    await page.locator('#copy-transaction').focus();
    await installation.update(receipt, { payment: { landedTransaction: other } });
    installation.announce(receipt.paymentId);
    await page.getByText(other).waitFor();
    expect(await page.evaluate(focused)).toBe('copy-transaction');
    await page.locator('#collect').focus();
    await installation.update(receipt, { payment: { status: 'settling', landedTransaction: null } });
    installation.announce(receipt.paymentId);
    await page.getByText('Being sent again').waitFor();
    expect(await page.evaluate(focused)).toBe('main');
    expect(await page.getByText(other).count()).toBe(0);
    await installation.update(receipt, { payment: { status: 'settled', landedTransaction: third } });
    installation.announce(receipt.paymentId);
    await page.getByText(third).waitFor();
  });

  test('a page that is left hangs up; a hidden tab holds no connection, and catches up when it is shown again', async () => {
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${String(isHidden)}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    // Nor does any that an earlier test has left.
    await expect.poll(() => installation.waiting()).toBe(0);
    await openReceipt();
    await expect.poll(() => installation.waiting()).toBe(1);
    await page.goto(`${installation.url}/`);
    await expect.poll(() => installation.waiting()).toBe(0);
    const receipt = await openReceipt();
    await expect.poll(() => installation.waiting()).toBe(1);
    await setHidden(true);
    await expect.poll(() => installation.waiting()).toBe(0);
    await installation.update(receipt, { payment: { status: 'final' } });
    await setHidden(false);
    await openProof();
    await page.getByText('Final: the network cannot undo').waitFor();
  });

  test('when streams are refused the page asks for itself', async () => {
    page = await open();
    await page.route('**/receipts/*', async (route) => {
      const isStream = route.request().headers().accept === 'text/event-stream';
      return isStream ? route.fulfill({ status: 429, body: '' }) : route.continue();
    });
    const receipt = await installation.seed();
    await page.clock.install();
    await page.goto(`${installation.url}/receipts/${receipt.slug}`);
    await page.locator('html.js').waitFor();
    await installation.update(receipt, { payment: { status: 'final' } });
    await openProof();
    await page.clock.runFor(16_000);
    await page.getByText('Final: the network cannot undo').waitFor();
    expect(complaints.some((text) => text.includes('429'))).toBe(true);
    complaints = [];
  });
});

describe('without script', () => {
  test('the page is complete, offers nothing that would need one, and asks for itself again', async () => {
    page = await open({ javaScriptEnabled: false });
    const receipt = await openReceipt();
    await page.getByText('Waiting to be collected').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Collect it' }).isVisible()).toBe(true);
    expect(await page.locator('noscript .live-note').isVisible()).toBe(true);
    await installation.update(receipt, { payment: { status: 'final' } });
    await page.reload();
    await openProof();
    await page.getByText('Final: the network cannot undo').waitFor();
    expect(await page.locator('.live-note').count()).toBe(0);
  });
});

test('the hash is on the clipboard, and the button and a live region say so; without permission they say that it is not', async () => {
  page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await openReceipt();
  await page.evaluate(COLLECT_ANNOUNCEMENTS);
  await openProof();
  await page.locator('#copy-transaction').press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(INBOUND);
  expect(await page.evaluate('document.activeElement.id')).toBe('copy-transaction');
  await page.clock.runFor(3_000);
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  expect(await page.evaluate('window.announcements')).toEqual(['Transaction copied', '']);

  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    document.execCommand = () => false;`);
  await page.locator('#copy-transaction').click();
  await page.getByRole('button', { name: 'Not copied' }).waitFor();
  expect(await page.locator('#announcer').innerText()).toContain('Copying did not work');
});

test('a button prints it: the receipt and its address, without buttons, and what is folded is on the paper', async () => {
  const { slug } = await openReceipt();
  await page.evaluate('void (window.print = () => void (window.printed = true))');
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate('window.printed')).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('This page', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByText('Did you send this?').isVisible()).toBe(false);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByText(`${installation.url}/receipts/${slug}`).isVisible()).toBe(true);
  expect(await page.getByText('Play money').isVisible()).toBe(true);
});

test('a hostile note and name run nothing', async () => {
  const attack = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script><svg onload="window.hacked=1">`;
  await openReceipt({
    payment: { description: attack, meta: { agent_name: attack } },
    line: { recipientKey: attack },
  });
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('.note').innerText()).toContain('<script>window.hacked=1</script>');
});
