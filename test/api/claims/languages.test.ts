import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../../../texts/rules/rules.ts';
import { technicalIn } from '../../texts/phrases.ts';
import { RECEIPT_SEEDS } from '../pages/gallery.ts';
import type { Seed } from '../pages/installation.ts';
import { listPages, newVisitor } from './gallery.ts';
import { startClaimInstallation, type ClaimInstallation } from './installation.ts';

/** Their reader has given an address of their own, or is told why it was refused. */
const AFTER_AN_ADDRESS = new Set([
  'verified, address',
  'verified, two addresses',
  'verified, money on the other network',
  'verified, nothing waits',
  'on its way, sent',
  'paid, address',
  'nothing waits any more, address',
  'nothing waits any more, website',
  'address for later',
  'waits for a route',
  'no room in the purse',
  'purses are closed',
  'went back in part',
]);

let installation: ClaimInstallation;
let app: ReturnType<ClaimInstallation['appWith']>;
let pages: Map<string, string>;
let cookie: string;
beforeAll(async () => {
  installation = await startClaimInstallation();
  app = installation.appWith();
  const served = { ...installation, url: 'http://127.0.0.1:8402' };
  const visitor = newVisitor(served);
  cookie = `${visitor.cookie.name}=${visitor.cookie.value}`;
  pages = await listPages(served, visitor);
  const link = new Map([['mail link', `/claims/mail/${'S'.repeat(43)}`]]);
  for (const [name, path] of link) pages.set(name, path);
  for (const [name, seed] of Object.entries<Seed>(RECEIPT_SEEDS)) {
    pages.set(`receipt ${name}`, `/receipts/${(await installation.seed(seed)).slug}`);
  }
});
afterAll(() => installation.close());

/** Each page is drawn once in each language, and read by all who look at its words. */
const drawn = new Map<string, Promise<string>>();

function read(path: string, language: Language): Promise<string> {
  const page = drawn.get(`${language} ${path}`) ?? draw(path, language);
  drawn.set(`${language} ${path}`, page);
  return page;
}

async function draw(path: string, language: Language): Promise<string> {
  const headers = { Accept: 'text/html', 'Accept-Language': language, Cookie: cookie };
  return (await app.request(path, { headers })).text();
}

describe.each(LANGUAGE_TAGS)('in %s', (language) => {
  test('no page needs a technical word before an address of one’s own is asked for', async () => {
    const found: string[] = [];
    for (const [name, path] of pages) {
      if (AFTER_AN_ADDRESS.has(name)) continue;
      found.push(...technicalIn(shownBefore(await read(path, language)), language).map((word) => `${name}: ${word}`));
    }
    expect(found).toEqual([]);
    expect(pages.size).toBeGreaterThan(40);
  });

  test('a planted word is found', async () => {
    const planted = { en: 'wallet', de: 'Wallet', es: 'billetera', pt: 'carteira', ja: 'ウォレット' }[language];
    const html = (await read('/claim/x/alice', language)).replace('<h1>', `<h1>${planted} `);
    expect(technicalIn(shownBefore(html), language)).toEqual([planted]);
  });

  test('keeping it promises no more than the rule of taking it out', async () => {
    const html = await read('/claim/x/alice', language);
    const hint = /<p class="hint" id="keep-hint">([^]*?)<\/p>/.exec(html)?.[1] ?? '';
    const parts = [AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS];
    for (const part of parts) expect(hint).toContain(part);
  });

  test('the last button says what it does, and with how much', async () => {
    const { confirmKeep, confirmSend, sendThere } = CLAIM_PAGES[language];
    for (const [name, label] of [
      ['verified, kept', confirmKeep('$3.20')],
      ['verified, address', confirmSend('$3.20')],
      ['verified, nothing waits', sendThere],
    ] as const)
      expect(await read(pages.get(name) ?? '', language), name).toContain(`id="confirm">${label}</button>`);
  });

  test('the steps of collected money say where it is', async () => {
    const { proven, sent, there } = CLAIM_PAGES[language];
    const stepsOn = async (name: string) =>
      [
        ...(await read(pages.get(name) ?? '', language)).matchAll(/<li class="step (\w+)"[^]*?"step-title">([^<]*)/g),
      ].map(([, state = '', title = '']) => `${title} ${state}`);
    expect(await stepsOn('on its way, sent')).toEqual([`${proven} done`, `${sent} now`, `${there} later`]);
    expect(await stepsOn('paid, address')).toEqual([`${proven} done`, `${sent} done`, `${there} done`]);
  });

  test('every page is in that language, and its menu leads to the same page in the others', async () => {
    for (const [name, path] of pages) {
      const html = await read(path, language);
      expect(html, name).toContain(`<html lang="${language}">`);
      for (const other of LANGUAGE_TAGS.filter((tag) => tag !== language)) {
        const href = new RegExp(`<a href="([^"]*)" lang="${other}"`).exec(html)?.[1]?.replaceAll('&amp;', '&');
        if (name === 'lost sign-in' || name === 'mail link') continue;
        expect(href?.split('?')[0], name).toBe(path.split('?')[0]);
      }
    }
  });
});

test.each(LANGUAGE_TAGS.filter((tag) => tag !== 'en'))('nothing on a page is left in English: %s', async (language) => {
  const found: string[] = [];
  for (const [name, path] of pages) {
    const words = shownBefore(await read(path, language)).match(/\b(?:the|you|your|and|with|nothing|waiting|from)\b/gi);
    found.push(...(words ?? []).map((word) => `${name}: ${word}`));
  }
  expect(found).toEqual([]);
});

/** What is read before an own address is asked for: without what is folded, the frame, and what only programs see. */
function shownBefore(html: string): string {
  return html
    .replace(
      /<head>[\s\S]*?<\/head>/,
      (head) =>
        `${/<title>[^<]*/.exec(head)?.[0] ?? ''} ${/name="description" content="([^"]*)"/.exec(head)?.[1] ?? ''}`,
    )
    .replaceAll(/<(details|footer|header|blockquote|code)\b[\s\S]*<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ');
}
