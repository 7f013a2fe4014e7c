import decodeQR from 'qr/decode.js';
import type { QrCode } from '../../../core/qr.ts';

const PIXELS = 4;
/** As `web/components/qr-figure.ts` draws them. */
const DRAWN = /<svg class="qr" viewBox="0 0 (\d+) \1".*?<path class="qr-ground".*?<path d="([^"]*)"/gs;

/** Paints the path as a browser would and reads the picture as a camera would. */
export function scanCode({ size, path }: QrCode): string {
  const width = size * PIXELS;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let dx = 0; dx < Number(length) * PIXELS; dx++) {
      for (let dy = 0; dy < PIXELS; dy++) {
        const pixel = (Number(y) * PIXELS + dy) * width + Number(x) * PIXELS + dx;
        data.set([0, 0, 0, 255], pixel * 4);
      }
    }
  }
  return decodeQR({ width, height: width, data });
}

/** What a camera reads in each code of a page. */
export function scanPage(html: string): string[] {
  return [...html.matchAll(DRAWN)].map(([, size, path = '']) => scanCode({ size: Number(size), path }));
}
