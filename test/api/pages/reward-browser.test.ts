import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejectDistribution } from '../../../db/rewards/distributions.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { NOW_MS } from './installation.ts';
import { seedReward } from './rewards.ts';
import { serveInstallation, type ServedInstallation } from './server.ts';

let browser: TestBrowser;
let installation: ServedInstallation;
beforeAll(async () => {
  [browser, installation] = await Promise.all([startBrowser(), serveInstallation()]);
});
afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

test('the page of a reward updates itself, and leaves open what its reader has opened', async () => {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  const path = await seedReward(installation, { people: 14 });
  await page.goto(installation.url + path);
  await expect.poll(() => page.locator('.state').innerText()).toContain('Waiting to be confirmed');
  await page.getByText('4 more').click();
  await expect.poll(() => page.getByText('@fan-14').isVisible()).toBe(true);
  const id = path.slice('/rewards/'.length);
  // The stream listens before it reads, so whatever happens from here on is told.
  await expect.poll(() => installation.waiting()).toBe(1);
  await rejectDistribution(installation.store, id, NOW_MS);
  installation.announce(id);
  await expect.poll(() => page.locator('.state').innerText(), { timeout: 30_000 }).toContain('Rejected');
  expect(await page.getByText('@fan-14').isVisible()).toBe(true);
  await expect.poll(() => page.locator('#live-note').count(), { timeout: 30_000 }).toBe(0);
});
