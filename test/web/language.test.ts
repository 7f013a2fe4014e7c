import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Language } from '../../core/languages.ts';
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
