import { describe, expect, test } from 'vitest';
import { toShownText } from '../../../api/receipts/strangers-text.ts';

describe('toShownText', () => {
  test.each([
    ['plain text stays', 'Thanks!', 'Thanks!'],
    ['line breaks become spaces', 'one\r\n\r\ntwo\u2028three\tfour', 'one two three four'],
    ['surrounding space goes', '  hi \n', 'hi'],
    ['a right-to-left override goes', 'photo\u202Egnp.exe', 'photognp.exe'],
    ['controls and zero-width spaces go', 'a\u0000b\u200Bc\uFEFFd\u001B[31m', 'abcd[31m'],
    ['lone surrogates go', 'a\uD800b', 'ab'],
    ['joined emoji stay joined', 'hi 👩‍👩‍👧', 'hi 👩‍👩‍👧'],
    ['right-to-left scripts stay', 'تحياتي', 'تحياتي'],
    ['stacked marks are thinned out', `e${'\u0301'.repeat(50)}`, `e${'\u0301'.repeat(3)}`],
    ['markup is text', '<b>&amp;</b>', '<b>&amp;</b>'],
  ])('%s', (_title, text, shown) => {
    expect(toShownText(text, 140)).toBe(shown);
  });

  test.each([
    ['nothing', ''],
    ['only space', ' \n\t'],
    ['only invisible characters', '\u200B\u202E\uFEFF'],
    ['only fillers', '\u3164\u2800\u115F'],
  ])('%s is no text', (_title, text) => {
    expect(toShownText(text, 140)).toBeNull();
  });

  test('a text of exactly the limit stays whole', () => {
    expect(toShownText('x'.repeat(140), 140)).toBe('x'.repeat(140));
  });

  test('a longer text is cut to the limit, the mark of the cut included', () => {
    const shown = toShownText('x'.repeat(141), 140);
    expect(shown).toBe(`${'x'.repeat(139)}…`);
  });

  test('characters outside the basic plane count as one and are never halved', () => {
    const shown = toShownText('😀'.repeat(200), 140) ?? '';
    expect(Array.from(shown)).toHaveLength(140);
    expect(shown).toBe(`${'😀'.repeat(139)}…`);
  });

  test('a cut leaves neither a space nor a joiner before its mark', () => {
    expect(toShownText('ab cd', 4)).toBe('ab…');
    expect(toShownText('ab\u200Dcd', 4)).toBe('ab…');
  });
});
