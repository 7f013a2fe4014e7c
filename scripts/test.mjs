/**
 * `npm test [-- arguments of vitest]`: installs what is missing, Chromium included, then becomes `vitest run`. The tests
 * find the browser through PENNYPOST_CHROMIUM. Without arguments it runs all of them (see `whole-tests.mjs`).
 */
import { fileURLToPath } from 'node:url';
import { setupOrExit } from './setup.mjs';
import { runAllTests } from './whole-tests.mjs';

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url);

const { chromium } = await setupOrExit({ chromium: true });
if (chromium) process.env['PENNYPOST_CHROMIUM'] = chromium;
if (process.argv.length === 2) {
  process.exitCode = await runAllTests();
} else {
  process.argv.splice(1, 1, fileURLToPath(VITEST), 'run');
  await import(VITEST.href);
}
