import { createHash } from 'node:crypto';
import { createShared } from '../../queue/by-key.ts';
import { createDrawPng, type DrawPng } from './preview-png.ts';
import { readPreviewFonts, toPreviewSvg } from './preview-svg.ts';
import type { ReceiptPlace, ReceiptView } from './view.ts';

/** About 60 kB each. The oldest goes first: a receipt is read most in the hours after its payment. */
const PICTURES_MAX = 128;
/** Part of every name; raised when the same SVG would be drawn differently. */
const DRAWING = 'resvg 1';

export type Preview = {
  /** The same for the same picture, in every process and after a restart. */
  etag: string;
  png: () => Promise<Uint8Array>;
};

/** Pictures of receipts, each drawn when first asked for and kept while there is room. */
export function createPreviews(
  { localMode }: Pick<ReceiptPlace, 'localMode'>,
  createDraw: (fonts: readonly Uint8Array[]) => DrawPng = createDrawPng,
): (view: ReceiptView) => Preview {
  const fonts = readPreviewFonts();
  const draw = createDraw(Object.values(fonts).map(({ bytes }) => bytes));
  const pictures = new Map<string, Uint8Array>();
  const { share } = createShared<string, Uint8Array>();

  /** A failure reaches the callers that waited for it, and is not kept. */
  async function drawAndKeep(name: string, svg: string): Promise<Uint8Array> {
    const picture = await draw(svg);
    pictures.set(name, picture);
    const [oldest] = pictures.keys();
    if (pictures.size > PICTURES_MAX && oldest !== undefined) pictures.delete(oldest);
    return picture;
  }

  return (view) => {
    const svg = toPreviewSvg(view, fonts, localMode);
    const name = createHash('sha256').update(`${DRAWING}\n${svg}`).digest('base64url').slice(0, 22);
    return { etag: `"${name}"`, png: async () => pictures.get(name) ?? share(name, () => drawAndKeep(name, svg)) };
  };
}
