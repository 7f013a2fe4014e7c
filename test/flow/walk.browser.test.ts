/**
 * One person's whole way in each language: money collected inside of an app, out into the phone's own browser, looked at in a
 * second one, and sent on with a passkey. On each screen, what is seen is read for words that nobody needs who has no wallet.
 */
import { and, eq, gt } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../core/languages.ts';
import { HOLDER_WAIT_MS } from '../../core/wallets/holder-wait.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { CLAIM_PAGES } from '../../texts/claim-pages/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { axeViolations } from '../support/browser/axe.ts';
import { addPasskeyDevice, startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { startLocalService } from '../support/local-service.ts';
import { payFrom } from '../support/payers.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { PLANTED, technicalBeforeWallet } from '../texts/phrases.ts';

/** SCREENSHOTS=1 refreshes the pictures in docs/; SCREENSHOTS=a-directory takes one of each screen. */
const pictures = process.env['SCREENSHOTS'];
const PHONE = { width: 320, height: 568 };
/** The browser inside of X has storage of its own, and no passkeys. */
const INSIDE_X = {
  ...PHONE,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Twitter for iPhone/10.60',
};
/** From the letter to money of one's own. */
const TAPS_MAX = 4;
/** Before the one button of a letter. */
const WORDS_MAX = 60;
const DOCUMENTED: Readonly<Record<string, string>> = {
  start: 'collect',
  confirm: 'collect-confirm',
  collected: 'collected',
};

/** The other screens are in the galleries of `test/api/pages` and `test/api/claims`, where axe looks at every state of them. */
const ONLY_HERE = new Set([
  'purse-inside',
  'way-out',
  'moved',
  'moved-whose',
  'purse',
  'purse-left',
  'purse-looked-at',
  'purse-told',
  'review',
  'sent',
  'statement',
]);

let service: Service;
let browser: TestBrowser;
/** By its name: browsers have no passkeys for an address. */
let site: string;

beforeAll(async () => {
  const port = await findQuietPort();
  site = `http://localhost:${port}`;
  service = await startLocalService({ env: { PORT: String(port), BASE_URL: site } });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  const violations = await findViolations(service.store);
  await service.close();
  refuseViolations(violations);
});

type Walk = { language: Language; page: Page };

/** What is kept for the name; a browser's own money, which local mode has too, stands below it. */
const keptOn = (page: Page) => page.locator('main > section').first();

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** What a person sees of it, by name. Nothing scrolls sideways, and the words that come before the button are few. */
async function look({ language, page }: Walk, screen: string, button: string | null = null): Promise<string> {
  const text = await page.locator('body').innerText();
  expect([screen, technicalBeforeWallet(text, language)]).toEqual([screen, []]);
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  const { width } = page.viewportSize() ?? PHONE;
  expect([screen, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([screen, width]);
  if (button !== null) await expectWithinReach(page, screen, button);
  if (language === 'en' && ONLY_HERE.has(screen)) expect([screen, await axeViolations(page)]).toEqual([screen, []]);
  await takePicture({ language, page }, screen);
  return text;
}

/** On a small phone it is seen without scrolling. */
async function expectWithinReach(page: Page, screen: string, button: string): Promise<void> {
  const main = await page.locator('main').innerText();
  const label = await page.locator(button).innerText();
  expect(main.slice(0, main.indexOf(label)).split(/\s+/).length, screen).toBeLessThanOrEqual(WORDS_MAX);
  const box = await page.locator(button).boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0), screen).toBeLessThanOrEqual(PHONE.height);
}

async function takePicture({ language, page }: Walk, screen: string): Promise<void> {
  if (pictures === undefined) return;
  if (pictures !== '1') await page.screenshot({ path: `${pictures}/${language}-${screen}.png`, fullPage: true });
  else if (language === 'en' && screen in DOCUMENTED)
    await page.screenshot({ path: `docs/images/${DOCUMENTED[screen] ?? ''}.png` });
}

/** At the stand-in for X, whose page is not ours. */
async function signInAtX(page: Page, name: string): Promise<void> {
  await page.locator('#username').fill(name);
  await page.getByRole('button', { name: 'Sign in as this person' }).click();
  await page.locator('#confirm').waitFor();
}

/** Collects in four taps, inside of the app. */
async function collect(walk: Walk, name: string): Promise<void> {
  const { language, page } = walk;
  const text = CLAIM_PAGES[language];
  let taps = 0;
  const tap = async (target: string) => {
    taps += 1;
    await page.locator(target).click();
  };
  await look(walk, 'letter', '#collect');
  await tap('#collect');
  const start = await look(walk, 'start', '#keep');
  expect(start).toContain('$3.20');
  await tap('#keep');
  taps += 1;
  await signInAtX(page, name);
  expect(await look(walk, 'confirm', '#confirm')).toContain('$3.20');
  await tap('#confirm');
  await page.getByText(text.yoursAndStays).waitFor();
  await look(walk, 'collected');
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
}

/** From the app into the phone's own browser: the link is asked for here, and pressed there. */
async function goOutside(inside: Walk, phone: Walk): Promise<void> {
  const { page, language } = inside;
  const text = LANGUAGES[language].purse;
  await page.locator('#purse').click();
  await page.getByRole('heading', { name: text.title }).waitFor();
  await look(inside, 'purse-inside');
  expect(await page.getByRole('button', { name: text.addPasskey }).count()).toBe(0);
  await page.getByRole('button', { name: text.outAsk }).click();
  await page.getByRole('heading', { name: text.outTitle }).waitFor();
  await look(inside, 'way-out');
  await phone.page.goto(await page.locator('.copyable code').innerText());
  await phone.page.getByRole('heading', { name: text.movedTitle }).waitFor();
  expect(phone.page.url()).not.toContain('#');
  await look(phone, 'moved', 'main button');
  await phone.page.getByRole('button', { name: text.movedHere }).click();
  await phone.page.locator('input[name="sure"]').waitFor({ state: 'attached' });
  await look(phone, 'moved-whose', 'main button');
  await phone.page.getByRole('button', { name: text.movedHere }).click();
  await phone.page.getByRole('heading', { name: text.title, exact: true }).waitFor();
  expect(await look(phone, 'purse')).not.toContain(text.outTitle);
  await page.goto(`${site}/purse`);
  expect(await look(inside, 'purse-left')).not.toContain('$3.20');
}

/** It looks at once, and sends a day later, which both see. Answers when that is. */
async function signInElsewhere(walk: Walk, name: string): Promise<void> {
  const { language, page } = walk;
  const text = LANGUAGES[language].purse;
  await page.goto(`${site}/purse`);
  await page.getByRole('link', { name: text.signInWith('X'), exact: true }).click();
  await page.locator('#handle').fill(name);
  await look(walk, 'sign-in');
  await page.locator('#open').click();
  await signInAtX(page, name);
  await look(walk, 'sign-in-confirm', '#confirm');
  await page.locator('#confirm').click();
  await page.getByText(text.looksTitle).waitFor();
  const seen = await look(walk, 'purse-looked-at');
  expect(seen).toContain('$3.20');
  const kept = keptOn(page);
  expect(await kept.locator('form[action="/purse/pay"], form[action="/purse/review"]').count()).toBe(0);
  await expectDayFrom(kept.locator('.state time'));
  // Nor by a form that is made up.
  const wallet = await kept.locator('input[name=wallet]').first().inputValue();
  const fields = JSON.stringify({ wallet, platform: 'email', name: 'a@example.com', amount: '1', note: '' });
  const status = `fetch('/purse/pay', { method: 'POST', body: new URLSearchParams(${fields}) }).then(({ status }) => status)`;
  expect(await page.evaluate(status)).toBe(400);
}

async function expectDayFrom(time: ReturnType<Page['locator']>): Promise<void> {
  const leftMs = Date.parse((await time.getAttribute('datetime')) ?? '') - Date.now();
  expect(leftMs).toBeGreaterThan(HOLDER_WAIT_MS - 10 * 60_000);
  expect(leftMs).toBeLessThanOrEqual(HOLDER_WAIT_MS);
}

async function addPasskey({ language, page }: Walk): Promise<void> {
  const text = LANGUAGES[language].purse;
  await page.getByText(text.passkeyOffer, { exact: true }).first().click();
  await page.getByRole('button', { name: text.addPasskey }).first().click();
  await page.getByText(text.passkeys(1)).waitFor();
}

/** The first browser is told of the second one, and sends a dollar with its passkey. */
async function send(walk: Walk, friend: string): Promise<void> {
  const { language, page } = walk;
  const text = LANGUAGES[language].purse;
  await page.reload();
  await page.getByText(text.newcomerTitle(1)).waitFor();
  await page.getByRole('button', { name: text.endNewcomers }).waitFor();
  await expectDayFrom(page.locator('.state time').first());
  await look(walk, 'purse-told');
  const form = page.locator('form[action="/purse/pay"]').first();
  await page.getByText(text.sendTitle, { exact: true }).first().click();
  await form.locator('[name=platform]').selectOption('email');
  await form.locator('[name=name]').fill(friend);
  await form.locator('[name=amount]').fill('1');
  await form.locator('button').click();
  await page.getByText(text.passkeyAsked).waitFor();
  await look(walk, 'review');
  await page.getByRole('button', { name: text.confirm('$1.00'), exact: true }).click();
  await page.getByText(text.sentStates.sent, { exact: true }).waitFor();
  await look(walk, 'sent');
  await page.getByRole('link', { name: text.openReceipt }).click();
  await page.locator('#collect').waitFor();
  await look(walk, 'letter-to-friend');
}

async function readStatement(walk: Walk): Promise<void> {
  const { language, page } = walk;
  const text = LANGUAGES[language].purse;
  await eventually(async () => {
    const purse = await page.context().request.get(`${site}/purse`);
    expect(await purse.text()).toContain('$2.20');
  });
  await page.goto(`${site}/purse`);
  expect(await page.locator('main').innerText()).toContain('$2.20');
  await keptOn(page).getByRole('link', { name: text.statementAll }).click();
  await page.getByRole('heading', { name: text.statement }).waitFor();
  const seen = await look(walk, 'statement');
  expect(seen).toContain('+$3.20');
  expect(seen).toContain('−$1.00');
}

/** A day has passed, as far as the second browser goes. */
async function passDay(name: string): Promise<void> {
  const { store } = service;
  const { walletHolders } = store.tables;
  const waits = and(eq(walletHolders.name, `x:${name}`), gt(walletHolders.spendsFromMs, Date.now()));
  await store.tx((db) => db.update(walletHolders).set({ spendsFromMs: Date.now() }).where(waits));
}

/** Without anything but the passkey, which goes from device to device. */
async function signInWithPasskey({ language, page }: Walk): Promise<void> {
  const text = LANGUAGES[language].purse;
  await page.context().clearCookies();
  await page.goto(`${site}/purse`);
  await page.getByRole('button', { name: text.signInPasskey }).click();
  await keptOn(page).locator('form[action="/purse/pay"]').waitFor({ state: 'attached' });
}

describe('from a letter that was opened inside of X to a dollar sent on', () => {
  test.concurrent.each(LANGUAGE_TAGS)('%s', { timeout: 360_000 }, async (language) => {
    const [name, friend] = [`walker_${language}`, `friend-${language}@example.com`];
    const contexts = await Promise.all(
      [INSIDE_X, PHONE, {}].map((options) => browser.newContext({ ...options, locale: language })),
    );
    await contexts[0]?.addInitScript('delete globalThis.PublicKeyCredential');
    const [inside, phone, second] = await Promise.all(
      contexts.map(async (context) => ({ language, page: await openPage(context) })),
    );
    if (inside === undefined || phone === undefined || second === undefined)
      throw new Error('three browsers are needed');
    await addPasskeyDevice(phone.page);
    const order = { receiver: name, amount: 3.2, description: 'For your good advice' };
    const { receipt } = await payFrom(service, 'base', 'x', order);
    await inside.page.goto(receipt);
    await inside.page.evaluate(`document.querySelector('h1').append(' ${PLANTED[language]}')`);
    await expect(look(inside, 'planted')).rejects.toThrow('planted');
    await inside.page.evaluate(`document.querySelector('h1').lastChild.remove()`);

    await collect(inside, name);
    await goOutside(inside, phone);
    await addPasskey(phone);
    await signInElsewhere(second, name);
    await send(phone, friend);
    await readStatement(phone);
    // No screen comes that has not been read by now: what happens from here on is the same in all languages.
    if (language === 'en') {
      await passDay(name);
      await second.page.reload();
      await keptOn(second.page).locator('form[action="/purse/pay"]').waitFor({ state: 'attached' });
      await signInWithPasskey(phone);
    }
    await Promise.all(contexts.map((context) => context.close()));
  });
});
