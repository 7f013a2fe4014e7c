/**
 * One person's whole way in two languages: money collected inside of an app, out into the phone's own browser, looked at in a
 * second one, and sent on with a passkey. On each screen, what is seen is read for words that nobody needs who has no wallet;
 * in all languages, because each has words of its own, and another length.
 */
import { setTimeout as wait } from 'node:timers/promises';
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
import { addPasskeyDevice, startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { startLocalService } from '../support/local-service.ts';
import { payFrom } from '../support/payers.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { PLANTED } from '../texts/phrases.ts';
import { look, PHONE, speak, type Walk } from './walk-screens.ts';

/** The browser inside of X has storage of its own, and no passkeys. */
const INSIDE_X = {
  ...PHONE,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Twitter for iPhone/10.60',
};
/** From the letter to money of one's own. */
const TAPS_MAX = 4;
/** English, and that of the longest words, whose walk stops at each screen for the others. */
const WALKS: readonly (readonly [Language, readonly Language[]])[] = [
  ['en', []],
  ['de', LANGUAGE_TAGS.filter((tag) => tag !== 'en' && tag !== 'de')],
];

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

/** What is kept for the name; a browser's own money, which local mode has too, stands below it. */
const keptOn = (page: Page) => page.locator('main > section').first();

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

function expectOnEach(screens: readonly string[], ...words: readonly string[]): void {
  for (const screen of screens) for (const word of words) expect(screen).toContain(word);
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
  await look(walk, 'letter', { button: '#collect' });
  await tap('#collect');
  expectOnEach(await look(walk, 'start', { button: '#keep' }), '$3.20');
  await tap('#keep');
  taps += 1;
  await signInAtX(page, name);
  expectOnEach(await look(walk, 'confirm', { button: '#confirm' }), '$3.20');
  await tap('#confirm');
  await page.getByText(text.yoursAndStays).waitFor();
  await look(walk, 'collected', { holds: (read) => CLAIM_PAGES[read].yoursAndStays });
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
}

/** A technical word on the page would be noticed, in whichever language it is read. */
async function expectPlantedIsSeen(walk: Walk, language: Language): Promise<void> {
  await speak(walk, language);
  await walk.page.reload();
  await walk.page.evaluate(`document.querySelector('h1').append(' ${PLANTED[language]}')`);
  await expect(look({ ...walk, language, beside: [] }, 'planted')).rejects.toThrow('planted: technical words');
  await speak(walk, null);
  await walk.page.reload();
}

/** From the app into the phone’s own browser: in each language up to the press that uses the link up, which comes once. */
async function goOutside(inside: Walk, phone: Walk): Promise<void> {
  const { page, language, beside } = inside;
  const text = LANGUAGES[language].purse;
  await page.locator('#purse').click();
  await page.getByRole('heading', { name: text.title }).waitFor();
  for (const other of beside) {
    await Promise.all([inside, phone].map((walk) => speak(walk, other)));
    await page.reload();
    await takeLinkOutside(...inOnly(other, inside, phone));
    await page.goto(`${site}/purse`);
  }
  if (beside.length > 0) {
    await Promise.all([inside, phone].map((walk) => speak(walk, null)));
    await page.reload();
  }
  await takeLinkOutside(...inOnly(language, inside, phone));
  await phone.page.getByRole('button', { name: text.movedHere }).click();
  await phone.page.getByRole('heading', { name: text.title, exact: true }).waitFor();
  expect((await look(phone, 'purse', { holds: (read) => LANGUAGES[read].purse.title }))[0]).not.toContain(
    text.outTitle,
  );
  await page.goto(`${site}/purse`);
  for (const left of await look(inside, 'purse-left', { holds: (read) => LANGUAGES[read].purse.title }))
    expect(left).not.toContain('$3.20');
}

const inOnly = (language: Language, inside: Walk, phone: Walk): [Walk, Walk] => [
  { ...inside, language, beside: [] },
  { ...phone, language, beside: [] },
];

/** Asked for here, and pressed there, where it says whose money it is. What answers a form cannot just be loaded again. */
async function takeLinkOutside(inside: Walk, phone: Walk): Promise<void> {
  const { page, language } = inside;
  const text = LANGUAGES[language].purse;
  await look(inside, 'purse-inside');
  expect(await page.getByRole('button', { name: text.addPasskey }).count()).toBe(0);
  await page.getByRole('button', { name: text.outAsk }).click();
  await page.getByRole('heading', { name: text.outTitle }).waitFor();
  await look(inside, 'way-out');
  // From elsewhere: another key behind the same address would be the same page still.
  await phone.page.goto('about:blank');
  await phone.page.goto(await page.locator('.copyable code').innerText());
  await phone.page.getByRole('heading', { name: text.movedTitle }).waitFor();
  expect(phone.page.url()).not.toContain('#');
  await look(phone, 'moved', { button: 'main button' });
  await phone.page.getByRole('button', { name: text.movedHere }).click();
  await phone.page.locator('input[name="sure"]').waitFor({ state: 'attached' });
  await look(phone, 'moved-whose', { button: 'main button' });
}

/** It looks at once, and sends a day later, which both see. Answers when that is. */
async function signInElsewhere(walk: Walk, name: string): Promise<void> {
  const { language, page } = walk;
  const text = LANGUAGES[language].purse;
  await page.goto(`${site}/purse`);
  await page.getByRole('link', { name: text.signInWith('X'), exact: true }).click();
  await page.locator('#handle').waitFor();
  await look(walk, 'sign-in');
  await page.locator('#handle').fill(name);
  await page.locator('#open').click();
  await signInAtX(page, name);
  await look(walk, 'sign-in-confirm', { button: '#confirm' });
  await page.locator('#confirm').click();
  await page.getByText(text.looksTitle).waitFor();
  expectOnEach(await look(walk, 'purse-looked-at', { holds: (read) => LANGUAGES[read].purse.looksTitle }), '$3.20');
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
  await look(walk, 'purse-told', { holds: (read) => LANGUAGES[read].purse.newcomerTitle(1) });
  const form = page.locator('form[action="/purse/pay"]').first();
  await page.getByText(text.sendTitle, { exact: true }).first().click();
  await form.locator('[name=platform]').selectOption('email');
  await form.locator('[name=name]').fill(friend);
  await form.locator('[name=amount]').fill('1');
  await form.locator('button').click();
  await page.getByText(text.passkeyAsked).waitFor();
  await look(walk, 'review', { holds: (read) => LANGUAGES[read].purse.passkeyAsked });
  await page.getByRole('button', { name: text.confirm('$1.00'), exact: true }).click();
  await page.getByText(text.sentStates.sent, { exact: true }).waitFor();
  await look(walk, 'sent', { holds: (read) => LANGUAGES[read].purse.sentStates.sent });
  await page.getByRole('link', { name: text.openReceipt }).click();
  await page.locator('#collect').waitFor();
  await look(walk, 'letter-to-friend');
}

async function readStatement(walk: Walk, second: Walk): Promise<void> {
  const { language, page } = walk;
  const text = LANGUAGES[language].purse;
  // By the second browser: each may look sixty times in a minute, and the first has looked in each language.
  await eventually(async () => {
    const purse = await (await second.page.context().request.get(`${site}/purse`)).text();
    if (!purse.includes('$2.20')) await wait(1_000);
    expect(purse).toContain('$2.20');
  });
  await page.goto(`${site}/purse`);
  expect(await page.locator('main').innerText()).toContain('$2.20');
  await keptOn(page).getByRole('link', { name: text.statementAll }).click();
  await page.getByRole('heading', { name: text.statement }).waitFor();
  expectOnEach(await look(walk, 'statement', { holds: (read) => LANGUAGES[read].purse.statement }), '+$3.20', '−$1.00');
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
  test.concurrent.each(WALKS)('%s', { timeout: 360_000 }, async (language, beside) => {
    const [name, friend] = [`walker_${language}`, `friend-${language}@example.com`];
    const contexts = await Promise.all(
      [INSIDE_X, PHONE, {}].map((options) => browser.newContext({ ...options, locale: language })),
    );
    await contexts[0]?.addInitScript('delete globalThis.PublicKeyCredential');
    const [inside, phone, second] = await Promise.all(
      contexts.map(async (context): Promise<Walk> => ({ language, page: await openPage(context), site, beside })),
    );
    if (inside === undefined || phone === undefined || second === undefined)
      throw new Error('three browsers are needed');
    await addPasskeyDevice(phone.page);
    const order = { receiver: name, amount: 3.2, description: 'For your good advice' };
    const { receipt } = await payFrom(service, 'base', 'x', order);
    await inside.page.goto(receipt);
    for (const read of [language, ...beside]) await expectPlantedIsSeen(inside, read);

    await collect(inside, name);
    await goOutside(inside, phone);
    await addPasskey(phone);
    await signInElsewhere(second, name);
    await send(phone, friend);
    await readStatement(phone, second);
    // No screen comes that has not been read by now: what happens from here on is the same in both languages.
    if (language === 'en') {
      await passDay(name);
      await second.page.reload();
      await keptOn(second.page).locator('form[action="/purse/pay"]').waitFor({ state: 'attached' });
      await signInWithPasskey(phone);
    }
    await Promise.all(contexts.map((context) => context.close()));
  });
});
