/**
 * `npm run gallery [-- DIRECTORY [words]]` makes a picture of every page in each state, language, width and colour scheme,
 * for a person to look at, and reports what axe finds and what scrolls sideways. Words choose: `de`, `320`, `dark`, or a part
 * of a page's name; `loads` makes no pictures. Every page is also loaded over slow 3G in the first of the languages, and one that
 * weighs too much or comes too late is a flaw. Nothing of it needs a chain.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGE_TAGS, type Language } from '../../core/languages.ts';
import { runAxe } from '../support/browser/axe.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { startLetters } from './letters.ts';
import { measureLoads } from './loads.ts';
import type { GalleryPage } from './page.ts';
import { startPay } from './pay.ts';
import { startPurse } from './purse.ts';

const WIDTHS = [320, 390, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** The word for the table of loads alone. */
const LOADS = 'loads';
const HEIGHT = 800;
/** How far the page scrolls sideways; a text, because these files know no DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** What has changed is drawn by the second frame. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

type Chosen = {
  languages: readonly Language[];
  widths: readonly number[];
  schemes: readonly string[];
  part: string;
  hasPictures: boolean;
};
type Picture = { file: string; title: string };
type Shown = { pictures: Picture[]; flaws: string[] };

const [, , directory = join(tmpdir(), 'pennypost-gallery'), ...words] = process.argv;
const chosen = choose(words);
const parts = await Promise.all([startLetters(), startPurse(), startPay()]);
const browser = await launchChromium();
const pages = parts.flatMap((part) => part.pages).filter(({ name }) => name.includes(chosen.part));
const shown = await showAll(browser, pages);
const loads = await measureLoads(browser, pages, chosen.languages[0] ?? 'en');
await browser.close();
await Promise.all(parts.map((part) => part.close()));
if (chosen.hasPictures) await writeFile(join(directory, 'index.html'), indexOf(shown.pictures));
console.log(`${shown.pictures.length} pictures in ${directory}/index.html`);
console.log(loads.table);
for (const flaw of loads.flaws) console.error(flaw);
process.exitCode = shown.flaws.length + loads.flaws.length === 0 ? 0 : 1;

function choose(given: readonly string[]): Chosen {
  const among = <Item extends string | number>(all: readonly Item[]): readonly Item[] => {
    const named = all.filter((item) => given.includes(String(item)));
    return named.length === 0 ? all : named;
  };
  const known = new Set<string>([...LANGUAGE_TAGS, ...WIDTHS.map(String), ...SCHEMES, LOADS]);
  const part = given.filter((word) => !known.has(word)).join(' ');
  const hasPictures = !given.includes(LOADS);
  return { languages: among(LANGUAGE_TAGS), widths: among(WIDTHS), schemes: among(SCHEMES), part, hasPictures };
}

async function showAll(chromium: Browser, all: readonly GalleryPage[]): Promise<Shown> {
  const total: Shown = { pictures: [], flaws: [] };
  if (!chosen.hasPictures) return total;
  for (const language of chosen.languages) {
    await mkdir(join(directory, language), { recursive: true });
    for (const one of all) {
      const { pictures, flaws } = await show(chromium, one, language);
      total.pictures.push(...pictures);
      total.flaws.push(...flaws);
      // At once: all of it takes half an hour.
      for (const flaw of flaws) console.error(flaw);
    }
  }
  return total;
}

/** Loaded once: another width or scheme is another look of the same page. */
async function show(chromium: Browser, one: GalleryPage, language: Language): Promise<Shown> {
  const agent = one.userAgent === undefined ? {} : { userAgent: one.userAgent };
  const context = await chromium.newContext({
    locale: language,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Tokyo',
    ...agent,
  });
  if (one.cookie !== undefined) await context.addCookies([{ ...one.cookie, url: new URL(one.url).origin }]);
  const page = await context.newPage();
  try {
    await page.goto(one.url);
    await one.act?.(page);
    return await takePictures(page, { name: one.name, language });
  } finally {
    await context.close();
  }
}

async function takePictures(page: Page, { name, language }: { name: string; language: Language }): Promise<Shown> {
  const total: Shown = { pictures: [], flaws: [] };
  for (const width of chosen.widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of SCHEMES.filter((scheme) => chosen.schemes.includes(scheme))) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(PAINTED);
      const title = `${name} (${language}, ${width}, ${colorScheme})`;
      const file = `${language}/${name.replaceAll(/[^a-z]+/g, '-')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(directory, file), fullPage: true });
      total.pictures.push({ file, title });
      const overflow = Number(await page.evaluate(OVERFLOW));
      if (overflow > 0) total.flaws.push(`${title}: scrolls sideways by ${overflow} px`);
      const { violations } = await runAxe(page, { rules: total.pictures.length === 1 ? 'strict' : 'looks' });
      total.flaws.push(...violations.map((violation) => `${title}: ${violation}`));
    }
  }
  return total;
}

function indexOf(pictures: readonly Picture[]): string {
  const figures = pictures.map(
    ({ file, title }) =>
      `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${title}</figcaption></figure>`,
  );
  const style =
    'body{display:flex;flex-wrap:wrap;gap:16px;align-items:start}figure{margin:0}img{width:240px;border:1px solid #999}';
  return `<!doctype html><meta charset="utf-8"><title>Every page</title><style>${style}</style>${figures.join('\n')}`;
}
