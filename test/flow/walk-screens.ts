/** What a person sees on the screens of the walk, read for all that must not be there: one language after the other. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '../../core/languages.ts';
import { axeViolations } from '../support/browser/axe.ts';
import { createNovelty } from '../support/browser/kinds.ts';
import { technicalBeforeWallet } from '../texts/phrases.ts';

/** SCREENSHOTS=1 refreshes the pictures in docs/; SCREENSHOTS=a-directory takes one of each screen. */
const pictures = process.env['SCREENSHOTS'];
export const PHONE = { width: 320, height: 568 };
/** Before the one button of a letter. */
const WORDS_MAX = 60;
/** Where the service keeps which language a reader has chosen in the menu of a page. */
const LANGUAGE_COOKIE = 'pennypost-language';
/** Then the browser says it, as it did before anything was chosen. */
const NO_LANGUAGE = 'none';
const DOCUMENTED: Readonly<Record<string, string>> = {
  start: 'collect',
  confirm: 'collect-confirm',
  collected: 'collected',
};

/** The other screens are in the galleries of `test/api/pages` and `test/api/claims`, where axe looks at every state of them. */
const ONLY_HERE = new Set([
  'purse-inside',
  'way-out',
  'moved',
  'moved-whose',
  'purse',
  'purse-left',
  'purse-looked-at',
  'purse-told',
  'review',
  'sent',
  'statement',
]);

/** `beside`: languages that each screen is read in as well, before the walk goes on in its own. */
export type Walk = { language: Language; page: Page; site: string; beside: readonly Language[] };

/** `button`: the one that is within reach; `holds`: words by which the screen is known in each language. */
type Wanted = { button?: string; holds?: (language: Language) => string };

/** What a person sees of it, by name, in each language: that of the walk comes first. The page is left as it was. */
export async function look(walk: Walk, screen: string, wanted: Wanted = {}): Promise<string[]> {
  const texts = [await read(walk, screen, wanted)];
  for (const language of walk.beside) {
    await speak(walk, language);
    const reply = await walk.page.reload();
    expect([screen, language, reply?.status()]).toEqual([screen, language, 200]);
    texts.push(await read({ ...walk, language }, screen, wanted));
  }
  if (walk.beside.length > 0) {
    await speak(walk, null);
    await walk.page.reload();
  }
  return texts;
}

/** Every page from now on, as if its reader had chosen the language in the menu; null: in that of the browser again. */
export async function speak({ page, site }: Walk, language: Language | null): Promise<void> {
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language ?? NO_LANGUAGE, url: site }]);
}

const isNew = createNovelty();

/** Nothing scrolls sideways, and the words that come before the button are few. */
async function read({ language, page }: Walk, screen: string, { button, holds }: Wanted): Promise<string> {
  const text = await page.locator('body').innerText();
  if (holds !== undefined) expect(text.replaceAll(/\s+/g, ' '), screen).toContain(holds(language));
  const technical = `${screen}: technical words`;
  expect([technical, technicalBeforeWallet(text, language)]).toEqual([technical, []]);
  expect([screen, await page.locator('html').getAttribute('lang')]).toEqual([screen, language]);
  const { width } = page.viewportSize() ?? PHONE;
  expect([screen, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([screen, width]);
  if (button !== undefined) await expectWithinReach(page, screen, button);
  if (language === 'en' && ONLY_HERE.has(screen) && (await isNew(page)))
    expect([screen, await axeViolations(page)]).toEqual([screen, []]);
  await takePicture(page, language, screen);
  return text;
}

/** On a small phone it is seen without scrolling. */
async function expectWithinReach(page: Page, screen: string, button: string): Promise<void> {
  const main = await page.locator('main').innerText();
  const label = await page.locator(button).innerText();
  expect(main.slice(0, main.indexOf(label)).split(/\s+/).length, screen).toBeLessThanOrEqual(WORDS_MAX);
  const box = await page.locator(button).boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0), screen).toBeLessThanOrEqual(PHONE.height);
}

async function takePicture(page: Page, language: Language, screen: string): Promise<void> {
  if (pictures === undefined) return;
  if (pictures !== '1') await page.screenshot({ path: `${pictures}/${language}-${screen}.png`, fullPage: true });
  else if (language === 'en' && screen in DOCUMENTED)
    await page.screenshot({ path: `docs/images/${DOCUMENTED[screen] ?? ''}.png` });
}
