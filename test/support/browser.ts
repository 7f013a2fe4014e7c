import { AxeBuilder } from '@axe-core/playwright';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export type TestBrowser = {
  newContext: (options?: { width?: number; height?: number; dark?: boolean }) => Promise<BrowserContext>;
  close: () => Promise<void>;
};

/** Debian's Chromium, without the requests of its own that a closed network would refuse by the dozen. */
export async function startBrowser(): Promise<TestBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'pennypost-chromium-'));
  const browser = await chromium.launch({
    executablePath: process.env['PENNYPOST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: { ...process.env, HOME: home },
  });
  return {
    newContext: ({ width = 1280, height = 800, dark = false } = {}) =>
      browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      }),
    close: async () => {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** WCAG 2.2 A and AA, as axe-core judges them; one line per violation. */
export async function axeViolations(page: Page): Promise<string[]> {
  const results = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
