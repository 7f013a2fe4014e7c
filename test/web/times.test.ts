import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

// The browser knows how each language writes a time; the page only says which one it is in.
test.each([
  ['en', ZONE, 'November 21, 2026'],
  ['en', 'America/New_York', 'November 20, 2026'],
  ['es', ZONE, '21 de noviembre de 2026'],
  ['de', ZONE, '21. November 2026'],
  ['pt', ZONE, '21 de novembro de 2026'],
  ['ja', ZONE, '2026年11月21日'],
] as const)(
  'every time stands there in the reader’s own zone and language: %s, %s',
  async (locale, timezoneId, sent) => {
    const page = await openReceipt({ locale, timezoneId });
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    const shown = await timesOn(page);
    expect(shown.find(({ datetime }) => datetime === new Date(NOW_MS).toISOString())?.text).toContain(sent);
    const [day, minute] = [{ dateStyle: 'long' }, { dateStyle: 'long', timeStyle: 'short' }] as const;
    for (const { datetime, shows, text } of shown) {
      const options = shows === 'day' ? day : minute;
      const wanted = new Intl.DateTimeFormat(locale, { ...options, timeZone: timezoneId }).format(new Date(datetime));
      expect(text).toBe(wanted.replaceAll(/\s/g, ' '));
    }
  },
);

test('without script a time says that it is in UTC', async () => {
  const page = await openReceipt({ locale: 'en', timezoneId: ZONE, javaScriptEnabled: false });
  const minutes = (await timesOn(page)).filter(({ shows }) => shows === 'minute');
  expect(minutes.length).toBeGreaterThan(0);
  for (const { text } of minutes) expect(text).toMatch(/13:05 UTC$/);
});
