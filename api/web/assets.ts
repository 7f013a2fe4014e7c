import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import type { ApiEnv } from '../http/env.ts';

export type Asset = { path: string; type: string; body: string };

/** What pages load, each file under an address that holds its content's hash: it may be kept for ever. */
export type Assets = {
  pageStyle: Asset;
  receiptStyle: Asset;
  rewardStyle: Asset;
  formStyle: Asset;
  script: Asset;
  walletScript: Asset;
  mark: Asset;
};

export function readAssets(): Assets {
  return {
    pageStyle: readAsset('page', 'css', 'text/css; charset=utf-8'),
    receiptStyle: readAsset('receipt', 'css', 'text/css; charset=utf-8'),
    rewardStyle: readAsset('reward', 'css', 'text/css; charset=utf-8'),
    formStyle: readAsset('form', 'css', 'text/css; charset=utf-8'),
    script: readAsset('page', 'js', 'text/javascript; charset=utf-8'),
    walletScript: readAsset('wallet', 'js', 'text/javascript; charset=utf-8'),
    mark: readAsset('mark', 'svg', 'image/svg+xml'),
  };
}

function readAsset(name: string, extension: string, type: string): Asset {
  const body = readFileSync(new URL(`./assets/${name}.${extension}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/pages/${name}.${hash}.${extension}`, type, body };
}

export function serveAssets(app: Hono<ApiEnv>, assets: Assets): void {
  for (const { path, type, body } of Object.values(assets)) {
    app.get(path, (c) => {
      c.header('Content-Type', type);
      c.header('Cache-Control', 'public, max-age=31536000, immutable');
      c.header('X-Content-Type-Options', 'nosniff');
      return c.body(body);
    });
  }
}
