/**
 * Pictures of every page, for a person to look at: `npx tsx test/api/pages/look.ts DIRECTORY [part of a name]`.
 * With `serve` instead of a directory it only serves them and prints the addresses.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../support/browser/chromium.ts';
import { listPages } from './gallery.ts';
import { serveInstallation } from './server.ts';

const WIDTHS = [1280, 390, 320];
/** How far the page scrolls sideways; a text, because these files know no DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const SCHEMES = ['light', 'dark'] as const;

const [, , target = '', part = ''] = process.argv;
if (target === '') throw new Error('name a directory for the pictures, or "serve"');
const installation = await serveInstallation();
const pages = await listPages(installation);
if (target === 'serve') for (const [name, path] of pages) console.log(`${name}: ${installation.url}${path}`);
else await takePictures(target);

async function takePictures(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const browser = await launchChromium();
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      for (const [name, path] of pages) {
        if (!name.includes(part)) continue;
        await page.goto(installation.url + path);
        const file = `${name.replaceAll(/[^a-z]+/g, '-')}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(directory, file), fullPage: true });
        const overflow = Number(await page.evaluate(OVERFLOW));
        if (overflow > 0) console.log(`${file} scrolls sideways by ${overflow} px`);
      }
      await context.close();
    }
  }
  await browser.close();
  await installation.close();
}
