import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLetters } from '../gallery/letters.ts';
import type { GalleryPage, GalleryPart } from '../gallery/page.ts';
import { startPay } from '../gallery/pay.ts';
import { startPurse } from '../gallery/purse.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { loadPage, PAGE_BYTES_MAX } from '../support/browser/load.ts';

/** Its texts have the most bytes. */
const LANGUAGE = 'ja';
const PHONE = { width: 320, height: 640 };

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
  const flaws: string[] = [];
  const page = await (await browser.newContext({ locale: LANGUAGE, ...PHONE })).newPage();
  /** What a page loads beside itself, by what it names and by the kinds of times that its script has to rewrite. */
  const besides = new Map<string, number>();
  for (const one of parts.flatMap((part) => part.pages)) {
    const { html, bytes } = await ask(one);
    // What leads on to another page is one of a kind.
    const kind = html.includes('</html>') ? kindOf(html) : one.name;
    const beside = besides.get(kind);
    // A time outside of its element is one that the script does not know: only a browser says whether it is seen.
    const isJudged = beside !== undefined && !/\d UTC/.test(html.replaceAll(/<time[^>]*>[^<]*/g, ''));
    const whole = isJudged ? bytes + beside : await look(page, one, flaws);
    besides.set(kind, beside ?? whole - bytes);
    // A page without style and script would weigh less, and nothing would be measured.
    if (whole < 5_000 || whole > PAGE_BYTES_MAX) flaws.push(`${one.name}: ${whole} bytes`);
  }
  expect(flaws).toEqual([]);
  expect(besides.size).toBeGreaterThan(3);
});

/** How much the page has loaded in the end. */
async function look(page: Page, { name, url, cookie }: GalleryPage, flaws: string[]): Promise<number> {
  const context = page.context();
  await context.clearCookies();
  if (cookie !== undefined) await context.addCookies([{ ...cookie, url: new URL(url).origin }]);
  const { bytes } = await loadPage(page, url, false);
  const text = await page.locator('body').innerText();
  if (/\d UTC/.test(text)) flaws.push(`${name}: shows a time in UTC`);
  // Its lines break elsewhere than those of other languages.
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > PHONE.width) flaws.push(`${name}: is ${width} px wide`);
  return bytes;
}

/** The page alone: as it is read, and how much comes over the network. */
async function ask({ url, cookie }: GalleryPage): Promise<{ html: string; bytes: number }> {
  const headers = {
    accept: 'text/html',
    'accept-encoding': 'gzip',
    'accept-language': LANGUAGE,
    ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }),
  };
  const [answer] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage];
  if ((answer.statusCode ?? 500) >= 500) throw new Error(`${url} answers ${answer.statusCode}`);
  const body = await buffer(answer);
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  return { html: (isCompressed ? gunzipSync(body) : body).toString(), bytes: body.length };
}

function kindOf(html: string): string {
  const loaded = html.match(/<(?:link|script|img|source|video|object|embed)\b[^>]*>/g) ?? [];
  const times = html.match(/<time\b[^>]*>[^<]*\d UTC/g) ?? [];
  const shown = times.map((time) => /data-shows="\w*"/.exec(time)?.[0] ?? 'as it is');
  return [...new Set([...loaded, ...shown])].toSorted().join('\n');
}
