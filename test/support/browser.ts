import { AxeBuilder } from '@axe-core/playwright';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

export type TestBrowser = {
  newContext: (options?: { width?: number; height?: number; dark?: boolean }) => Promise<BrowserContext>;
  close: () => Promise<void>;
};

/** A browser with files of its own, so that several can run side by side. */
export async function startBrowser(): Promise<TestBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'pennypost-chromium-'));
  const browser = await launchChromium(home);
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
