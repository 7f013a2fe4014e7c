import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, ERRORS } from '../../../core/errors.ts';
import { findPlatform, type Platform } from '../../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../../core/platforms/recipient.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import { answerPage as answerWithPage } from '../../../web/answer.ts';
import type { Page } from '../../../web/page.ts';
import type { ApiEnv } from '../../http/env.ts';
import type { ClaimView, Opener } from '../claims.ts';
import { formTargets, type PageContext, type Problem } from '../offers/page-context.ts';
import { mailPath } from '../mail-code.ts';
import { elsewherePage, endedPage, lostSignInPage } from './ended-page.ts';
import { namePage } from './name-page.ts';
import { pendingPage } from './pending-page.ts';
import { progressPage } from './progress-page.ts';
import { startPage, type Start } from './start-page.ts';
import { verifiedPage } from './verified-page.ts';
import { startPath } from './wording.ts';

type Answer = Response | Promise<Response>;

/** `GET /claim/{platform}/{handle}`. */
export async function answerStart(c: Context<ApiEnv>, pageContext: PageContext): Promise<Response> {
  const platform = platformOf(c.req.param('platform'));
  const recipient = recipientOf(platform, c.req.param('handle') ?? '');
  const receiptSlug = c.req.query('receipt') ?? null;
  const readerToken = c.req.query('reader') ?? null;
  return answerStartFor(c, pageContext, { recipient, receiptSlug, readerToken, mailPath: null, problem: null });
}

export type StartQuestion = Omit<Start, 'letter'>;

export async function answerStartFor(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  { recipient, receiptSlug, ...question }: StartQuestion,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const letter = await pageContext.letters.find(receiptSlug, recipient);
  // Kept only where it opened a receipt: any other slug in the link goes no further.
  const start = { ...question, recipient, letter, receiptSlug: letter === null ? null : receiptSlug };
  return answerPage(c, pageContext, startPage(pageContext, start), { status, platform: recipient.platform });
}

/** `GET /claim/{platform}`: asks for the name, or goes on with the one that was typed. */
export async function answerName(c: Context<ApiEnv>, pageContext: PageContext): Promise<Response> {
  const platform = platformOf(c.req.param('platform'));
  const typed = c.req.query('handle');
  const receiptSlug = c.req.query('receipt') ?? null;
  const letter = await pageContext.letters.find(receiptSlug, { platform, key: null });
  const question = { platform, letter, receiptSlug: letter === null ? null : receiptSlug };
  if (typed === undefined) return answerPage(c, pageContext, namePage({ ...question, problem: null }), { platform });
  try {
    return c.redirect(startPath(parseRecipient(platform, typed, 'handle'), receiptSlug), 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = problemOf(error, { handle: typed });
    return answerPage(c, pageContext, namePage({ ...question, problem }), { status: error.status, platform });
  }
}

/** The current step of a claim, as a page for the visitor who opened it. */
export async function answerClaim(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  { view, opener, problem }: { view: ClaimView; opener: Opener; problem: Problem | null },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  // Its form may open another claim, which leads to where the person signs in.
  const platform = view.waitsForRoute === null ? {} : { platform: view.recipient.platform };
  return answerPage(c, pageContext, await pageOf(pageContext, view, opener, problem), { status, ...platform });
}

async function pageOf(
  pageContext: PageContext,
  view: ClaimView,
  opener: Opener,
  problem: Problem | null,
): Promise<Page> {
  switch (view.status) {
    case 'pending':
      return pendingPage(pageContext, view, problem);
    case 'verified':
      return lastLook(pageContext, view, opener, problem);
    case 'paying':
    case 'paid':
      return progressPage(pageContext, view, await pageContext.letters.ofLines(view.txnIds));
    case 'expired':
    case 'rejected':
      return endedPage(view);
  }
}

/** A second press may confirm the claim while this page is made: then the page shows the outcome. */
async function lastLook(
  pageContext: PageContext,
  view: ClaimView,
  opener: Opener,
  problem: Problem | null,
): Promise<Page> {
  try {
    return verifiedPage(view, await pageContext.claims.issueConfirmToken(view.claimId, opener), problem);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const now = await pageContext.claims.read(view.claimId, opener);
    if (now.status === 'verified') throw error;
    return pageOf(pageContext, now, opener, null);
  }
}

/** `GET /claims/mail/{secret}`: changes nothing, because mail programs and their guards open links by themselves. */
export async function answerMail(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  { secret, opener, problem }: { secret: string; opener: Opener | null; problem: Problem | null },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const mailbox = await pageContext.claims.mailboxOf(secret, opener);
  if (mailbox === null) {
    const text = 'This link is over, or it was used in another browser.';
    return answerPage(c, pageContext, lostSignInPage(text, '/claim/email'), { status: 404 });
  }
  const recipient = parseRecipient('email', mailbox);
  const start = { recipient, receiptSlug: null, readerToken: null, mailPath: mailPath(secret), problem };
  return answerStartFor(c, pageContext, start, status);
}

/** For a browser that did not open the claim, whether there is one or not. */
export function answerElsewhere(c: Context<ApiEnv>, pageContext: PageContext): Answer {
  return answerPage(c, pageContext, elsewherePage(beginningOf(c)), { status: 404 });
}

/** For a sign-in that came back to a browser which did not begin it. */
export function answerLostSignIn(c: Context<ApiEnv>, pageContext: PageContext, error: AppError): Answer {
  const platform = findPlatform(c.req.param('platform') ?? '');
  const start = platform === null ? '/' : `/claim/${platform}`;
  return answerPage(c, pageContext, lostSignInPage(problemOf(error).text, start), { status: error.status });
}

/** The name in the address of a claim's page. The visitor may have changed it, so nothing depends on it. */
function beginningOf(c: Context<ApiEnv>): { recipient: Recipient; receiptSlug: string | null } | null {
  const platform = findPlatform(c.req.query('platform') ?? '');
  if (platform === null) return null;
  try {
    const recipient = parseRecipient(platform, c.req.query('handle') ?? '');
    return { recipient, receiptSlug: c.req.query('receipt') ?? null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

export function problemOf(error: AppError, typed: Problem['typed'] = {}): Problem {
  const { detail, field } = error.context;
  return { text: detail ?? ERRORS[error.code].detail, field: field ?? null, typed };
}

/** A link that names no platform or no possible recipient is a wrong address, not a wrong form. */
export function platformOf(text: string | undefined): Platform {
  const platform = findPlatform(text ?? '');
  if (platform === null) throw new AppError('not_found', { detail: 'There is no such platform here.' });
  return platform;
}

function recipientOf(platform: Platform, handle: string): Recipient {
  try {
    return parseRecipient(platform, handle);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('not_found', { field: 'handle', detail: error.context.detail });
  }
}

type PageOptions = { status?: ContentfulStatusCode; platform?: Platform };

export function answerPage(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  page: Page,
  options: PageOptions = {},
): Answer {
  const { status = 200, platform } = options;
  const targets = platform === undefined ? ["'self'"] : formTargets(pageContext, platform);
  setPageHeaders(c, { isIndexed: false, formTargets: targets });
  return answerWithPage(c, pageContext, page, status);
}
