import decodeQR from 'qr/decode.js';
import type { Page } from 'playwright-core';

/** What a camera reads in a picture. The browser takes the PNG apart, on a page of its own that has no policy. */
export async function scan(page: Page, png: Buffer): Promise<string> {
  const blank = await page.context().newPage();
  const { width, height, pixels } = await blank.evaluate<{
    width: number;
    height: number;
    pixels: string;
  }>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0);
    const { data } = paint.getImageData(0, 0, image.width, image.height);
    let pixels = '';
    for (const byte of data) pixels += String.fromCharCode(byte);
    return { width: image.width, height: image.height, pixels: btoa(pixels) };
  })()`);
  await blank.close();
  return decodeQR({ width, height, data: Uint8Array.from(Buffer.from(pixels, 'base64')) });
}
