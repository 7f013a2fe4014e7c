import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

const toText = (index: number) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count);

function toIndex(text: unknown): number {
  const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
  if (code < 0 || text !== String.fromCodePoint(code)) throw new Error('not one character');
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}

/**
 * Every character there is, as the unit of a `fc.string`. It is what `unit: 'binary'` means, but that one first writes down
 * all million of them, which takes two seconds in each process.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(toText, toIndex);
