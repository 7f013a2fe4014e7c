import { Hono } from 'hono';
import { html } from 'hono/html';
import { expect, test } from 'vitest';
import type { Language } from '../../core/languages.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { acceptedLanguage, readerOf } from '../../web/language.ts';
import type { Reader } from '../../web/page.ts';

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, pt-BR;q=0.7, ja;q=0.9', 'ja'],
  ['es;q=0, en', 'en'],
  ['fr, *', null],
  ['', null],
  [undefined, null],
  ['es;q=nonsense', 'es'],
])('a browser that wants %s reads %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

async function read(path: string, headers: Record<string, string>, known: Language | null = null) {
  const app = new Hono();
  const readers: Reader[] = [];
  app.get('/page', (c) => {
    readers.push(readerOf(c, known));
    return c.text('');
  });
  const answer = await app.request(path, { headers });
  return { reader: readers[0], cookie: answer.headers.get('Set-Cookie') };
}

test('what was asked for is remembered, and goes before chat and browser', async () => {
  const asked = await read('/page?lang=es', { 'Accept-Language': 'ja' }, 'de');
  expect(asked.reader).toMatchObject({ language: 'es' });
  const cookie = asked.cookie?.split(';')[0] ?? '';
  expect((await read('/page', { 'Accept-Language': 'ja', Cookie: cookie }, 'de')).reader).toMatchObject({
    language: 'es',
  });
  expect((await read('/page', { 'Accept-Language': 'ja' }, 'de')).reader).toMatchObject({ language: 'de' });
  expect((await read('/page', { 'Accept-Language': 'ja' })).reader).toMatchObject({ language: 'ja' });
});

test('an unknown language is not remembered; the menu keeps the rest of the address', async () => {
  const { reader, cookie } = await read('/page?receipt=abc&lang=xx', {});
  expect([reader?.language, cookie]).toEqual(['en', null]);
  expect(reader?.menu).toContainEqual({ language: 'pt', href: '/page?receipt=abc&lang=pt' });
});

test.each(['//elsewhere.example/page', '/\\elsewhere.example/page'])(
  'at %s the menu leads to this site',
  async (path) => {
    const app = new Hono();
    app.all('*', (c) => c.json(readerOf(c).menu));
    const menu = (await (await app.request(`http://own.example${path}`)).json()) as Reader['menu'];
    const hosts = menu.map(({ href }) => new URL(href, 'http://own.example/').host);
    expect(new Set(hosts)).toEqual(new Set(['own.example']));
  },
);

test('a page that answers a form leads to where it stands, or to no other language', async () => {
  const app = new Hono();
  app.post('/form', (c) => c.json([readerOf(c).menu, readerOf(c, null, '/page?receipt=abc').menu[0]]));
  const answer = await app.request('/form', { method: 'POST' });
  expect(await answer.json()).toEqual([[], { language: 'en', href: '/page?receipt=abc&lang=en' }]);
});

test('a page depends on its reader, and other formats of its address do not', async () => {
  const app = new Hono();
  const site = { baseUrl: '', isPlayMoney: true, operator: { name: 'test', supportUrl: '', termsUrl: '' } };
  const assets = createAssets('/assets');
  app.get('/page', async (c) => {
    setPageHeaders(c, { isIndexed: false });
    if (c.req.query('json') !== undefined) return c.json({});
    return answerPage(c, { site: { ...site, assets }, reader: readerOf(c) }, { title: '', main: html`` });
  });
  const page = await app.request('/page', { headers: { 'Accept-Language': 'ja' } });
  expect(page.headers.get('Vary')).toBe('Accept, Accept-Language, Cookie, Accept-Encoding');
  expect(await page.text()).toContain('<html lang="ja">');
  expect((await app.request('/page?json')).headers.get('Vary')).toBe('Accept');
});
