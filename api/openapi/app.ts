import { Hono, type Context } from 'hono';
import { CATALOG_ROWS } from '../../core/catalog/operations.ts';
import type { NamedRow } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { answerPage } from '../../web/answer.ts';
import { siteOf, type PagesDependencies } from '../pages/app.ts';
import { answerError } from '../payments/answers.ts';
import type { ApiEnv } from '../http/env.ts';
import { toDiscovery, toLlmsText } from './discovery.ts';
import { docsPage } from './docs-page.ts';
import { createDocument } from './document.ts';

/** The descriptions are the same until the next start. */
const CACHED = 'public, max-age=300';

/** For programs anywhere, those in browsers included. */
const PUBLIC_PATHS = ['/openapi.json', '/.well-known/x402', '/llms.txt'] as const;

/**
 * `GET /openapi.json`, `/docs`, `/.well-known/x402` and `/llms.txt`. Mount it at the root, after the interface, so that
 * these routes get its request ids and headers too. Everything is written once and kept.
 */
export function createOpenApiApp(
  dependencies: PagesDependencies,
  rows: readonly NamedRow[] = CATALOG_ROWS,
): Hono<ApiEnv> {
  const { baseUrl, feeBps, feeFlat, paymentChallenges, operator } = dependencies.settings;
  const { platforms } = dependencies.identity;
  const terms = dependencies.networks.map((network) => network.terms);
  const challenged = dependencies.networks.flatMap(({ terms: { asset }, seal }) =>
    seal === undefined || paymentChallenges === false ? [] : [asset],
  );
  const input = { baseUrl, platforms, terms, feeBps, feeFlat, challenged, operator };
  const document = createDocument(input, rows);
  const site = siteOf(dependencies);
  const page = docsPage({ document, rows, platforms });
  const json = JSON.stringify(document);
  const discovery = JSON.stringify(toDiscovery(input, rows));
  const llms = toLlmsText(baseUrl);

  const app = new Hono<ApiEnv>();
  for (const path of PUBLIC_PATHS) app.use(path, allowAnyOrigin('GET, HEAD, OPTIONS'));
  app.get('/openapi.json', (c) => answerPublic(c, 'application/json', json));
  app.get('/.well-known/x402', (c) => answerPublic(c, 'application/json', discovery));
  app.get('/llms.txt', (c) => answerPublic(c, 'text/plain; charset=utf-8', llms));
  app.get('/docs', (c) => {
    setPageHeaders(c, { isIndexed: true });
    return answerPage(c, { site }, page);
  });
  for (const path of PUBLIC_PATHS) app.all(path, (c) => refuseMethod(c, 'GET, HEAD, OPTIONS'));
  app.all('/docs', (c) => refuseMethod(c, 'GET, HEAD'));
  return app;
}

function answerPublic(c: Context<ApiEnv>, type: string, body: string): Response {
  c.header('Cache-Control', CACHED);
  c.header('X-Content-Type-Options', 'nosniff');
  return c.body(body, 200, { 'Content-Type': type });
}

function refuseMethod(c: Context<ApiEnv>, allowed: string): Response {
  c.header('Allow', allowed);
  return answerError(c, new AppError('method_not_allowed', { detail: 'This address takes GET.' }));
}
