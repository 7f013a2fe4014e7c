import { expect, test } from 'vitest';
import {
  findPlatform,
  OAUTH_PLATFORMS,
  PLATFORM_NAMES,
  PLATFORMS,
  platformRow,
  recognisePlatform,
} from '../../../core/platforms/platforms.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';

test('the table has the platforms of the contract, each offered where the contract says', () => {
  const offered = Object.fromEntries(
    PLATFORM_NAMES.map((name) => [
      name,
      [PLATFORMS[name].http, PLATFORMS[name].mcp, PLATFORMS[name].a2a, PLATFORMS[name].chat],
    ]),
  );
  expect(offered).toEqual({
    x: ['public', true, true, true],
    decsocial: ['public', true, true, true],
    code: ['public', true, true, true],
    email: ['public', true, true, true],
    web: ['public', true, true, true],
    photo: ['bot', false, true, true],
    discord: ['bot', false, false, true],
    telegram: ['bot', false, false, true],
  });
});

test('only for e-mail and web the name is the identity', () => {
  expect(PLATFORM_NAMES.filter((name) => PLATFORMS[name].nameIsIdentity)).toEqual(['email', 'web']);
});

test.each([
  ['x', 'x'],
  ['twitter', 'x'],
  ['farcaster', 'decsocial'],
  ['fc', 'decsocial'],
  ['warpcast', 'decsocial'],
  ['github', 'code'],
  ['gh', 'code'],
  ['mail', 'email'],
  ['site', 'web'],
  ['domain', 'web'],
  ['instagram', 'photo'],
  ['ig', 'photo'],
  ['tg', 'telegram'],
  ['discord', 'discord'],
  ['GitHub', 'code'],
  ['EMAIL', 'email'],
])('%s names the platform %s', (text, platform) => {
  expect(findPlatform(text)).toBe(platform);
});

test.each([
  '',
  ' x',
  'x ',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'facebook',
  'х',
  '\u212A',
  'github\u200B',
  'toString',
])('%j names no platform', (text) => {
  expect(findPlatform(text)).toBeNull();
});

test('no two platforms share a name, an alias or a profile host', () => {
  const words = PLATFORM_NAMES.flatMap((name) => [
    name,
    ...platformRow(name).aliases,
    ...platformRow(name).profiles.hosts,
  ]);
  expect(new Set(words).size).toBe(words.length);
});

test.each(PLATFORM_NAMES)('the example of %s is a valid receiver', (name) => {
  const { example } = PLATFORMS[name];
  expect(parseRecipient(name, example)).toEqual({ platform: name, key: example, display: example });
});

test('the prefix of a name belongs to one platform and no other', () => {
  const prefixes = PLATFORM_NAMES.flatMap((name) => platformRow(name).prefix ?? []);
  expect(prefixes.map(findPlatform)).toEqual(PLATFORM_NAMES.filter((name) => platformRow(name).prefix !== null));
});

test.each([
  ['alice@example.com', 'email'],
  ['alice.eth', 'decsocial'],
  ['example.com', 'web'],
  ['https://example.com/', 'web'],
  ['alice.smith', null],
  ['alice', null],
  ['x:alice', null],
])('%s without more is a name of %s', (word, platform) => {
  expect(recognisePlatform(word)).toBe(platform);
});

test('a platform whose name needs no prefix is recognised by its example', () => {
  const without = PLATFORM_NAMES.filter((name) => platformRow(name).prefix === null);
  expect(without.map((name) => recognisePlatform(PLATFORMS[name].example))).toEqual(without);
});

test('no two platforms have the same names in the configuration', () => {
  const prefixes = OAUTH_PLATFORMS.map((name) => PLATFORMS[name].proof.variables);
  expect(new Set(prefixes).size).toBe(prefixes.length);
});
