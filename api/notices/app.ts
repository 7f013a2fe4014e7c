import { Hono, type Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { setNoticesOff } from '../../db/identities/identities.ts';
import { stopAllWaiting } from '../../db/claims/stop-waiting.ts';
import type { NoticePageTexts } from '../../texts/notice-pages/en.ts';
import { NOTICE_PAGES } from '../../texts/notice-pages/languages.ts';
import { readerOf } from '../../web/language.ts';
import { findStopSecret, readHoldToken, readStopToken } from '../../db/notices/stop-token.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { answerFailure } from '../pages/error-page.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import type { Page, Site } from '../../web/page.ts';
import type { ApiEnv } from '../http/env.ts';
import { nameRequests } from '../environment/request-id.ts';
import { askPage, donePage, heldPage, holdPage, overPage } from './page.ts';

export type NoticesDependencies = Pick<ApiDependencies, 'store' | 'ids' | 'now' | 'log' | 'settings'>;

/**
 * `/notices/stop/{token}`, the link in mails about waiting money. GET changes nothing, because mail scanners follow
 * links; POST ends such mails for good. It comes from the page's button or, without any page, from a mail program (RFC
 * 8058), so it needs no cookie, no origin and no body. No answer shows whose link it is. `/notices/hold/{token}`, the link in
 * mails about what is to change with kept money, stops that in the same way.
 */
export function createNoticesApp(dependencies: NoticesDependencies): Hono<ApiEnv> {
  const { store, now, log, settings } = dependencies;
  const { baseUrl, localMode, operator } = settings;
  const site: Site = { baseUrl, isPlayMoney: localMode, operator, assets: createAssets('/assets') };
  const app = new Hono<ApiEnv>();
  app.use('/notices/*', nameRequests(dependencies));
  app.get('/notices/stop/:token', async (c) => {
    await identityOf(c, dependencies);
    return show(c, site, askPage);
  });
  app.post('/notices/stop/:token', async (c) => {
    await setNoticesOff(store, await identityOf(c, dependencies), now());
    return show(c, site, donePage);
  });
  app.get('/notices/hold/:token', async (c) =>
    show(c, site, (await holdOf(c, dependencies)).untilMs > now() ? holdPage : overPage),
  );
  app.post('/notices/hold/:token', async (c) => {
    const { identityId, untilMs } = await holdOf(c, dependencies);
    if (untilMs <= now()) return show(c, site, overPage);
    await stopAllWaiting(store, identityId, now());
    return show(c, site, heldPage);
  });
  app.all('/notices/:what{stop|hold}/:token', (c) => {
    c.header('Allow', 'GET, HEAD, POST');
    throw new AppError('method_not_allowed', { detail: 'This address takes GET and POST.' });
  });
  app.onError((error, c) => {
    if (error instanceof AppError) return answerFailure(c, site, error);
    // Its path holds a token that works.
    log.error({ err: error, requestId: c.get('requestId') }, 'a stop link failed unexpectedly');
    return answerFailure(c, site, new AppError('internal_error'));
  });
  return app;
}

/** What the link in a mail about kept money may stop, and until when. */
async function holdOf(c: Context<ApiEnv>, { store }: NoticesDependencies) {
  const secret = await findStopSecret(store);
  const hold = secret === null ? null : readHoldToken(secret, c.req.param('token') ?? '');
  if (hold !== null) return hold;
  throw new AppError('not_found', { detail: 'This link is not complete. Copy all of it out of the mail.' });
}

async function identityOf(c: Context<ApiEnv>, { store }: NoticesDependencies): Promise<string> {
  const secret = await findStopSecret(store);
  const identityId = secret === null ? null : readStopToken(secret, c.req.param('token') ?? '');
  if (identityId !== null) return identityId;
  throw new AppError('not_found', { detail: 'This link is not complete. Copy all of it out of the mail.' });
}

function show(c: Context<ApiEnv>, site: Site, page: (text: NoticePageTexts) => Page) {
  setPageHeaders(c, { isIndexed: false, formTargets: ["'self'"] });
  // Without the menu, whose links would hold the token.
  const reader = { ...readerOf(c), menu: [] };
  return answerPage(c, { site, reader }, page(NOTICE_PAGES[reader.language]));
}
