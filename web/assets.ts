import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { takesGzip } from './compression.ts';

/** One style for all pages, so that a browser loads it once: first the tokens, which alone hold colours and type. */
const STYLES = ['tokens', 'kit', 'forms', 'letter', 'purse', 'chat', 'docs', 'console'] as const;

const SCRIPTS = [
  'page.js',
  'passkey.js',
  'address.js',
  'wallets.js',
  'pay.js',
  'take-back.js',
  'chat.js',
  'elements.js',
  'feed.js',
  'log.js',
  'message.js',
  'outbox.js',
  'docs.js',
] as const;
export type ScriptName = (typeof SCRIPTS)[number];
type AssetName = ScriptName | 'style.css' | 'mark.svg';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** What pages load. Addresses hold the content's version, so a browser may keep what it got for ever. */
export type Assets = {
  path: (name: AssetName) => string;
  /** Answers `{prefix}/:version/:name`; null for anything else than a file of this version. */
  answer: (c: Context) => Response | null;
};

type Asset = { type: string; body: string; compressed: Uint8Array<ArrayBuffer> | null };

/**
 * `prefix`: where the application that shows the pages serves them. Each role serves its own, because two processes may
 * run two versions. Scripts import each other by name, so the version is a folder.
 */
export function createAssets(prefix: string): Assets {
  const assets = readAssets();
  const contents = JSON.stringify([...assets].map(([name, { body }]) => [name, body]));
  const version = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  return {
    path: (name) => `${prefix}/${version}/${name}`,
    answer: (c) => {
      const asset = c.req.param('version') === version ? assets.get(c.req.param('name') ?? '') : undefined;
      return asset === undefined ? null : answerAsset(c, asset);
    },
  };
}

function readAssets(): Map<string, Asset> {
  const read = (file: string, folder = 'assets') =>
    readFileSync(new URL(`./${folder}/${file}`, import.meta.url), 'utf8');
  const bodies: [AssetName, string][] = [
    ['style.css', STYLES.map((name) => read(`${name}.css`, 'styles')).join('\n')],
    ...SCRIPTS.map((name): [AssetName, string] => [name, read(name)]),
    ['mark.svg', read('mark.svg')],
  ];
  return new Map(
    bodies.map(([name, body]) => [name, { type: TYPES[name.split('.')[1] ?? ''] ?? '', body, compressed: null }]),
  );
}

function answerAsset(c: Context, asset: Asset): Response {
  c.header('Content-Type', asset.type);
  c.header('Cache-Control', 'public, max-age=31536000, immutable');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Vary', 'Accept-Encoding');
  if (!takesGzip(c)) return c.body(asset.body);
  asset.compressed ??= new Uint8Array(gzipSync(asset.body, { level: 9 }));
  c.header('Content-Encoding', 'gzip');
  return c.body(asset.compressed);
}
