import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { createRenderer, type Renderer } from '../../../api/receipts/preview-png.ts';
import { readPreviewFonts, toLetterSvg, toStaticSvg } from '../../../api/receipts/preview-svg.ts';

const FONTS = Object.values(readPreviewFonts()).map(({ bytes }) => bytes);
const svgWith = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="63"><rect width="120" height="63" fill="#fff"/>${content}</svg>`;

/** For all who need no other fonts or limits: a thread takes half a second to start. */
const shared = createRenderer(FONTS);

/** Draws what a caller waits for. */
function toDraw({ draw }: Renderer) {
  return async (svg: string): Promise<Uint8Array> => {
    const png = await draw(svg, 'asked');
    if (png === null) throw new Error('too many wait');
    return png;
  };
}

/** Each of the rectangles is blurred by itself, over sixteen million points. */
const ENDLESS = svgWith(
  `<filter id="f"><feGaussianBlur stdDeviation="150"/></filter>${'<rect width="120" height="63" filter="url(#f)"/>'.repeat(500)}`,
).replaceAll('width="120" height="63"', 'width="4000" height="4000"');

describe('a picture', () => {
  test('is a PNG in the size that the SVG says', async () => {
    const png = Buffer.from(await toDraw(shared)(svgWith('')));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([120, 63]);
  });

  test('has its text in each of the fonts, and each looks different', async () => {
    const draw = toDraw(shared);
    const text = (family: string) => draw(svgWith(`<text x="5" y="40" font-size="30" ${family}>alice</text>`));
    const pictures = [];
    for (const family of ['Literata', 'Inter', 'Inter Medium']) pictures.push(await text(`font-family="${family}"`));
    const inks = pictures.map(inkIn);
    expect(Math.min(...inks)).toBeGreaterThan(100);
    expect(new Set(inks).size).toBe(3);
  });

  test('takes no font of the machine: without any, nothing is written', async () => {
    const text = svgWith('<text x="5" y="40" font-size="30" font-family="DejaVu Sans">alice</text>');
    expect(inkIn(await toDraw(createRenderer([]))(text))).toBe(0);
    expect(inkIn(await toDraw(shared)(svgWith('<rect width="9" height="9"/>')))).toBe(81);
  });
});

describe('a picture that nobody has asked for', () => {
  const drawnIn = async (drawing: Promise<Uint8Array | null>, seen: string[], name: string) => {
    await drawing;
    seen.push(name);
  };

  test('waits while callers wait for payments, each by itself; one that is asked for does not', async () => {
    const looks: boolean[] = [];
    let isQuiet = false;
    const look = () => {
      looks.push(isQuiet);
      return isQuiet;
    };
    const { draw } = createRenderer(FONTS, { isQuiet: look, aheadWaitMaxMs: Infinity });
    const seen: string[] = [];
    const first = drawnIn(draw(svgWith(''), 'ahead'), seen, 'first');
    const second = drawnIn(draw(svgWith('<path d=""/>'), 'ahead'), seen, 'second');
    await drawnIn(draw(svgWith('<g/>'), 'asked'), seen, 'asked');
    isQuiet = true;
    await first;
    isQuiet = false;
    const before = looks.length;
    await vi.waitUntil(() => looks.length > before + 1, { timeout: 30_000 });
    expect(seen).toEqual(['asked', 'first']);
    isQuiet = true;
    await second;
  });

  test('is drawn where it is never quiet, later', async () => {
    const { draw } = createRenderer(FONTS, { isQuiet: () => false, aheadWaitMaxMs: 1 });
    expect(await draw(svgWith(''), 'ahead')).toBeInstanceOf(Uint8Array);
  });
});

const markSvg = () =>
  readFileSync(new URL('../../../web/assets/mark.svg', import.meta.url), 'utf8').replace(
    'viewBox',
    'width="64" height="64" viewBox',
  );

/** On the paper of the pages, because phones put black behind what is clear. */
const touchSvg = () => {
  const mark = markSvg().replace(/<\/?svg[^>]*>/g, '');
  const place = `<rect width="180" height="180" fill="#f6f1e7"/><g transform="translate(18 18) scale(4.5)">${mark}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180" viewBox="0 0 180 180">${place}</svg>`;
};

test.each([
  ['a receipt that is late', 'api/receipts/preview-static.png', () => toStaticSvg(readPreviewFonts())],
  ['a page without a picture of its own', 'api/receipts/preview-letter.png', () => toLetterSvg(readPreviewFonts())],
  ['the icon', 'api/pages/mark.png', markSvg],
  ['the icon of a home screen', 'api/pages/touch-icon.png', touchSvg],
])('the kept picture of %s is what its SVG draws', async (_name, path, toSvg) => {
  const drawn = await toDraw(shared)(toSvg());
  const kept = readFileSync(new URL(`../../../${path}`, import.meta.url));
  expect(kept.equals(Buffer.from(drawn))).toBe(true);
});

describe('limits', () => {
  test('a picture that takes too long is given up, and the next is drawn', async () => {
    const draw = toDraw(createRenderer(FONTS, { drawingMaxMs: 3_000 }));
    const endless = draw(ENDLESS);
    const next = draw(svgWith(''));
    await expect(endless).rejects.toThrow('a picture took more than 3000 ms to draw');
    expect((await next).byteLength).toBeGreaterThan(50);
  });

  test('a picture that cannot be drawn fails alone', async () => {
    const draw = toDraw(shared);
    const broken = draw('<svg');
    const next = draw(svgWith(''));
    await expect(broken).rejects.toThrow('the picture was not drawn');
    expect((await next).byteLength).toBeGreaterThan(50);
  });

  test('what finds too many waiting is not drawn; the others are', async () => {
    const { draw } = createRenderer(FONTS, { askedMax: 2 });
    const served = [draw(svgWith(''), 'asked'), draw(svgWith(''), 'asked'), draw(svgWith(''), 'asked')];
    expect(await draw(svgWith(''), 'asked')).toBeNull();
    expect((await Promise.all(served)).map((png) => png !== null)).toEqual([true, true, true]);
    expect(await draw(svgWith(''), 'asked')).not.toBeNull();
  });

  test('what a caller waits for is drawn before what is drawn ahead, also when it was to be drawn ahead itself', async () => {
    const { draw, hurry } = shared;
    const order: string[] = [];
    const want = async (name: string, when: 'asked' | 'ahead') => {
      await draw(svgWith(`<text>${name}</text>`), when);
      order.push(name);
    };
    const all = [want('first', 'asked'), want('ahead', 'ahead'), want('hurried', 'ahead'), want('asked', 'asked')];
    hurry(svgWith('<text>hurried</text>'));
    await Promise.all(all);
    expect(order).toEqual(['first', 'asked', 'hurried', 'ahead']);
  });
});

/** How many pixels are dark, of a PNG with eight bits for each of red, green, blue and opacity. */
function inkIn(bytes: Uint8Array): number {
  const png = Buffer.from(bytes);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([png[24], png[25]]).toEqual([8, 6]);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width * 4, height);
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) ink += 1;
  return ink;
}

/** Each row begins with how it is written: as it is, or as differences to the pixels before, above, or both. */
function unfiltered(rows: Buffer, rowBytes: number, height: number): Uint8Array {
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; x += 1) {
      const before = x < 4 ? 0 : (pixels[y * rowBytes + x - 4] ?? 0);
      const above = y === 0 ? 0 : (pixels[(y - 1) * rowBytes + x] ?? 0);
      const corner = x < 4 || y === 0 ? 0 : (pixels[(y - 1) * rowBytes + x - 4] ?? 0);
      const guesses = [0, before, above, (before + above) >> 1, paeth(before, above, corner)];
      pixels[y * rowBytes + x] = (rows[y * (rowBytes + 1) + 1 + x] ?? 0) + (guesses[filter ?? 0] ?? 0);
    }
  }
  return pixels;
}

function paeth(before: number, above: number, corner: number): number {
  const guess = before + above - corner;
  const [toBefore, toAbove, toCorner] = [before, above, corner].map((value) => Math.abs(guess - value));
  if (toBefore! <= toAbove! && toBefore! <= toCorner!) return before;
  return toAbove! <= toCorner! ? above : corner;
}
