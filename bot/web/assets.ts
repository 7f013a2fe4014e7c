import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context } from 'hono';

/** What the bot's pages load, by name: nothing else can be asked for. Read once, at start. */
const FILES = {
  'chat.css': 'text/css; charset=utf-8',
  'chat.js': 'text/javascript; charset=utf-8',
  'elements.js': 'text/javascript; charset=utf-8',
  'feed.js': 'text/javascript; charset=utf-8',
  'log.js': 'text/javascript; charset=utf-8',
  'message.js': 'text/javascript; charset=utf-8',
  'outbox.js': 'text/javascript; charset=utf-8',
  'pay.css': 'text/css; charset=utf-8',
  'pay.js': 'text/javascript; charset=utf-8',
  'pay-wallets.js': 'text/javascript; charset=utf-8',
  'theme.css': 'text/css; charset=utf-8',
  'wallet.css': 'text/css; charset=utf-8',
  'wallet.js': 'text/javascript; charset=utf-8',
  'mark.svg': 'image/svg+xml',
} as const;

type Asset = { body: string; type: string; etag: string };

export function createAssets(): (context: Context) => Response {
  const assets = new Map<string, Asset>(Object.entries(FILES).map(([name, type]) => [name, readAsset(name, type)]));
  return (context) => {
    const asset = assets.get(context.req.param('name') ?? '');
    if (!asset) return context.json({ error: 'not_found' }, 404);
    // Asked for each time and mostly answered with 304, so that a new version is there at the next reload.
    const headers = { 'cache-control': 'no-cache', etag: asset.etag };
    if (context.req.header('if-none-match') === asset.etag) return context.body(null, 304, headers);
    return context.body(asset.body, 200, { ...headers, 'content-type': asset.type });
  };
}

function readAsset(name: string, type: string): Asset {
  const body = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` };
}
