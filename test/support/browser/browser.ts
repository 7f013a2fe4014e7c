import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

export type TestBrowser = {
  newContext: (
    options?: BrowserContextOptions & { width?: number; height?: number; dark?: boolean },
  ) => Promise<BrowserContext>;
  close: () => Promise<void>;
};

/** One browser for all test files of this process; it ends with the process. */
let shared: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  // With files of its own, so that several can run side by side.
  shared = launchChromium(mkdtempSync(join(tmpdir(), 'pennypost-chromium-')));
  return shared;
}

/** A browser as if it were new: contexts share neither cookies nor storage, and all of them go with it. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  return {
    newContext: async ({ width = 1280, height = 800, dark = false, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        ...options,
      });
      contexts.push(context);
      // Compiled functions that a test hands to a page call it.
      await context.addInitScript('globalThis.__name ??= (value) => value');
      return context;
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

/** A device with a lock that its person opens whenever it is asked: its passkeys go with the page. */
export async function addPasskeyDevice(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const authenticator = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const isThere = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devices.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, ...isThere } });
}
