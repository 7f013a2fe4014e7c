import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../../core/errors.ts';
import type { RandomBytes } from '../../../core/ids.ts';
import { networkTitle } from '../../../core/networks.ts';
import { preferredType } from '../../http/accept-header.ts';
import { ensureRequestId, placeOf, siteOf, type PagesDependencies } from '../../pages/app.ts';
import { answerFailure } from '../../pages/error-page.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import type { ApiEnv } from '../../http/env.ts';
import { routeOf } from '../../http/route.ts';
import { ensureBrowser, openerOf } from './browser.ts';
import type { Claims } from '../claims.ts';
import {
  answerConfirmForm,
  answerDeclineForm,
  answerMailForm,
  answerOpenForm,
  answerProofForm,
  answerResendForm,
  readClaim,
  type FormContext,
} from './forms.ts';
import { assertOwnOrigin } from '../../http/own-origin.ts';
import {
  answerClaim,
  answerElsewhere,
  answerLostSignIn,
  answerMail,
  answerName,
  answerStart,
} from '../pages/answers.ts';
import type { ClaimOffers } from '../offers/page-context.ts';
import { createLetters } from '../offers/letters.ts';

type Handler = (c: Context<ApiEnv>) => Response | Promise<Response>;

/** What programs get at the same addresses, and the callback of sign-ins. */
export type ClaimHandlers = Readonly<
  Record<'open' | 'prove' | 'resend' | 'confirm' | 'decline' | 'read' | 'watch' | 'callback', Handler>
>;

export type ClaimsAppDependencies = PagesDependencies & {
  claims: Claims;
  handlers: ClaimHandlers;
  /** For the cookies of new visitors. */
  random: RandomBytes;
  claimOffers: Pick<ClaimOffers, 'keeps' | 'purseMaxMicroUsdc' | 'signInOrigin' | 'localPages'>;
};

/** More than the longest name and two addresses. */
const FORM_MAX_BYTES = 8 * 1024;

/**
 * Collecting, for people and programs: `/claim/…` are pages where it begins, `/claims/…` answer forms with pages and
 * JSON with JSON. Mount it at the root.
 */
export function createClaimsApp(dependencies: ClaimsAppDependencies): Hono<ApiEnv> {
  const { handlers } = dependencies;
  const pageContext = toFormContext(dependencies);
  const app = new Hono<ApiEnv>();
  app.get('/claim/:platform', (c) => answerName(c, pageContext));
  app.get('/claim/:platform/:handle', (c) => answerStart(c, pageContext));
  app.use('/claims', guardForm(dependencies));
  app.use('/claims/*', guardForm(dependencies));
  app.post('/claims', (c) => (isForm(c) ? answerOpenForm(c, pageContext) : handlers.open(c)));
  app.get('/claims/callback/:platform', (c) => answerCallback(c, pageContext, handlers));
  app.get('/claims/mail/:secret', (c) => {
    const question = { secret: c.req.param('secret'), opener: pageContext.openerOf(c), problem: null };
    return answerMail(c, pageContext, question);
  });
  app.post('/claims/mail/:secret', (c) => {
    if (!isForm(c)) throw new AppError('unsupported_media_type');
    return answerMailForm(c, pageContext);
  });
  app.all('/claims/mail/:secret', (c) => refuseMethod(c, 'GET, HEAD, POST'));
  app.get('/claims/:id', (c) => answerRead(c, pageContext, handlers));
  const actions = [
    ['proof', answerProofForm, handlers.prove],
    ['resend', answerResendForm, handlers.resend],
    ['confirm', answerConfirmForm, handlers.confirm],
    ['decline', answerDeclineForm, handlers.decline],
  ] as const;
  for (const [action, answerForm, answerJson] of actions) {
    app.post(`/claims/:id/${action}`, (c) => (isForm(c) ? answerForm(c, pageContext) : answerJson(c)));
    // The address of a page that showed an error: loading it again leads back to the claim.
    app.get(`/claims/:id/${action}`, (c) =>
      wantsPage(c) ? c.redirect(`/claims/${encodeURIComponent(c.req.param('id'))}`, 303) : refuseMethod(c, 'POST'),
    );
    app.all(`/claims/:id/${action}`, (c) => refuseMethod(c, 'POST'));
  }
  app.all('/claims', (c) => refuseMethod(c, 'POST'));
  for (const path of ['/claim/:platform', '/claim/:platform/:handle', '/claims/callback/:platform', '/claims/:id'])
    app.all(path, (c) => refuseMethod(c, 'GET, HEAD'));
  return withFailures(app, pageContext, dependencies);
}

function toFormContext(dependencies: ClaimsAppDependencies): FormContext {
  const { claims, settings, identity, claimOffers, networks, now } = dependencies;
  const place = placeOf(dependencies);
  return {
    claims,
    letters: createLetters(dependencies, place),
    site: siteOf(dependencies),
    now,
    claimTtlMs: settings.claimTtlMs,
    isTrustedProxy: settings.isTrustedProxy,
    openerOf: (c) => openerOf(c, dependencies),
    ensureBrowser: (c) => ensureBrowser(c, dependencies),
    offers: {
      ...claimOffers,
      platforms: identity.platforms,
      networks: networks.map(({ terms: { network, caip2 } }) => ({ network, title: networkTitle(network, caip2) })),
    },
  };
}

/** `GET /claims/{id}`: programs that name no type get JSON, as everywhere outside of pages. */
async function answerRead(c: Context<ApiEnv>, pageContext: FormContext, handlers: ClaimHandlers): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const type = preferredType(c.req.header('Accept'), ['application/json', 'text/html', 'text/event-stream']);
  if (type === 'text/event-stream') return handlers.watch(c);
  if (type !== 'text/html') return handlers.read(c);
  const opener = pageContext.openerOf(c);
  const view = opener && (await readClaim(pageContext, c.req.param('id') ?? '', opener));
  if (opener === null || view === null) return answerElsewhere(c, pageContext);
  return answerClaim(c, pageContext, { view, opener, problem: null });
}

/** Where a sign-in leads back to. One that matches no claim of this browser has no page to continue on. */
async function answerCallback(
  c: Context<ApiEnv>,
  pageContext: FormContext,
  handlers: ClaimHandlers,
): Promise<Response> {
  try {
    return await handlers.callback(c);
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && wantsPage(c)) return answerLostSignIn(c, pageContext, error);
    throw error;
  }
}

/** Any site can make a browser post a form to us, with its cookies. */
function guardForm({ settings }: ClaimsAppDependencies) {
  const limit = bodyLimit({
    maxSize: FORM_MAX_BYTES,
    onError: () => {
      throw new AppError('body_too_large', { detail: 'A form may have at most 8 KiB.' });
    },
  });
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (c.req.method !== 'POST' || !isForm(c)) return next();
    assertOwnOrigin(c, settings);
    return limit(c, next);
  });
}

function isForm(c: Context<ApiEnv>): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '');
}

function wantsPage(c: Context<ApiEnv>): boolean {
  return preferredType(c.req.header('Accept'), ['application/json', 'text/html']) === 'text/html';
}

function refuseMethod(c: Context<ApiEnv>, allowed: string): never {
  c.header('Allow', allowed);
  throw new AppError('method_not_allowed', { detail: `This address takes ${allowed}.` });
}

function withFailures(app: Hono<ApiEnv>, pageContext: FormContext, dependencies: ClaimsAppDependencies): Hono<ApiEnv> {
  app.onError((error, c) => {
    ensureRequestId(c, dependencies);
    if (error instanceof AppError) return answerFailure(c, pageContext.site, error);
    dependencies.log.error({ err: error, requestId: c.get('requestId'), route: routeOf(c) }, 'a claim failed');
    return answerFailure(c, pageContext.site, new AppError('internal_error'));
  });
  app.notFound((c) => {
    ensureRequestId(c, dependencies);
    return answerFailure(c, pageContext.site, new AppError('not_found'));
  });
  return app;
}
