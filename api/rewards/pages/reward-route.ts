import type { Context } from 'hono';
import type { EventStreams } from '../../environment/event-stream.ts';
import type { ReceiptPlace } from '../../receipts/view.ts';
import { callerAddress } from '../../http/caller.ts';
import type { ApiEnv } from '../../http/env.ts';
import type { ProxyTrust } from '../../http/proxies.ts';
import { isOver, rewardPage } from './reward-page.ts';
import { showDistribution, toAnswer, type Reading, type ShownDistribution } from '../read.ts';
import { sharesCsv } from './shares-csv.ts';
import { versionOf } from './version.ts';
import { preferredType } from '../../http/accept-header.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import { answerPage } from '../../../web/answer.ts';
import { readerOf } from '../../../web/language.ts';
import type { Site } from '../../../web/page.ts';

type RewardRoute = {
  reading: Reading;
  site: Site;
  place: ReceiptPlace;
  streams: EventStreams;
  isTrustedProxy: ProxyTrust;
};

/** `GET /rewards/{order_id}`: a page, JSON, or a live stream, as the Accept header asks. */
export async function answerReward(c: Context<ApiEnv>, route: RewardRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const shown = await showDistribution(route.reading, c.req.param('order_id') ?? '');
  const type = preferredType(c.req.header('Accept'), ['text/html', 'application/json', 'text/event-stream']);
  switch (type) {
    case 'application/json':
      return c.json(toAnswer(route.site.baseUrl, shown));
    case 'text/event-stream':
      return answerStream(c, route, shown);
    case 'text/html':
    case null:
      return answerReader(c, route, shown);
  }
}

function answerReader(c: Context<ApiEnv>, { site, place }: RewardRoute, shown: ShownDistribution): Promise<Response> {
  const reader = readerOf(c);
  return answerPage(c, { site, reader }, rewardPage(shown, place, reader.language));
}

/** `GET /rewards/{order_id}/shares.csv` */
export async function answerShares(c: Context<ApiEnv>, { reading }: RewardRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const shown = await showDistribution(reading, c.req.param('order_id') ?? '');
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', `attachment; filename="shares-${shown.distribution.id}.csv"`);
  return c.body(sharesCsv(shown));
}

function answerStream(
  c: Context<ApiEnv>,
  { reading, site, streams, isTrustedProxy }: RewardRoute,
  shown: ShownDistribution,
): Response {
  const seen = c.req.header('Last-Event-ID') ?? null;
  // 204 tells an EventSource, which otherwise reconnects for ever, that the distribution is over.
  if (isOver(shown) && seen === versionOf(shown, site.baseUrl)) return c.body(null, 204);
  c.header('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would otherwise collect events before they pass them on.
  c.header('X-Accel-Buffering', 'no');
  const { id } = shown.distribution;
  // Before a payment there are no announcements: the stream then reads now and then.
  let listensTo = shown.payment?.id ?? id;
  const read = async () => {
    const now = await showDistribution(reading, id);
    listensTo = now.payment?.id ?? id;
    return { version: versionOf(now, site.baseUrl), answer: toAnswer(site.baseUrl, now), isFinished: isOver(now) };
  };
  const caller = callerAddress(c, isTrustedProxy);
  return c.body(streams.events({ caller, subject: `reward ${id}`, channel: () => listensTo, seen, read }));
}
