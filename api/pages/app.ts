import { Hono, type Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import { createEventStreams } from '../environment/event-stream.ts';
import type { ApiEnv } from '../http/env.ts';
import { createPreviews } from '../receipts/preview.ts';
import { createReceiptStreams } from '../receipts/pages/stream.ts';
import { readAssets, serveAssets } from '../web/assets.ts';
import { answerFailure } from './error-page.ts';
import { setPageHeaders } from '../web/headers.ts';
import { landingPage } from './landing-page.ts';
import { renderPage, type Site } from '../web/page.ts';
import { answerPreview, answerReceipt } from '../receipts/pages/receipt-route.ts';
import { answerReward, answerShares } from '../rewards/pages/reward-route.ts';

/** What pages need of the API's dependencies. They ask no platform and check no proof. */
export type PagesDependencies = Pick<
  ApiDependencies,
  'store' | 'ids' | 'now' | 'log' | 'settings' | 'waitForChange'
> & {
  identity: Pick<ApiDependencies['identity'], 'platforms'>;
  networks: readonly Pick<ApiDependencies['networks'][number], 'terms'>[];
};

/**
 * Pages for people: `/`, `/receipts/{slug}` and its picture, `/rewards/{order_id}` and its shares, and their assets
 * under `/assets/pages/`. Programs in foreign pages may read receipts and rewards only. Mount it at the root. It adds
 * nothing to other routes; only its answers carry its headers.
 */
export function createPagesApp(dependencies: PagesDependencies): Hono<ApiEnv> {
  const site = siteOf(dependencies);
  const place = placeOf(dependencies);
  const streams = createReceiptStreams(dependencies, place);
  const receipts = { store: dependencies.store, site, place, streams, previewOf: createPreviews(place) };
  const rewards = { reading: dependencies, site, place, streams: createEventStreams(dependencies) };
  const app = new Hono<ApiEnv>();
  serveAssets(app, site.assets);
  app.get('/', (c) => answerLanding(c, dependencies, site));
  app.use('/receipts/*', allowAnyOrigin('GET, HEAD, OPTIONS'));
  app.get('/receipts/:slug', (c) => answerReceipt(c, receipts));
  app.get('/receipts/:slug/preview.png', (c) => answerPreview(c, receipts));
  const rewardPaths = ['/rewards/:order_id', '/rewards/:order_id/shares.csv'];
  for (const path of rewardPaths) app.use(path, allowAnyOrigin('GET, HEAD, OPTIONS'));
  app.get('/rewards/:order_id', (c) => answerReward(c, rewards));
  app.get('/rewards/:order_id/shares.csv', (c) => answerShares(c, rewards));
  app.all('/', (c) => refuseMethod(c, 'GET, HEAD'));
  for (const path of ['/receipts/:slug', '/receipts/:slug/preview.png', ...rewardPaths])
    app.all(path, (c) => refuseMethod(c, 'GET, HEAD, OPTIONS'));
  app.onError((error, c) => {
    ensureRequestId(c, dependencies);
    if (error instanceof AppError) return answerFailure(c, site, error);
    dependencies.log.error(
      { err: error, requestId: c.get('requestId'), path: c.req.path },
      'a page failed unexpectedly',
    );
    return answerFailure(c, site, new AppError('internal_error'));
  });
  app.notFound((c) => answerUnknownAddress(c, dependencies, site));
  return app;
}

/** For the outermost application: an unknown address is a page for people and the usual error for programs. */
export function createNotFound(dependencies: PagesDependencies): (c: Context<ApiEnv>) => Response | Promise<Response> {
  const site = siteOf(dependencies);
  return (c) => answerUnknownAddress(c, dependencies, site);
}

function answerUnknownAddress(
  c: Context<ApiEnv>,
  dependencies: PagesDependencies,
  site: Site,
): Response | Promise<Response> {
  ensureRequestId(c, dependencies);
  return answerFailure(c, site, new AppError('not_found'));
}

export function siteOf({ settings }: PagesDependencies): Site {
  const { baseUrl, localMode, operator } = settings;
  return { baseUrl, localMode, operator, assets: readAssets() };
}

export function placeOf({ settings, networks }: PagesDependencies) {
  const { baseUrl, localMode } = settings;
  return { baseUrl, localMode, networks: networks.map(({ terms }) => terms) };
}

/** Set by the application around this one; a failure must be nameable without it too. */
export function ensureRequestId(c: Context<ApiEnv>, { ids }: Pick<PagesDependencies, 'ids'>): void {
  if (c.get('requestId') !== undefined) return;
  c.set('requestId', ids.requestId());
  c.header('X-Request-Id', c.get('requestId'));
}

function refuseMethod(c: Context<ApiEnv>, allowed: string): never {
  c.header('Allow', allowed);
  throw new AppError('method_not_allowed', { detail: 'This address takes GET.' });
}

function answerLanding(c: Context<ApiEnv>, { settings, identity }: PagesDependencies, site: Site) {
  setPageHeaders(c, { isIndexed: true });
  return c.html(renderPage(site, landingPage({ ...settings, platforms: identity.platforms })));
}
