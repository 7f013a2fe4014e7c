/**
 * `npm test [-- arguments of vitest]`: installs what is missing, Chromium included, then becomes `vitest run`. The tests
 * find the browser through PENNYPOST_CHROMIUM.
 */
import { fileURLToPath } from 'node:url';
import { setupOrExit } from './setup.mjs';

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url);

const { chromium } = await setupOrExit({ chromium: true });
if (chromium) process.env['PENNYPOST_CHROMIUM'] = chromium;
process.argv.splice(1, 1, fileURLToPath(VITEST), 'run');
await import(VITEST.href);
