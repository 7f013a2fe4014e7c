import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLetters } from '../gallery/letters.ts';
import type { GalleryPart } from '../gallery/page.ts';
import { startPay } from '../gallery/pay.ts';
import { startPurse } from '../gallery/purse.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { loadPage, PAGE_BYTES_MAX } from '../support/browser/load.ts';

let browser: TestBrowser;
let parts: readonly GalleryPart[];
beforeAll(async () => {
  browser = await startBrowser();
  parts = await Promise.all([startLetters(), startPurse(), startPay()]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all(parts?.map((part) => part.close()) ?? []);
});

test('no page loads more than 60 KB with everything that belongs to it, and none shows a time in UTC', async () => {
  const heavy: string[] = [];
  const inUtc: string[] = [];
  // Its texts have the most bytes.
  const context = await browser.newContext({ locale: 'ja' });
  const page = await context.newPage();
  for (const { name, url, cookie } of parts.flatMap((part) => part.pages)) {
    await context.clearCookies();
    if (cookie !== undefined) await context.addCookies([{ ...cookie, url: new URL(url).origin }]);
    const { bytes } = await loadPage(page, url, false);
    // A page without style and script would weigh less, and nothing would be measured.
    if (bytes < 5_000 || bytes > PAGE_BYTES_MAX) heavy.push(`${name}: ${bytes} bytes`);
    const text = await page.locator('body').innerText();
    if (/\d UTC/.test(text)) inUtc.push(name);
  }
  expect(heavy).toEqual([]);
  expect(inUtc).toEqual([]);
});
