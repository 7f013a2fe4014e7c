import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Store } from '../../../db/store/store.ts';
import { toReceiptAnswer, versionOf } from '../answer.ts';
import type { Preview } from '../preview.ts';
import { readReceipt, type ShownReceipt } from '../read.ts';
import type { ReceiptStreams } from './stream.ts';
import type { ReceiptPlace, ReceiptView } from '../view.ts';
import type { ApiEnv } from '../../http/env.ts';
import { preferredType } from '../../http/accept-header.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { renderPage, type Site } from '../../web/page.ts';
import { receiptPage } from './receipt-page.ts';

type ReceiptRoute = {
  store: Store;
  site: Site;
  place: ReceiptPlace;
  streams: ReceiptStreams;
  previewOf: (view: ReceiptView) => Preview;
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
      return c.html(renderPage(route.site, receiptPage(view)));
  }
}

/** `GET /receipts/{slug}/preview.png`: what chats and social sites show beside a link to the receipt. */
export async function answerPreview(c: Context<ApiEnv>, route: ReceiptRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const { view } = await receiptOf(c, route);
  const { etag, png } = route.previewOf(view);
  const isKnown = (c.req.header('If-None-Match') ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const body = isKnown ? null : new Uint8Array(await png());
  // Set once the picture exists, so that no cache keeps a failure under its name. Caches ask again each time.
  c.header('Cache-Control', 'no-cache');
  c.header('ETag', etag);
  if (body === null) return c.body(null, 304);
  return c.body(body, 200, { 'Content-Type': 'image/png' });
}

async function receiptOf(c: Context<ApiEnv>, { store, place }: ReceiptRoute): Promise<ShownReceipt> {
  const slug = c.req.param('slug') ?? '';
  const shown = SLUG.test(slug) ? await readReceipt(store, place, slug) : null;
  if (shown === null) throw new AppError('not_found', { detail: NO_RECEIPT });
  return shown;
}

function answerStream(
  c: Context<ApiEnv>,
  { streams }: ReceiptRoute,
  { slug, paymentId, view }: ShownReceipt,
): Response {
  const seen = c.req.header('Last-Event-ID') ?? null;
  // 204 tells an EventSource, which otherwise reconnects for ever, that the receipt is finished.
  if (view.isFinished && seen === versionOf(view)) return c.body(null, 204);
  if (streams.isFull()) {
    const detail = 'Too many receipts are watched right now; ask for JSON now and then instead.';
    throw new AppError('rate_limited', { detail, retryAfterSeconds: 30 });
  }
  c.header('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would otherwise collect events before they pass them on.
  c.header('X-Accel-Buffering', 'no');
  return c.body(streams.events({ slug, paymentId, seen }));
}
