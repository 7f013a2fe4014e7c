import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';

function refusal(receiver: string): string {
  try {
    parseRecipient('web', receiver);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_receiver') return error.context.detail ?? '';
    throw error;
  }
  throw new Error(`web accepted ${JSON.stringify(receiver)}, expected a refusal`);
}

test.each([
  ['example.com', 'example.com', 'example.com'],
  ['Example.COM', 'example.com', 'Example.COM'],
  ['https://example.com', 'example.com', 'example.com'],
  ['HTTP://Example.com/', 'example.com', 'Example.com'],
  ['example.com.', 'example.com', 'example.com'],
  ['example.com:443', 'example.com', 'example.com'],
  ['http://example.com:80', 'example.com', 'example.com'],
  ['@example.com', 'example.com', 'example.com'],
  ['www.example.com', 'www.example.com', 'www.example.com'],
  ['sub.example.co.uk', 'sub.example.co.uk', 'sub.example.co.uk'],
  ['octocat.github.io', 'octocat.github.io', 'octocat.github.io'],
  ['github.com', 'github.com', 'github.com'],
  ['Bücher.de', 'xn--bcher-kva.de', 'Bücher.de'],
  ['xn--bcher-kva.de', 'xn--bcher-kva.de', 'xn--bcher-kva.de'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  ['аса.рф', 'xn--80aa4c.xn--p1ai', 'аса.рф'],
  ['例え.jp', 'xn--r8jz45g.jp', '例え.jp'],
  ['一.com', 'xn--4gq.com', '一.com'],
  ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com', 'example.com'],
])('%j is the host %s', (receiver, key, display) => {
  expect(parseRecipient('web', receiver)).toEqual({ platform: 'web', key, display });
});

test('a subdomain is not its domain', () => {
  expect(parseRecipient('web', 'sub.example.com').key).not.toBe(parseRecipient('web', 'example.com').key);
});

test.each(['com', 'uk', 'co.uk', 'github.io', 'com.', 'https://co.uk/', 'xn--p1ai', '公司.cn', 'kawasaki.jp'])(
  'the bare suffix %s is refused',
  (receiver) => {
    expect(refusal(receiver)).toMatch(/is a public suffix|has one part only/);
  },
);

test.each([
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '１２７.0.0.1',
  '1.2.3.4.',
  '1.2.3.4:80',
  'http://192.168.0.1/admin',
  '[::1]',
  '::1',
  'http://[::ffff:127.0.0.1]',
  '256.1.1.1',
  '1.2.3.4.5',
  'example.0x1',
])('the IP address %s is refused', (receiver) => {
  expect(refusal(receiver)).toMatch(/is an IP address/);
});

test.each([
  ['localhost', 'has one part only'],
  ['localhost:8402', 'has one part only'],
  ['foo.localhost', 'ends in ".localhost"'],
  ['printer.local', 'ends in ".local"'],
  ['db.internal', 'ends in ".internal"'],
  ['1.0.0.127.in-addr.arpa', 'ends in ".arpa"'],
  ['example', 'has one part only'],
  ['example..com', 'has an empty part between dots'],
  ['.example.com', 'has an empty part between dots'],
  ['example.com..', 'has an empty part between dots'],
  ['-a.com', 'has the part "-a"'],
  [`${'a'.repeat(64)}.com`, 'which is not valid in a host name'],
  [`${'abcdefgh.'.repeat(30)}com`, 'is longer than 253 characters'],
  ['ex_ample.com', `contains '_'`],
  ['exa mple.com', 'contains a space'],
  ['exa%6dple.com', `contains '%'`],
  ['xn--a.com', 'is not a valid host name'],
  ['ftp://example.com', 'is not an http or https address'],
  ['file:///etc/passwd', 'is not an http or https address'],
  ['javascript:alert(1)', `contains ':'`],
  ['https://', 'has no host'],
  ['https:///example.com', 'has no host'],
  ['https://user:pass@example.com', 'contains a user name before "@"'],
  ['https://example.com@evil.org', 'contains a user name before "@"'],
  ['example\u3002com', `contains U+3002 IDEOGRAPHIC FULL STOP, which looks like '.'`],
  ['exam\u00ADple.com', 'contains U+00AD SOFT HYPHEN'],
  ['exa\u200Dmple.com', 'contains U+200D ZERO WIDTH JOINER'],
  ['example.com\r\nHost: evil.org', 'contains U+000D CARRIAGE RETURN'],
  ['i❤.ws', 'contains U+2764'],
])('%j is refused: %s', (receiver, problem) => {
  expect(refusal(receiver)).toContain(problem);
});

test.each([
  ['https://example.com/shop', 'write example.com'],
  ['example.com/shop', 'write example.com'],
  ['https://example.com/?q=1', 'write example.com'],
  ['https://example.com#top', 'write example.com'],
  ['https://example.com\\@evil.org', 'write example.com'],
  ['https://Bücher.de/shop', 'write xn--bcher-kva.de'],
  ['https://example.com:8443', 'write example.com'],
  ['http://example.com:443', 'write example.com'],
  // The site of a platform is nobody's.
  ['https://github.com/octocat/hello', 'wanted: a domain name, such as example.com'],
  ['https://x.com/home', 'wanted: a domain name, such as example.com'],
  ['https://x.com/alice/status/1', 'use x:alice'],
])('%j is more than a host: %s', (receiver, advice) => {
  expect(refusal(receiver).endsWith(`; ${advice}`)).toBe(true);
});

test.each([
  ['\u0430pple.com', `contains U+0430 CYRILLIC SMALL LETTER A, which looks like 'a'`],
  ['\u0430\u0440\u0440\u04CF\u0435.com', 'contains U+0430 CYRILLIC SMALL LETTER A'],
  ['shop.g\u043E\u043Egle.com', 'contains U+043E CYRILLIC SMALL LETTER O'],
  ['\u03BF\u03BA.com', 'contains U+03BF GREEK SMALL LETTER OMICRON'],
  ['paypa\u0131.com', 'contains U+0131 LATIN SMALL LETTER DOTLESS I'],
  ['aж.com', 'mixes alphabets'],
  [
    'xn--80ak6aa92e.com',
    'reads as "\u0430\u0440\u0440\u04CF\u0435.com", which contains U+0430 CYRILLIC SMALL LETTER A',
  ],
  ['alice.XN--80ak6aa92e.com', 'reads as'],
])('the look-alike host %j is refused by name', (receiver, problem) => {
  expect(refusal(receiver)).toContain(problem);
});
