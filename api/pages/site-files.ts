import { readFileSync } from 'node:fs';
import type { Context, Hono } from 'hono';
import { PREVIEW_PATH } from '../../web/page.ts';
import type { ApiEnv } from '../http/env.ts';

/** A day: these change with the program only. */
const CACHED = 'public, max-age=86400';

/**
 * Receipts, rewards and claims are open here: what previews a link asks as a robot, and these pages say themselves that
 * they are not to be listed. Closed is what only its own browser can use.
 */
const ROBOTS = 'User-agent: *\nDisallow: /claims/\nDisallow: /purse\nDisallow: /to/*/*/report\n';

/** What browsers, link previews and indexes ask of any host: `/favicon.ico`, `/apple-touch-icon.png`, `/preview.png` and `/robots.txt`. */
export function serveSiteFiles(app: Hono<ApiEnv>): void {
  const read = (path: string) => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url)));
  const icon = toIcon(read('api/pages/mark.png'));
  const picture = read('api/receipts/preview-letter.png');
  const touchIcon = read('api/pages/touch-icon.png');
  app.get('/favicon.ico', (c) => answerFile(c, icon, 'image/x-icon'));
  // Phones ask for either where a page is put beside their apps.
  for (const path of ['/apple-touch-icon.png', '/apple-touch-icon-precomposed.png'])
    app.get(path, (c) => answerFile(c, touchIcon, 'image/png'));
  app.get(PREVIEW_PATH, (c) => answerFile(c, picture, 'image/png'));
  app.get('/robots.txt', (c) => answerFile(c, new TextEncoder().encode(ROBOTS), 'text/plain; charset=utf-8'));
}

function answerFile(c: Context<ApiEnv>, bytes: Uint8Array<ArrayBuffer>, type: string): Response {
  c.header('Cache-Control', CACHED);
  c.header('X-Content-Type-Options', 'nosniff');
  return c.body(bytes, 200, { 'Content-Type': type });
}

const ICON_SIZE = 64;
const HEADER_BYTES = 22;

/** An ICO file around one PNG: six bytes of header, sixteen of directory. */
function toIcon(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const icon = new Uint8Array(HEADER_BYTES + png.length);
  const view = new DataView(icon.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, 1, true);
  view.setUint8(6, ICON_SIZE);
  view.setUint8(7, ICON_SIZE);
  view.setUint16(10, 1, true);
  view.setUint16(12, 32, true);
  view.setUint32(14, png.length, true);
  view.setUint32(18, HEADER_BYTES, true);
  icon.set(png, HEADER_BYTES);
  return icon;
}
