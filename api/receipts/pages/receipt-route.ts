import type { Context } from 'hono';
import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import type { Store } from '../../../db/store/store.ts';
import { toReceiptAnswer, versionOf } from '../answer.ts';
import type { Previews } from '../preview.ts';
import { readReceipt, type ShownReceipt } from '../read.ts';
import type { ReceiptStreams } from './stream.ts';
import type { ReceiptPlace, ReceiptView } from '../view.ts';
import { callerAddress } from '../../http/caller.ts';
import type { ApiEnv } from '../../http/env.ts';
import type { ProxyTrust } from '../../http/proxies.ts';
import { routeOf } from '../../http/route.ts';
import { preferredType } from '../../http/accept-header.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import { answerPage } from '../../../web/answer.ts';
import { readerOf } from '../../../web/language.ts';
import type { Site } from '../../../web/page.ts';
import { receiptPage } from './receipt-page.ts';

type ReceiptRoute = {
  store: Store;
  now: () => number;
  site: Site;
  place: ReceiptPlace;
  streams: ReceiptStreams;
  isTrustedProxy: ProxyTrust;
  previews: Previews;
  log: Logger;
};

/** 128 bits in base64url. */
const SLUG = /^[A-Za-z0-9_-]{22}$/;
const NO_RECEIPT = 'No receipt is known at this address.';

/** `GET /receipts/{slug}`: a page, JSON, or a live stream, as the Accept header asks. */
export async function answerReceipt(c: Context<ApiEnv>, route: ReceiptRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const shown = await receiptOf(c, route);
  const { view } = shown;
  const type = preferredType(c.req.header('Accept'), ['text/html', 'application/json', 'text/event-stream']);
  switch (type) {
    case 'application/json':
      return c.json(toReceiptAnswer(view));
    case 'text/event-stream':
      return answerStream(c, route, shown);
    case 'text/html':
    case null:
      return answerLetter(c, route, view);
  }
}

function answerLetter(c: Context<ApiEnv>, { site, now }: ReceiptRoute, view: ReceiptView): Promise<Response> {
  const reader = readerOf(c);
  return answerPage(c, { site, reader }, receiptPage(view, site.operator, { language: reader.language, nowMs: now() }));
}

/**
 * `GET /receipts/{slug}/preview.png`: what chats and social sites show beside a link to the receipt. They ask once and
 * keep what they get, so a receipt that is there always has a picture: the static one for what is late, and for callers
 * over their limit.
 */
export async function answerPreview(c: Context<ApiEnv>, route: ReceiptRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  if (c.get('overLimitSeconds') !== undefined) return answerStandIn(c, route);
  const view = await viewOf(c, route);
  if (view === null) return answerStandIn(c, route);
  const { etag, png } = route.previews.of(view);
  const isKnown = (c.req.header('If-None-Match') ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const picture = isKnown ? null : await png();
  if (!isKnown && picture === null) return answerStandIn(c, route);
  // Set once the picture exists, so that no cache keeps another under its name. Caches ask again each time.
  c.header('Cache-Control', 'no-cache');
  c.header('ETag', etag);
  if (picture === null) return c.body(null, 304);
  return c.body(new Uint8Array(picture), 200, { 'Content-Type': 'image/png' });
}

/** Null where we cannot look: chats would keep a failure for as long as a picture. */
async function viewOf(c: Context<ApiEnv>, route: ReceiptRoute): Promise<ReceiptView | null> {
  try {
    return (await receiptOf(c, route)).view;
  } catch (error) {
    if (error instanceof AppError) throw error;
    route.log.error(
      { err: error, requestId: c.get('requestId'), route: routeOf(c) },
      'a receipt was not read for its picture',
    );
    return null;
  }
}

function answerStandIn(c: Context<ApiEnv>, { previews }: ReceiptRoute): Response {
  return c.body(new Uint8Array(previews.standIn), 200, { 'Content-Type': 'image/png' });
}

/** The receipt that the address names. Throws AppError (404) where there is none. */
export async function receiptOf(
  c: Context<ApiEnv>,
  route: Pick<ReceiptRoute, 'store' | 'now' | 'place'>,
): Promise<ShownReceipt> {
  const slug = c.req.param('slug') ?? '';
  const shown = SLUG.test(slug) ? await readReceipt(route, route.place, slug) : null;
  if (shown === null) throw new AppError('not_found', { detail: NO_RECEIPT });
  return shown;
}

function answerStream(
  c: Context<ApiEnv>,
  { streams, isTrustedProxy }: ReceiptRoute,
  { slug, paymentId, view }: ShownReceipt,
): Response {
  const seen = c.req.header('Last-Event-ID') ?? null;
  // 204 tells an EventSource, which otherwise reconnects for ever, that the receipt is finished.
  if (view.isFinished && seen === versionOf(view)) return c.body(null, 204);
  c.header('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would otherwise collect events before they pass them on.
  c.header('X-Accel-Buffering', 'no');
  return c.body(streams.events({ slug, caller: callerAddress(c, isTrustedProxy), paymentId, seen }));
}
