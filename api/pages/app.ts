import { Hono, type Context, type ErrorHandler } from 'hono';
import { AppError } from '../../core/errors.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import { createEventStreams } from '../environment/event-stream.ts';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';
import { createPreviews, type Previews } from '../receipts/preview.ts';
import { createPictureFolder } from '../receipts/picture-folder.ts';
import { createReceiptStreams } from '../receipts/pages/stream.ts';
import type { StreamPlaces } from '../../queue/stream-places.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import { answerFailure } from './error-page.ts';
import { readerOf } from '../../web/language.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { serveSiteFiles } from './site-files.ts';
import { landingPage } from './landing-page.ts';
import { createLooks } from './status-page.ts';
import { mountTrustPages } from './trust-routes.ts';
import type { Site } from '../../web/page.ts';
import { answerPreview, answerReceipt, receiptOf } from '../receipts/pages/receipt-route.ts';
import { mountTipPages } from '../tip-pages/route.ts';
import { mountReports } from '../reports/mount.ts';
import { answerTakeBack } from '../receipts/pages/take-back-route.ts';
import { answerReward, answerShares } from '../rewards/pages/reward-route.ts';

/** What pages need of the API's dependencies. They ask no platform and check no proof. */
export type PagesDependencies = Pick<
  ApiDependencies,
  'store' | 'ids' | 'now' | 'log' | 'settings' | 'waitForChange'
> & {
  identity: Pick<ApiDependencies['identity'], 'platforms'>;
  networks: readonly Pick<ApiDependencies['networks'][number], 'terms' | 'seal'>[];
  /** Whether a limit is set for what is kept here. */
  collecting?: { offers: Pick<ApiDependencies['collecting']['offers'], 'purseMaxMicroUsdc'> };
};

/**
 * Pages for people: `/`, those about the service, `/receipts/{slug}` and its picture, `/rewards/{order_id}` and its shares, and their assets
 * under `/assets/`. Programs in foreign pages may read receipts and rewards only. Mount it at the root. It adds
 * nothing to other routes; only its answers carry its headers.
 */
export function createPagesApp(
  dependencies: PagesDependencies,
  places?: StreamPlaces,
  previews: Previews = previewsOf(dependencies, () => true),
): Hono<ApiEnv> {
  const { log, now, settings, store } = dependencies;
  const { isTrustedProxy } = settings;
  const site = siteOf(dependencies);
  const place = placeOf(dependencies);
  const streams = createReceiptStreams(dependencies, place, places);
  const receipts = { store, now, site, place, streams, isTrustedProxy, previews, log };
  const rewards = {
    reading: dependencies,
    site,
    place,
    streams: createEventStreams(dependencies, places),
    isTrustedProxy,
  };
  const app = new Hono<ApiEnv>();
  app.get('/assets/:version/:name', (c) => site.assets.answer(c) ?? answerUnknownAddress(c, dependencies, site));
  app.get('/', (c) => answerLanding(c, dependencies, site));
  serveSiteFiles(app);
  mountTrustPages(app, {
    site,
    claimTtlMs: settings.claimTtlMs,
    purseMaxMicroUsdc: dependencies.collecting?.offers.purseMaxMicroUsdc ?? null,
    looks: createLooks(
      dependencies,
      place.networks.map(({ network }) => network),
    ),
    networks: place.networks,
  });
  app.use('/receipts/*', allowAnyOrigin('GET, HEAD, OPTIONS'));
  app.get('/receipts/:slug', (c) => answerReceipt(c, receipts));
  app.get('/receipts/:slug/preview.png', (c) => answerPreview(c, receipts));
  app.get('/receipts/:slug/take-back', async (c) => answerTakeBack(c, receipts, (await receiptOf(c, receipts)).view));
  mountTipPages(app, {
    ...dependencies,
    site,
    isTrustedProxy,
    platforms: dependencies.identity.platforms.filter((platform) => platformRow(platform).http === 'public'),
  });
  mountReports(app, { ...dependencies, site, isTrustedProxy }, (c) => receiptOf(c, receipts));
  const rewardPaths = ['/rewards/:order_id', '/rewards/:order_id/shares.csv'];
  for (const path of rewardPaths) app.use(path, allowAnyOrigin('GET, HEAD, OPTIONS'));
  app.get('/rewards/:order_id', (c) => answerReward(c, rewards));
  app.get('/rewards/:order_id/shares.csv', (c) => answerShares(c, rewards));
  app.all('/', (c) => refuseMethod(c, 'GET, HEAD'));
  for (const path of ['/receipts/:slug', '/receipts/:slug/preview.png', '/receipts/:slug/take-back', ...rewardPaths])
    app.all(path, (c) => refuseMethod(c, 'GET, HEAD, OPTIONS'));
  app.onError((error, c) => {
    ensureRequestId(c, dependencies);
    if (error instanceof AppError) return answerFailure(c, site, error);
    dependencies.log.error(
      { err: error, requestId: c.get('requestId'), route: routeOf(c) },
      'a page failed unexpectedly',
    );
    return answerFailure(c, site, new AppError('internal_error'));
  });
  app.notFound((c) => answerUnknownAddress(c, dependencies, site));
  return app;
}

/** The pictures of receipts; those of this installation are kept in its folder. */
export function previewsOf(dependencies: PagesDependencies, isQuiet: () => boolean): Previews {
  const { store, log, now, settings } = dependencies;
  const folder = settings.picturesDir === null ? null : createPictureFolder(settings.picturesDir, now);
  return createPreviews({ store, now, log, place: placeOf(dependencies), folder, isQuiet });
}

/** For the outermost application: an unknown address is a page for people and the usual error for programs. */
export function createNotFound(dependencies: PagesDependencies): (c: Context<ApiEnv>) => Response | Promise<Response> {
  const site = siteOf(dependencies);
  return (c) => answerUnknownAddress(c, dependencies, site);
}

/** For what is refused before any application sees it: as above, and any origin may read why. */
export function createRefusal(dependencies: PagesDependencies): ErrorHandler<ApiEnv> {
  const site = siteOf(dependencies);
  return (error, c) => {
    ensureRequestId(c, dependencies);
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
    if (error instanceof AppError) return answerFailure(c, site, error);
    dependencies.log.error({ err: error, requestId: c.get('requestId') }, 'a request failed unexpectedly');
    return answerFailure(c, site, new AppError('internal_error'));
  };
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
  return { baseUrl, isPlayMoney: localMode, operator, assets: createAssets('/assets') };
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
  const reader = readerOf(c);
  return answerPage(c, { site, reader }, landingPage({ ...settings, platforms: identity.platforms }, reader.language));
}
