/** What people read about the service itself, before they trust it. */
import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { writeComparison } from '../../../db/audit/solvency.ts';
import { writeStanding } from '../../../db/networks/standing.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { technicalIn } from '../../texts/phrases.ts';
import { startInstallation, type Installation } from './installation.ts';

let installation: Installation;
afterEach(() => installation.close());

const OPERATOR = { name: 'Acme Tips', supportUrl: 'https://help.example.com/', termsUrl: '', hasTestMoney: false };
const start = async (change: Partial<Parameters<typeof startInstallation>[0]> = {}) => {
  installation = await startInstallation({ operator: OPERATOR, baseUrl: 'https://tips.example.com', ...change });
};
const get = (path: string) => installation.app.request(path, { headers: { accept: 'text/html' } });
const mainOf = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>')).replaceAll(/<[^>]*>/g, ' ');

describe('is this real, help, terms and privacy', () => {
  test.each(LANGUAGE_TAGS)('%s are there, with who runs it, and ask for nothing', async (language) => {
    await start();
    for (const name of ['real', 'help', 'terms', 'privacy']) {
      const answer = await get(`/${name}?lang=${language}`);
      const page = await answer.text();
      expect([name, answer.status]).toEqual([name, 200]);
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).not.toMatch(/<form|<input/);
      if (name !== 'help') expect(mainOf(page)).toContain('Acme Tips');
      expect(page).toContain('href="https://help.example.com/"');
      // What belongs to wallets alone has no place before a person asks for one of their own.
      expect([name, technicalIn(mainOf(page), language)]).toEqual([name, []]);
    }
  });

  test('name the address that everything of ours begins with, and how long money waits', async () => {
    await start({ claimTtlMs: 7 * 86_400_000 });
    const page = mainOf(await (await get('/real')).text());
    expect(page).toContain('begins with https://tips.example.com/ and');
    expect(page).toContain('It waits 7 days;');
  });

  test('lead to the operator’s own pages where there are any, from the footer too', async () => {
    const own = { termsUrl: 'https://acme.example/terms', privacyUrl: 'https://acme.example/privacy' };
    await start({ operator: { ...OPERATOR, ...own } });
    for (const [path, url] of [
      ['/terms', own.termsUrl],
      ['/privacy', own.privacyUrl],
    ] as const) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, url]);
      expect(await (await get('/')).text()).toContain(`href="${url}"`);
    }
  });

  test('are linked from every page, and the first of them from the letter itself', async () => {
    await start();
    const { slug } = await installation.seed();
    const letter = await (await get(`/receipts/${slug}`)).text();
    expect(letter.slice(letter.indexOf('<main'), letter.indexOf('</main>'))).toContain('href="/real"');
    for (const path of ['/real', '/help', '/terms', '/privacy', '/status'])
      expect(letter.slice(letter.indexOf('<footer'))).toContain(`href="${path}"`);
  });
});

describe('status', () => {
  const standing = (outage: null | 'no_gas', atMs = installation.clock.nowMs) =>
    writeStanding(installation.store, 'base', { outage, second: null, sinceMs: atMs, atMs });
  async function compare(onChain = 5n): Promise<void> {
    const sums = { inBooks: 5n, onChain, unexplained: 0n, float: 5n, reorgLoss: 0n };
    await writeComparison(installation.store, { network: 'base', block: 4, ...sums });
  }
  const page = async () => mainOf(await (await get('/status')).text());

  test('says what works, for each network, and when that was seen', async () => {
    await start();
    await standing(null);
    await compare();
    const text = await page();
    expect(text).toContain('Base');
    expect(text).toContain('Payments are taken and passed on.');
    expect(text).toContain('20 November 2026');
  });

  test('says that no payments are taken, and never more than it knows', async () => {
    await start();
    expect(await page()).toContain('No payments are taken right now.');
    installation.clock.nowMs += 60_000;
    await standing('no_gas');
    expect(await page()).toContain('No new payments right now.');
    // Nothing was compared: nobody says that all is there.
    expect(await page()).toContain('It cannot be shown right now');
  });

  test('says that passing on waits while it is stopped', async () => {
    await start();
    await standing(null);
    await stopSigning(installation.store, { reason: 'operator_payouts', network: 'all', detail: 'x' }, 1);
    const text = await page();
    expect(text).toContain('Passing them on has to wait.');
    expect(text).toContain('Some of it does not work right now.');
  });

  test('looks once for everyone who asks within some seconds, and has nothing to say without a database', async () => {
    await start();
    await standing(null);
    await page();
    await standing('no_gas');
    expect(await page()).toContain('Payments are taken and passed on.');
    installation.clock.nowMs += 10_000;
    await standing('no_gas');
    expect(await page()).toContain('No new payments right now.');
  });
});

test('the start page shows no raw data, and leads to what people come for', async () => {
  await start();
  const page = await (await get('/')).text();
  expect(page).not.toMatch(/href="\/(?:health|openapi|llms)/);
  for (const path of ['/purse', '/to', '/real', '/status', '/docs']) expect(page).toContain(`href="${path}"`);
});

test('phones get a picture for their home screen', async () => {
  await start();
  const answer = await get('/apple-touch-icon.png');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(await (await get('/')).text()).toContain('rel="apple-touch-icon"');
});
