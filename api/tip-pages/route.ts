import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppError } from '../../core/errors.ts';
import { findPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { TIP_PAGE_PLATFORMS } from '../../core/tip-pages/tip-pages.ts';
import { findTipPage } from '../../db/tip-pages/tip-pages.ts';
import { TIP_PAGES } from '../../texts/tip-page/languages.ts';
import { answerPage } from '../../web/answer.ts';
import { person } from '../../web/components/person.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { readerOf } from '../../web/language.ts';
import type { ApiEnv } from '../http/env.ts';
import { answerReport, answerReportForm, smallReport, type ReportRoute } from '../reports/route.ts';
import { badgeSvg } from './badge.ts';
import { sendPage, tipPage, type OwnPage, type Typed } from './page.ts';

export type TipPageRoutes = ReportRoute & {
  /** Those to which this installation sends, and anyone may. */
  platforms: readonly Platform[];
};

type Found = OwnPage & { identityId: string };

/** `/to`, `/to/{platform}/{name}`, its badge and its report. */
export function mountTipPages(app: Hono<ApiEnv>, routes: TipPageRoutes): void {
  const path = '/to/:platform/:name';
  app.get('/to', (c) => answerSendForm(c, routes, { platform: null, name: '' }));
  app.get(path, async (c) => {
    const found = await findPage(c, routes);
    if (found === null) return answerSendForm(c, routes, typedIn(c));
    setPageHeaders(c, { isIndexed: true, formTargets: ["'self'"] });
    const reader = readerOf(c);
    return answerPage(c, { site: routes.site, reader }, tipPage(found, reader.language));
  });
  app.get(`${path}/badge.svg`, (c) => answerBadge(c));
  app.get(`${path}/report`, async (c) => {
    const found = await pageOr404(c, routes);
    return answerReportForm(c, routes, (language) => reporting(found, routes, language));
  });
  app.post(`${path}/report`, smallReport, async (c) => {
    const found = await pageOr404(c, routes);
    const subject = { kind: 'page', subject: found.identityId, amountMicroUsdc: 0n } as const;
    return answerReport(c, routes, subject, (language) => reporting(found, routes, language));
  });
  for (const [address, allowed] of [
    ['/to', 'GET, HEAD'],
    [path, 'GET, HEAD'],
    [`${path}/badge.svg`, 'GET, HEAD'],
    [`${path}/report`, 'GET, HEAD, POST'],
  ] as const)
    app.all(address, (c) => {
      c.header('Allow', allowed);
      throw new AppError('method_not_allowed', { detail: `This address takes ${allowed}.` });
    });
}

function answerSendForm(c: Context<ApiEnv>, { site, platforms }: TipPageRoutes, typed: Typed) {
  setPageHeaders(c, { isIndexed: false, formTargets: ["'self'"] });
  const reader = readerOf(c);
  return answerPage(c, { site, reader }, sendPage(platforms, typed, reader.language));
}

/** The same for every name: it is asked for by other pages, which must learn nothing from it. */
function answerBadge(c: Context<ApiEnv>): Response {
  const { language } = readerOf(c);
  c.header('Cache-Control', 'public, max-age=3600');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  return c.body(badgeSvg(TIP_PAGES[language].badge), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
}

function reporting({ platform, key, path }: Found, { site }: TipPageRoutes, language: Parameters<typeof person>[1]) {
  const about = html`<strong>${person({ platform, key }, language)}</strong>`;
  return { kind: 'page' as const, path, about, operator: site.operator };
}

async function pageOr404(c: Context<ApiEnv>, routes: TipPageRoutes): Promise<Found> {
  const found = await findPage(c, routes);
  if (found === null) throw new AppError('not_found');
  return found;
}

async function findPage(c: Context<ApiEnv>, { store, now, platforms }: TipPageRoutes): Promise<Found | null> {
  const recipient = namedIn(c);
  if (recipient === null || !platforms.includes(recipient.platform)) return null;
  if (!TIP_PAGE_PLATFORMS.includes(recipient.platform)) return null;
  const page = await findTipPage(store, recipient, now());
  if (page === null) return null;
  const { platform, key } = recipient;
  return {
    platform,
    key,
    words: page.words,
    identityId: page.identityId,
    path: `/to/${platform}/${encodeURIComponent(key)}`,
  };
}

/** Null for what is no name there. */
function namedIn(c: Context<ApiEnv>): Recipient | null {
  const platform = findPlatform(c.req.param('platform') ?? '');
  if (platform === null) return null;
  try {
    return parseRecipient(platform, c.req.param('name') ?? '');
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function typedIn(c: Context<ApiEnv>): Typed {
  return { platform: findPlatform(c.req.param('platform') ?? ''), name: (c.req.param('name') ?? '').slice(0, 320) };
}
