import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../../core/languages.ts';
import { hasLink, TIP_PAGE_MS } from '../../../core/tip-pages/tip-pages.ts';
import { openReports } from '../../../db/reports/reports.ts';
import { barTipPage, findTipPage, setTipPage } from '../../../db/tip-pages/tip-pages.ts';
import { technicalIn } from '../../texts/phrases.ts';
import { NOW_MS, startInstallation, type Installation } from '../pages/installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ isTrustedProxy: () => true });
  await person('alice', '1');
  await person('opted', '2', { optedOutAtMs: 1 });
  await setPage('person_1', 'I write free software. Thank you!');
  await setPage('person_2', 'me too');
});
afterAll(() => installation.close());

type Change = { platform?: string; optedOutAtMs?: number };

async function person(key: string, stableId: string, { platform = 'x', optedOutAtMs }: Change = {}): Promise<void> {
  const { store } = installation;
  const row = { id: `person_${stableId}`, platform, stableId, key, display: key, createdAtMs: 0 };
  const optedOut = optedOutAtMs === undefined ? {} : { optedOutAtMs };
  await store.tx((db) => db.insert(store.tables.identities).values({ ...row, ...optedOut }));
}

const setPage = (identityId: string, words: string | null, nowMs = NOW_MS) =>
  setTipPage(installation.store, { identityId, page: { words } }, nowMs);
const get = (path: string) => installation.app.request(path, { headers: { accept: 'text/html' } });
const pageOf = async (path: string) => (await get(path)).text();
/** Without what was typed into the address, which the form and the menu of languages repeat. */
const bare = async (path: string, name: string) =>
  (await pageOf(path)).replaceAll(path, 'PATH').replaceAll(`value="${name}"`, 'NAME').replaceAll(' selected', '');

describe('the page of a person who has switched it on', () => {
  test('shows their words, may be listed, and sends by what every sending takes', async () => {
    const answer = await get('/to/x/Alice');
    const page = await answer.text();
    expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([200, null]);
    expect(page).toContain('I write free software. Thank you!');
    expect(page).toContain('action="/purse/wish"');
    expect(page).toContain('name="name" value="alice"');
    expect(page).toContain('og:image');
    expect(page).not.toContain('<script>');
    expect(await pageOf('/to/twitter/@alice')).toContain('I write free software.');
  });

  test('ends after its time, or once its owner or the operator takes it away', async () => {
    const { store } = installation;
    const find = (nowMs = NOW_MS) => findTipPage(store, { platform: 'x', key: 'gone' }, nowMs);
    await person('gone', '3');
    expect(await find()).toBeNull();
    await setPage('person_3', 'hello');
    expect(await find(NOW_MS + TIP_PAGE_MS - 1)).toMatchObject({ words: 'hello' });
    expect(await find(NOW_MS + TIP_PAGE_MS)).toBeNull();
    await setTipPage(store, { identityId: 'person_3', page: null }, NOW_MS);
    expect(await find()).toBeNull();
    await setPage('person_3', 'again');
    const command = { name: 'bar-page', arguments: ['person_3'], who: 'ada' };
    expect(await barTipPage(store, 'person_3', command, NOW_MS)).toBe(true);
    expect(await barTipPage(store, 'person_3', command, NOW_MS)).toBe(false);
    expect(await setPage('person_3', 'and again')).toBe(false);
    expect(await find()).toBeNull();
  });

  test('is gone where two accounts have had the name: nobody knows whose it is', async () => {
    await person('recycled', '4');
    await setPage('person_4', 'the first owner');
    expect(await pageOf('/to/x/recycled')).toContain('the first owner');
    await person('recycled', '5');
    expect(await pageOf('/to/x/recycled')).not.toContain('the first owner');
  });

  test('can be reported, and then names the person to the operator', async () => {
    expect(await pageOf('/to/x/alice')).toContain('href="/to/x/alice/report"');
    expect(await pageOf('/to/x/alice/report')).toContain('Report this page');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '192.0.2.1' };
    const own = { ...headers, origin: 'http://127.0.0.1:8402' };
    const report = () =>
      installation.app.request('/to/x/alice/report', { method: 'POST', body: 'reason=pretends', headers: own });
    expect((await report()).status).toBe(200);
    const found = (await openReports(installation.store, 10)).filter(({ kind }) => kind === 'page');
    expect(found).toMatchObject([{ subject: 'person_1', reason: 'pretends', share: 'small' }]);
  });
});

describe('everybody else', () => {
  test('unknown, opted out, an address, and not switched on: the same form, which is not listed', async () => {
    await person('quiet', '6');
    await person('me@example.com', '7', { platform: 'email' });
    await setPage('person_7', 'my secret address');
    const wanted = await bare('/to/x/nobody', 'nobody');
    for (const [path, name] of [
      ['/to/x/opted', 'opted'],
      ['/to/x/quiet', 'quiet'],
      ['/to/email/me@example.com', 'me@example.com'],
      ['/to/web/example.com', 'example.com'],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('x-robots-tag')]).toEqual([path, 200, 'noindex, nofollow']);
      expect(await bare(path, name)).toBe(wanted);
    }
    expect(wanted).toContain('Send to a name');
    expect(wanted).not.toMatch(/<img(?![^>]*mark\.svg)|og:image/);
    expect((await get('/to/x/opted/report')).status).toBe(404);
  });

  test('a name that is none stays text', async () => {
    const page = await pageOf(`/to/x/${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(page).not.toContain('<script>alert');
    expect((await get('/to')).status).toBe(200);
  });

  test('the badge is the same picture for every name', async () => {
    const of = async (name: string) => (await get(`/to/x/${name}/badge.svg`)).text();
    expect(await of('alice')).toBe(await of('nobody'));
    const answer = await get('/to/x/alice/badge.svg');
    expect(answer.headers.get('content-type')).toContain('image/svg+xml');
    expect(await answer.text()).not.toMatch(/<script|href=/);
  });
});

test.each(LANGUAGE_TAGS)('%s says nothing technical on either', async (language) => {
  for (const path of ['/to', '/to/x/alice']) {
    const page = await pageOf(`${path}?lang=${language}`);
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>')).replaceAll(/<[^>]*>/g, ' ');
    expect([path, technicalIn(main, language)]).toEqual([path, []]);
  }
});

test.each([
  ['see evil.example', true],
  ['https://a', true],
  ['ｅｖｉｌ．ｃｏｍ', true],
  ['evil。com', true],
  ['пример.рф', true],
  ['mail me@example', true],
  ['0xabcdef1234', true],
  ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', true],
  ['I write free software. Thank you!', false],
  ['ありがとうございます。またどうぞ', false],
  ['For 1.50 you get a coffee', false],
])('%s has a link: %s', (text, isLink) => {
  expect(hasLink(text)).toBe(isLink);
});
