import { chromium, type Browser } from 'playwright-core';

/** Debian's chromium: no download, and the same one that people have. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.PENNYPOST_CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
