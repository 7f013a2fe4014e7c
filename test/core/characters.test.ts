import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeCharacter, findHidden, quoteText } from '../../core/characters.ts';
import { findConfusable, toSkeleton } from '../../core/confusables.ts';
import { anyCharacter } from './any-character.ts';

test.each([
  ['\u0430', "U+0430 CYRILLIC SMALL LETTER A, which looks like 'a'"],
  ['\u2013', "U+2013 EN DASH, which looks like '-'"],
  ['\u200B', 'U+200B ZERO WIDTH SPACE, an invisible character'],
  ['\u202E', 'U+202E RIGHT-TO-LEFT OVERRIDE, an invisible character'],
  ['\u{E0041}', 'U+E0041, an invisible character'],
  ['\uD800', 'U+D800, an invisible character'],
  ['\u0000', 'U+0000 NULL, an invisible character'],
  ['\u0301', 'U+0301, a combining mark'],
  ['é', "U+00E9 'é'"],
  [' ', 'a space'],
  ['!', "'!'"],
])('%j is named %s', (character, named) => {
  expect(describeCharacter(character)).toBe(named);
});

test('a quotation shows hidden characters as code points and ends after 80 characters', () => {
  expect(quoteText('al\u202Eice\r\n\uD800')).toBe('"alU+202EiceU+000DU+000AU+D800"');
  expect(quoteText('a'.repeat(80))).toBe(`"${'a'.repeat(80)}"`);
  expect(quoteText('a'.repeat(81))).toBe(`"${'a'.repeat(80)}…"`);
  expect(quoteText('😀'.repeat(81))).toBe(`"${'😀'.repeat(80)}…"`);
});

test('no quotation or description contains a hidden character, whatever came', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      expect(findHidden(quoteText(text))).toBeNull();
      for (const character of text) expect(findHidden(describeCharacter(character))).toBeNull();
    }),
  );
});

test.each(['alice', 'Bücher', 'пример', '例え', 'a b', 'שלום', '😀'])('%j has no hidden character', (text) => {
  expect(findHidden(text)).toBeNull();
});

test('a skeleton replaces look-alikes and nothing else', () => {
  expect(toSkeleton('\u0430\u0440\u0440l\u0435-bücher')).toBe('apple-bücher');
  expect(findConfusable('a')).toBeUndefined();
});
