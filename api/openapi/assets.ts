import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type DocsAsset = { path: string; type: string; body: string };
export type DocsAssets = { style: DocsAsset; script: DocsAsset };

/** What `/docs` loads beside what all pages do, each file under an address that holds its content's hash. */
export function readDocsAssets(): DocsAssets {
  return {
    style: readAsset('docs.css', 'text/css; charset=utf-8'),
    script: readAsset('docs.js', 'text/javascript; charset=utf-8'),
  };
}

function readAsset(file: string, type: string): DocsAsset {
  const body = readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/docs/${file.replace('.', `.${hash}.`)}`, type, body };
}
