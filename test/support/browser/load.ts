import type { Page } from 'playwright-core';

/** What a page and all that it loads may weigh, as it comes over the network. */
export const PAGE_BYTES_MAX = 60_000;
/** By then the largest thing that people look at stands there, on slow 3G. */
export const LARGEST_MS_MAX = 2_500;

/** Slow 3G: every answer takes 400 ms, and a second carries 50 KB. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** `largestMs`: when the largest text or picture was painted; null: nobody asked, or the browser did not say. */
export type Load = { bytes: number; largestMs: number | null };

/** A text, because these files know no DOM. Inside of the page an observer is told of what was before it. */
const LARGEST = `new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => done(null), 10_000);
})`;

/** Opens the page as one who was never here: nothing is kept from before. What it follows later is not its load. */
export async function loadPage(page: Page, url: string, isSlow: boolean): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (isSlow) await session.send('Network.emulateNetworkConditions', SLOW_3G);
  await page.goto(url, { waitUntil: 'load' });
  const largest = isSlow ? Number(await page.evaluate(LARGEST)) : 0;
  await session.detach();
  return { bytes, largestMs: largest > 0 ? largest : null };
}
