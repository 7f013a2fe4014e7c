import { expect, test } from 'vitest';
import { preferredType } from '../../../api/http/accept-header.ts';

const OFFERED = ['text/html', 'application/json', 'text/event-stream'] as const;
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

test.each([
  ['a browser', CHROME, 'text/html'],
  ['curl', '*/*', 'text/html'],
  ['EventSource', 'text/event-stream', 'text/event-stream'],
  ['a program', 'application/json', 'application/json'],
  ['a program that takes anything else too', 'application/json, text/plain, */*', 'application/json'],
  ['any case and space', ' Application/JSON ; Q=0.9 ', 'application/json'],
  ['parameters before the quality', 'application/json;charset=utf-8;q=0.5, text/html;q=0.4', 'application/json'],
  ['the higher quality', 'text/html;q=0.2, application/json;q=0.8', 'application/json'],
  ['an exact range before a wider one', 'text/html;q=0.1, */*', 'application/json'],
  ['a whole type', 'application/*', 'application/json'],
  ['text of any kind: the order offered', 'text/*', 'text/html'],
  ['quality zero is never', 'text/html;q=0, */*', 'application/json'],
  ['everything refused', '*/*;q=0', null],
  ['a quality that is none', 'text/html;q=high', null],
  ['something else', 'image/png', null],
  ['nonsense', ';;,/,*', null],
  ['an empty header', '', null],
  ['no header', undefined, null],
] as const)('%s', (_title, header, type) => {
  expect(preferredType(header, OFFERED)).toBe(type);
});

test('of a very long header only the beginning is read', () => {
  expect(preferredType(`${'image/png,'.repeat(5_000)}text/html`, OFFERED)).toBeNull();
});
