import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { code, muted, strong, type View } from '../../../core/view.ts';
import { postOnce } from '../../../db/chats/chat.ts';
import { findFlaws } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { startDevServer } from './dev-server.ts';

let browser: TestBrowser;
let dev: Awaited<ReturnType<typeof startDevServer>>;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  [dev, browser] = await Promise.all([startDevServer(), startBrowser()]);
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await dev.close();
});

async function openPage(options: Parameters<TestBrowser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options);
  page = await context.newPage();
  problems.length = 0;
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(dev.url);
  await page.getByText('Welcome!').waitFor();
  return page;
}

const messages = () => page.locator('.message').allInnerTexts();
const say = async (text: string) => {
  await page.fill('#message', text);
  await page.keyboard.press('Enter');
};
const paid = () => dev.api.headers().length;

test('a newcomer on a phone sees what this is and the example without scrolling; nothing is in a disabled person’s way, and nothing scrolls sideways', async () => {
  await openPage({ width: 320, height: 640 });
  for (const text of ['Play money: nothing here is real', 'Send money to anyone', 'Try it']) {
    expect(await page.getByText(text).first().isVisible()).toBe(true);
    const box = await page.getByText(text).first().boundingBox();
    expect(box!.y + box!.height).toBeLessThan(500);
    expect(box!.y).toBeGreaterThanOrEqual(0);
  }
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('is waiting for').waitFor();
  for (const text of ['/tip @alice 1', '/deposit', `/tip x:alice 1 ${'n'.repeat(140)}`, '/help']) await say(text);
  await page.getByText('Names that work').waitFor();
  expect(await findFlaws(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('Enter twice sends once, and the answer is edited in place; what is typed while the connection is gone is sent once it is back; another tab shows the same, a reload too', async () => {
  await openPage();
  const before = paid();
  await page.fill('#message', '/tip x:alice 1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('Sent 1.00 USDC to @alice on X').waitFor();
  await page.getByText('is waiting for').waitFor();
  expect(paid() - before).toBe(1);
  expect((await messages()).filter((text) => text.includes('/tip x:alice 1')).length).toBe(1);

  await page.context().setOffline(true);
  await say('/tip x:carol 2');
  await page.getByText('Not sent yet').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Sent 2.00 USDC to @carol on X').waitFor();
  // And the stream goes on.
  await page.getByText('is waiting for').nth(1).waitFor();
  expect(paid() - before).toBe(2);
  expect(await page.getByText('Not sent yet').count()).toBe(0);

  const tab = await page.context().newPage();
  await tab.goto(dev.url);
  await tab.getByText('is waiting for').nth(1).waitFor();
  expect(await tab.locator('.message').allInnerTexts()).toEqual(await messages());
  await page.reload();
  await page.getByText('is waiting for').nth(1).waitFor();
  // A welcome, and three for each tip.
  expect(await page.locator('.message').count()).toBe(7);
});

test('Enter before the script has loaded keeps what was typed, and afterwards sends it', async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/chat.*js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(dev.url, { waitUntil: 'commit' });
  await say('/help');
  const address = page.url();
  release();
  await page.locator('#composer .send:enabled').waitFor();
  expect([page.url(), await page.inputValue('#message')]).toEqual([address, '/help']);
  await page.keyboard.press('Enter');
  await page.getByText('Names that work').waitFor();
});

test('everything can be done by keyboard, with the focus in sight; changes are read out, but not what was there before; nothing moves for people who asked for that', async () => {
  await openPage();
  await page.locator('#log[aria-live=polite]').waitFor();
  await page.focus('.skip');
  const stops: string[] = [];
  for (let count = 0; count < 10; count++) {
    if (count > 0) await page.keyboard.press('Tab');
    const stop = await page.evaluate(`(() => {
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const isSeen = getComputedStyle(element).outlineStyle !== 'none' && box.top >= 0 && box.bottom <= innerHeight;
      return element.textContent.trim().replace(/\\s+/g, ' ') + (element.id ? '#' + element.id : '') + (isSeen ? '' : ' UNSEEN');
    })()`);
    stops.push(String(stop));
  }
  const hints = ['/tip', '/balance', '/deposit', '/wallet', '/help'];
  expect(stops).toEqual(['Skip to your message', 'pennypost', 'Try it/tip @x:alice 1', '#message', 'Send', ...hints]);
  await page.keyboard.press('Enter');
  await page.getByText('Names that work').waitFor();

  expect(await page.locator('#log').getAttribute('role')).toBe('log');
  expect(await page.locator('.message.bot .visually-hidden').first().textContent()).toBe('pennypost: ');
  const spinner = () => page.evaluate(SPINNER);
  expect(await spinner()).toBe('none');
  // The control: for everybody else it does.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await spinner()).toBe('turn');
});

test('nothing that a person or a view says is read as HTML, and no link runs code', async () => {
  await openPage();
  await say('/tip x:alice 1 <img src=x onerror="document.title=1"><b>hi</b>');
  await page.getByText('Sent 1.00 USDC to @alice on X').waitFor();
  expect(await page.locator('.message img, .message b').count()).toBe(0);
  const hostile = '<img src=x onerror="document.title=1">';
  const chats = await dev.store.read.select().from(dev.store.tables.chats);
  const view: View = {
    state: 'ok',
    audience: 'person',
    paragraphs: [[strong(hostile), code(hostile), muted(hostile), { text: `${hostile} the end` }]],
    actions: [
      { kind: 'link', label: hostile, url: 'javascript:document.title=1' },
      { kind: 'button', label: hostile, id: hostile },
      { kind: 'command', command: hostile },
    ],
  };
  for (const { id: chatId } of chats) {
    await postOnce(dev.store, { id: `m_${chatId}`, chatId, author: 'bot', onceKey: 'hostile', view, nowMs: 1 });
  }
  await page.getByText('the end').waitFor();
  expect(await page.locator('.message img').count()).toBe(0);
  expect(await page.locator('.message a.button', { hasText: hostile }).getAttribute('href')).toBeNull();
  expect(await page.title()).toBe('pennypost chat · pennypost');
});

test('not enough money offers more, and the button does it once', async () => {
  await openPage();
  // Whatever is more than 2 is asked about first, and 25 is all that a day allows.
  for (const name of ['erin', 'frank']) {
    await say(`/tip x:${name} 10`);
    await page
      .getByRole('button', { name: /10\.00 USDC/ })
      .last()
      .click();
    await page.getByText(`Sent 10.00 USDC to @${name} on X`).waitFor();
  }
  await say('/tip x:erin 2');
  await page.getByText('is missing').waitFor();
  expect(await findFlaws(page)).toEqual([]);
  const button = page.getByRole('button', { name: 'Get more play money' });
  await button.dblclick();
  await page.getByText('You now have').waitFor();
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  expect((await messages()).filter((text) => text.includes('done its work'))).toEqual([]);
});

const SPINNER = `(() => {
  const message = document.createElement('div');
  message.className = 'message bot working';
  message.append(document.createElement('p'));
  document.querySelector('#log').append(message);
  return getComputedStyle(message.firstChild, '::before').animationName;
})()`;
