import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHidden } from '../../../core/characters.ts';
import { AppError } from '../../../core/errors.ts';
import { PLATFORM_NAMES, platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import {
  formatRecipient,
  formatRecipientForOthers,
  parseRecipient,
  type Recipient,
} from '../../../core/platforms/recipient.ts';
import { anyCharacter } from '../any-character.ts';

function attempt(platform: Platform, receiver: string, field?: string): Recipient | AppError {
  try {
    return parseRecipient(platform, receiver, field);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_receiver') return error;
    throw error;
  }
}

function refusal(platform: Platform, receiver: string, field?: string): AppError {
  const outcome = attempt(platform, receiver, field);
  if (outcome instanceof AppError) return outcome;
  throw new Error(`${platform} accepted ${JSON.stringify(receiver)}, expected a refusal`);
}

const detail = (platform: Platform, receiver: string) => refusal(platform, receiver).context.detail;

test.each([
  ['x', 'alice', 'alice', 'alice'],
  ['x', '@Alice', 'alice', 'Alice'],
  ['x', '  @Alice_1  ', 'alice_1', 'Alice_1'],
  ['x', '\u00A0alice\u3000', 'alice', 'alice'],
  ['x', 'ＡＬＩＣＥ', 'alice', 'ALICE'],
  ['x', '＠alice', 'alice', 'alice'],
  ['x', 'a'.repeat(15), 'a'.repeat(15), 'a'.repeat(15)],
  ['decsocial', 'Alice', 'alice', 'Alice'],
  ['decsocial', '0-a-', '0-a-', '0-a-'],
  ['decsocial', 'a'.repeat(16), 'a'.repeat(16), 'a'.repeat(16)],
  ['decsocial', 'Vitalik.eth', 'vitalik.eth', 'Vitalik.eth'],
  ['decsocial', 'jesse.base.eth', 'jesse.base.eth', 'jesse.base.eth'],
  ['code', 'Octo-Cat', 'octo-cat', 'Octo-Cat'],
  ['code', 'a'.repeat(39), 'a'.repeat(39), 'a'.repeat(39)],
  ['photo', 'a.b_c', 'a.b_c', 'a.b_c'],
  ['photo', '_', '_', '_'],
  ['discord', '175928847299117063', '175928847299117063', '175928847299117063'],
  ['discord', '18446744073709551615', '18446744073709551615', '18446744073709551615'],
  ['telegram', '123456789', '123456789', '123456789'],
  ['telegram', '4503599627370495', '4503599627370495', '4503599627370495'],
  ['telegram', '@Durov', 'durov', 'Durov'],
] as const)('%s takes %j as %s', (platform, receiver, key, display) => {
  expect(parseRecipient(platform, receiver)).toEqual({ platform, key, display });
});

test.each([
  ['x', ''],
  ['x', '   '],
  ['x', '@'],
  ['x', '@@alice'],
  ['x', 'a'.repeat(16)],
  ['x', 'al ice'],
  ['x', 'alice!'],
  ['x', 'al-ice'],
  ['x', '../alice'],
  ['x', "alice' or 1=1"],
  ['x', 'alice\n'],
  ['x', '\u200Balice'],
  ['x', 'al\u202Eice'],
  ['x', 'alic\u0435'],
  ['x', 'alicé'],
  ['x', 'a\u0301lice'],
  ['x', '\uD83D'],
  ['x', '😀'],
  ['decsocial', '-alice'],
  ['decsocial', 'a_b'],
  ['decsocial', 'a'.repeat(17)],
  ['decsocial', 'alice.com'],
  ['decsocial', '.eth'],
  ['decsocial', 'ab--cd.eth'],
  ['decsocial', 'a..eth'],
  ['decsocial', 'vit\u0430lik.eth'],
  ['code', '-a'],
  ['code', 'a-'],
  ['code', 'a--b'],
  ['code', 'a_b'],
  ['code', 'a'.repeat(40)],
  ['photo', '.a'],
  ['photo', 'a.'],
  ['photo', 'a..b'],
  ['photo', 'a-b'],
  ['photo', 'a'.repeat(31)],
  ['discord', '0'],
  ['discord', '0175928847299117063'],
  ['discord', '18446744073709551616'],
  ['discord', 'alice'],
  ['discord', '-5'],
  ['discord', '1e5'],
  ['discord', '<@175928847299117063>'],
  ['telegram', '0'],
  ['telegram', '01'],
  ['telegram', '-100123'],
  ['telegram', '4503599627370496'],
  ['telegram', 'abc'],
  ['telegram', '1alice'],
  ['telegram', 'alice_'],
  ['telegram', 'al__ice'],
  ['telegram', 'a'.repeat(33)],
] as const)('%s refuses %j', (platform, receiver) => {
  const { context } = refusal(platform, receiver);
  expect(context.field).toBe('receiver');
  expect(context.detail).toMatch(/; (?:wanted: .*, such as |use |write )/);
});

test.each([
  ['x', 'аlice', `"аlice" contains U+0430 CYRILLIC SMALL LETTER A, which looks like 'a'; `],
  ['code', 'оctocat', `"оctocat" contains U+043E CYRILLIC SMALL LETTER O, which looks like 'o'; `],
  ['x', 'al\u200Dice', '"alU+200Dice" contains U+200D ZERO WIDTH JOINER, an invisible character; '],
  ['photo', 'al\u202Eice', '"alU+202Eice" contains U+202E RIGHT-TO-LEFT OVERRIDE, an invisible character; '],
  ['x', 'alicé', `"alicé" contains U+00E9 'é'; `],
  ['x', 'al ice', '"al ice" contains a space; '],
  ['x', '', '"" is empty; '],
  ['x', 'a'.repeat(16), '"aaaaaaaaaaaaaaaa" does not have the right form (16 characters); '],
  ['code', 'a–b', `"a–b" contains U+2013 EN DASH, which looks like '-'; `],
] as const)('%s says of %j what is wrong, by name, and what is wanted', (platform, receiver, beginning) => {
  const { receiver: wanted, example } = platformRow(platform);
  expect(detail(platform, receiver)).toBe(`${beginning}wanted: ${wanted}, such as ${example}`);
});

test.each([
  ['x', 'https://github.com/octocat', 'use code:octocat'],
  ['web', 'https://github.com/octocat', 'use code:octocat'],
  ['web', 'github.com/octocat', 'use code:octocat'],
  ['web', 'https://x.com/Alice?s=20', 'use x:alice'],
  ['x', 'https://x.com/Alice', 'write alice'],
  ['x', 'x:alice', 'write alice'],
  ['x', 'github:@octocat', 'use code:octocat'],
  ['x', 'gh/octocat', 'use code:octocat'],
  ['x', 'alice@example.com', 'use email:alice@example.com'],
  ['web', 'alice@example.com', 'use email:alice@example.com'],
  ['web', 'mailto:Alice@example.com', 'use email:alice@example.com'],
  ['email', 'mailto:alice@example.com', 'write alice@example.com'],
  ['email', 'https://t.me/durov', 'use telegram:durov'],
  ['code', 'https://discord.com/users/175928847299117063', 'use discord:175928847299117063'],
] as const)('%s points %j to its place: %s', (platform, receiver, advice) => {
  expect(detail(platform, receiver)?.endsWith(`; ${advice}`)).toBe(true);
});

test('advice is only given where following it would pass', () => {
  expect(detail('x', 'https://github.com/оctocat')).toContain('; wanted: an X handle');
  expect(detail('x', 'github:-a-')).toContain('; wanted: an X handle');
});

test('an error names the field that the caller sent', () => {
  expect(refusal('x', '', 'receivers[3].receiver').context.field).toBe('receivers[3].receiver');
});

test('a receiver of half a megabyte is refused at once with a short text', () => {
  const text = detail('web', '\uFDFA'.repeat(250_000));
  expect(text).toContain('has more than 512 characters');
  expect(text?.length).toBeLessThan(300);
});

test('a recipient is written platform:key, and an e-mail address is masked where others read along', () => {
  expect(formatRecipient(parseRecipient('x', '@Alice'))).toBe('x:alice');
  expect(formatRecipientForOthers(parseRecipient('x', '@Alice'))).toBe('x:alice');
  const email = parseRecipient('email', 'Alice@example.com');
  expect(formatRecipient(email)).toBe('email:alice@example.com');
  expect(formatRecipientForOthers(email)).toBe('email:a***@example.com');
});

const platforms = fc.constantFrom(...PLATFORM_NAMES);
const HOSTILE = 'aA1.-_@:/?#[]%\\"\'<>, \r\n\t\u0430\u202E\u200Bé\u0301\uD800。';
const hostileCharacters = fc.constantFrom(...HOSTILE.split(''));
const receivers = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(hostileCharacters, { maxLength: 40 }).map((characters) => characters.join('')),
  fc
    .tuple(
      fc.domain(),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.string({ unit: anyCharacter, maxLength: 10 }),
    )
    .map(([host, path, query]) => `https://${host}/${encodeURI(path)}?${encodeURIComponent(query)}`),
  fc.emailAddress(),
  fc.domain(),
);

function isFitToShow(outcome: Recipient | AppError): boolean {
  if (outcome instanceof AppError) return findHidden(outcome.context.detail ?? '') === null;
  const { key, display } = outcome;
  return /^[\x21-\x7E]{1,254}$/.test(key) && key === key.toLowerCase() && findHidden(display) === null;
}

test('any text is a recipient with a plain key, or a refusal that shows nothing hidden', () => {
  fc.assert(
    fc.property(platforms, receivers, (platform, receiver) => {
      expect(isFitToShow(attempt(platform, receiver))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

// Domains of four letters and more: `ru.com` is a public suffix.
test('a key, and what is displayed, read again give the same key', () => {
  const valid = fc.oneof(
    fc.tuple(fc.constant<Platform>('x'), fc.stringMatching(/^ *@?[A-Za-z0-9_]{1,15} *$/)),
    fc.tuple(fc.constant<Platform>('code'), fc.stringMatching(/^@?[A-Za-z0-9]{1,10}(-[A-Za-z0-9]{1,9}){0,2}$/)),
    fc.tuple(fc.constant<Platform>('email'), fc.stringMatching(/^[A-Za-z0-9+_-]{1,20}@[a-z0-9]{1,9}\.(com|de)$/)),
    fc.tuple(fc.constant<Platform>('web'), fc.stringMatching(/^(https?:\/\/)?[A-Za-zä0-9]{4,20}\.(com|DE)\.?\/?$/)),
  );
  fc.assert(
    fc.property(valid, ([platform, receiver]) => {
      const { key, display } = parseRecipient(platform, receiver);
      expect(parseRecipient(platform, key).key).toBe(key);
      expect(parseRecipient(platform, display)).toEqual({ platform, key, display });
    }),
  );
});

test('no other letter than its own case ever leads to a name: look-alikes cannot reach another person', () => {
  const handles = fc.constantFrom<Platform>('x', 'decsocial', 'code', 'photo');
  fc.assert(
    fc.property(handles, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), (platform, character) => {
      const receiver = `alic${character}`;
      const outcome = attempt(platform, receiver);
      const plain = receiver.normalize('NFKC').trim().toLowerCase();
      const isPlain = /^alic[\x21-\x7E]*$/.test(plain);
      expect(outcome instanceof AppError || (isPlain && outcome.key === plain)).toBe(true);
    }),
    { numRuns: 700 },
  );
});
