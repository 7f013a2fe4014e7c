import { chromium, type Browser } from 'playwright-core';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // There is none, and drawing what it would draw in software costs more than the tests.
  '--disable-gpu',
  // One that waits for another site would be started beside the process of each page, and no page here holds another site.
  '--disable-site-isolation-trials',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Debian's Chromium, which draws pages as people have them, without the requests of its own; without windows where that is
 * installed (scripts/setup.mjs). `home` keeps its files apart.
 */
export function launchChromium(home?: string): Promise<Browser> {
  const executablePath = process.env['PENNYPOST_CHROMIUM'] ?? '/usr/bin/chromium';
  const env = home === undefined ? {} : { env: { ...process.env, HOME: home } };
  return chromium.launch({ executablePath, args: ARGUMENTS, ...env });
}
