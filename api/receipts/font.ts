import { readFileSync } from 'node:fs';

/** A font file beside this one, and how wide text is in it: pictures are laid out without a browser. */
export type Font = {
  bytes: Uint8Array;
  /** Without kerning, which only ever makes it a little narrower. */
  widthOf: (text: string, size: number) => number;
  has: (character: string) => boolean;
};

export function readFont(file: string): Font {
  const bytes = readFileSync(new URL(`./fonts/${file}`, import.meta.url));
  const tables = readTables(bytes);
  const unitsPerEm = tables('head').readUInt16BE(18);
  const advanceOf = readAdvances(tables('hhea').readUInt16BE(34), tables('hmtx'));
  const glyphs = readGlyphs(tables('cmap'));
  const glyphOf = (character: string) => glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
  return {
    bytes,
    widthOf(text, size) {
      const units = Array.from(text).reduce((sum, character) => sum + advanceOf(glyphOf(character)), 0);
      return (units * size) / unitsPerEm;
    },
    has: (character) => glyphOf(character) !== 0,
  };
}

/** The OpenType directory: twelve bytes, then a row of sixteen for each table. */
function readTables(file: Buffer): (tag: string) => Buffer {
  return (tag) => {
    for (let index = 0; index < file.readUInt16BE(4); index += 1) {
      const row = 12 + index * 16;
      if (file.toString('latin1', row, row + 4) !== tag) continue;
      const start = file.readUInt32BE(row + 8);
      return file.subarray(start, start + file.readUInt32BE(row + 12));
    }
    throw new Error(`the font has no table "${tag}"`);
  };
}

/** Glyphs beyond the last one with a width of its own share that one's. */
function readAdvances(count: number, hmtx: Buffer): (glyph: number) => number {
  return (glyph) => hmtx.readUInt16BE(Math.min(glyph, count - 1) * 4);
}

/** Code points to glyphs, from the table of segments that every font has for the basic plane (cmap format 4). */
function readGlyphs(cmap: Buffer): ReadonlyMap<number, number> {
  const table = findSegments(cmap);
  const length = table.readUInt16BE(6);
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < length; segment += 2) {
    const end = table.readUInt16BE(14 + segment);
    const start = table.readUInt16BE(16 + length + segment);
    const delta = table.readUInt16BE(16 + 2 * length + segment);
    const offsetAt = 16 + 3 * length + segment;
    const offset = table.readUInt16BE(offsetAt);
    for (let code = start; code <= end; code += 1) {
      // An offset counts from its own place into the list of glyphs behind the four columns.
      const listed = offset === 0 ? code : table.readUInt16BE(offsetAt + offset + (code - start) * 2);
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
  return glyphs;
}

function findSegments(cmap: Buffer): Buffer {
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    if (table.readUInt16BE(0) === 4) return table;
  }
  throw new Error('the font has no table of segments (cmap format 4)');
}
