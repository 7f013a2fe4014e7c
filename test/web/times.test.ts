import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../core/languages.ts';
import { NOW_MS } from '../api/pages/installation.ts';
import { serveInstallation, type ServedInstallation } from '../api/pages/server.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';

let browser: TestBrowser;
let installation: ServedInstallation;
beforeAll(async () => {
  [browser, installation] = await Promise.all([startBrowser(), serveInstallation()]);
});
afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

type Shown = { datetime: string; shows: string; text: string };

/** Every time on the page; browsers and Node put different spaces between the parts of one. */
async function timesOn(page: Page): Promise<Shown[]> {
  const times = await page.locator('time[data-shows]').all();
  return Promise.all(
    times.map(async (element) => ({
      datetime: (await element.getAttribute('datetime')) ?? '',
      shows: (await element.getAttribute('data-shows')) ?? '',
      text: ((await element.textContent()) ?? '').replaceAll(/\s/g, ' '),
    })),
  );
}

async function openReceipt(options: { locale: string; timezoneId: string; javaScriptEnabled?: boolean }) {
  const { slug } = await installation.seed();
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${installation.url}/receipts/${slug}`);
  return page;
}

/** At noon in London it is the next day there. */
const ZONE = 'Pacific/Auckland';

test.each(LANGUAGE_TAGS)('every time stands there in the reader’s own zone and language: %s', async (locale) => {
  const page = await openReceipt({ locale, timezoneId: ZONE });
  expect(await page.locator('html').getAttribute('lang')).toBe(locale);
  const shown = await timesOn(page);
  expect(shown.map(({ datetime }) => datetime)).toContain(new Date(NOW_MS).toISOString());
  const [day, minute] = [{ dateStyle: 'long' }, { dateStyle: 'long', timeStyle: 'short' }] as const;
  for (const { datetime, shows, text } of shown) {
    const options = shows === 'day' ? day : minute;
    const wanted = new Intl.DateTimeFormat(locale, { ...options, timeZone: ZONE }).format(new Date(datetime));
    expect(text).toBe(wanted.replaceAll(/\s/g, ' '));
  }
});

test('the day is the reader’s, also where it is another one in UTC', async () => {
  for (const [timezoneId, day] of [
    [ZONE, 'November 21, 2026'],
    ['America/New_York', 'November 20, 2026'],
  ] as const) {
    const sent = (await timesOn(await openReceipt({ locale: 'en', timezoneId }))).find(
      ({ datetime }) => datetime === new Date(NOW_MS).toISOString(),
    );
    expect(sent?.text).toContain(day);
  }
});

test('without script a time says that it is in UTC', async () => {
  const page = await openReceipt({ locale: 'en', timezoneId: ZONE, javaScriptEnabled: false });
  const minutes = (await timesOn(page)).filter(({ shows }) => shows === 'minute');
  expect(minutes.length).toBeGreaterThan(0);
  for (const { text } of minutes) expect(text).toMatch(/13:05 UTC$/);
});
