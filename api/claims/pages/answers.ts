import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError } from '../../../core/errors.ts';
import type { Language } from '../../../core/languages.ts';
import { claimMethodOf, findPlatform, type Platform } from '../../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../../core/platforms/recipient.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { problemText } from '../../../texts/problems/problem.ts';
import { setPageHeaders } from '../../../web/headers.ts';
import { readerOf } from '../../../web/language.ts';
import { answerPage as answerWithPage } from '../../../web/answer.ts';
import type { Page } from '../../../web/page.ts';
import type { ApiEnv } from '../../http/env.ts';
import type { ClaimView, Opener } from '../claims.ts';
import { canSignIn, formTargets, type PageContext, type Problem } from '../offers/page-context.ts';
import { mailPath } from '../mail-code.ts';
import { elsewherePage, endedPage, lostSignInPage } from './ended-page.ts';
import { mailSignInPage, namePage, signInPage } from './name-page.ts';
import { pendingPage } from './pending-page.ts';
import { progressPage } from './progress-page.ts';
import { startPage, type Start } from './start-page.ts';
import { verifiedPage } from './verified-page.ts';
import { claimPath, PURSE_PATH, signInPath, startPath } from './wording.ts';

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
  const { mailPath: linkPath } = question;
  const at = linkPath ?? startPath(recipient, start.receiptSlug, start.readerToken);
  const page = (language: Language) => startPage(pageContext, start, language);
  return answerPage(c, pageContext, page, { at, status, platform: recipient.platform });
}

/** `GET /claim/{platform}`: asks for the name, or goes on with the one that was typed. */
export async function answerName(c: Context<ApiEnv>, pageContext: PageContext): Promise<Response> {
  const platform = platformOf(c.req.param('platform'));
  if (c.req.query('for') === 'purse') return answerSignIn(c, pageContext, { platform, problem: null });
  const typed = c.req.query('handle');
  const receiptSlug = c.req.query('receipt') ?? null;
  const letter = await pageContext.letters.find(receiptSlug, { platform, key: null });
  const question = { platform, letter, receiptSlug: letter === null ? null : receiptSlug };
  const at = namePath(platform, question.receiptSlug);
  const ask = (problem: Problem | null) => (language: Language) => namePage({ ...question, problem }, language);
  if (typed === undefined) return answerPage(c, pageContext, ask(null), { at, platform });
  try {
    return c.redirect(startPath(parseRecipient(platform, typed, 'handle'), receiptSlug), 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = problemOf(error, { handle: typed }, platform);
    return answerPage(c, pageContext, ask(problem), { at, status: error.status, platform });
  }
}

/** Where signing in to kept money begins, with what was wrong with the name. */
export function answerSignIn(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  { platform, problem }: { platform: Platform; problem: Problem | null },
  status: ContentfulStatusCode = 200,
): Answer {
  if (!canSignIn(pageContext, platform) || claimMethodOf(platform) === 'chat') {
    throw new AppError('not_found', { detail: 'Nothing is kept here for such names.' });
  }
  const page = (language: Language) => signInPage(platform, problem, language);
  return answerPage(c, pageContext, page, { at: signInPath(platform), status, platform });
}

function namePath(platform: Platform, receiptSlug: string | null): string {
  const query = receiptSlug === null ? '' : `?${new URLSearchParams({ receipt: receiptSlug }).toString()}`;
  return `/claim/${platform}${query}`;
}

/** The current step of a claim, as a page for the visitor who opened it. */
export async function answerClaim(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  { view, opener, problem }: { view: ClaimView; opener: Opener; problem: Problem | null },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const isIn = 'open' in view.payout && (view.status === 'paying' || view.status === 'paid');
  if (isIn) return c.redirect(PURSE_PATH, 303);
  // Its form may open another claim, which leads to where the person signs in.
  const platform = view.waitsForRoute === null ? {} : { platform: view.recipient.platform };
  const page = (language: Language) => pageOf(pageContext, { view, opener, problem }, language);
  return answerPage(c, pageContext, page, { at: claimPath(view), status, ...platform });
}

type Shown = { view: ClaimView; opener: Opener; problem: Problem | null };

async function pageOf(pageContext: PageContext, shown: Shown, language: Language): Promise<Page> {
  const { view, problem } = shown;
  switch (view.status) {
    case 'pending':
      return pendingPage(pageContext, view, { problem, letter: await letterOf(pageContext, view), language });
    case 'verified':
      return lastLook(pageContext, shown, language);
    case 'paying':
    case 'paid':
      return progressOf(pageContext, view, language);
    case 'expired':
      if (view.returned !== null) return progressOf(pageContext, view, language);
      return endedPage(view, language, await letterOf(pageContext, view));
    case 'rejected':
      return endedPage(view, language, await letterOf(pageContext, view));
  }
}

/** The receipt that a claim was opened from. Signing in to what is kept collects nothing. */
async function letterOf({ letters }: PageContext, { payout, receiptSlug, recipient }: ClaimView) {
  return 'open' in payout ? null : letters.find(receiptSlug, recipient);
}

async function progressOf(pageContext: PageContext, view: ClaimView, language: Language): Promise<Page> {
  const receipts = await pageContext.letters.ofLines(view.txnIds);
  return progressPage(pageContext, view, { receipts, language });
}

/** A second press may confirm the claim while this page is made: then the page shows the outcome. */
async function lastLook(pageContext: PageContext, { view, opener, problem }: Shown, language: Language): Promise<Page> {
  try {
    const token = await pageContext.claims.issueConfirmToken(view.claimId, opener);
    return verifiedPage(view, token, { problem, language });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const now = await pageContext.claims.read(view.claimId, opener);
    if (now.status === 'verified') throw error;
    return pageOf(pageContext, { view: now, opener, problem: null }, language);
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
    const page = (language: Language) =>
      lostSignInPage(CLAIM_PAGES[language].linkOver, namePath('email', null), language);
    return answerPage(c, pageContext, page, { at: c.req.path, status: 404 });
  }
  const recipient = parseRecipient('email', mailbox);
  if (c.req.query('for') === 'purse') {
    const at = mailPath(secret, true);
    const page = (language: Language) => mailSignInPage({ recipient, path: at, problem }, language);
    return answerPage(c, pageContext, page, { at, status, platform: recipient.platform });
  }
  const start = { recipient, receiptSlug: null, readerToken: null, mailPath: mailPath(secret), problem };
  return answerStartFor(c, pageContext, start, status);
}

/** For a browser that did not open the claim, whether there is one or not. */
export function answerElsewhere(c: Context<ApiEnv>, pageContext: PageContext): Answer {
  const from = beginningOf(c);
  // The address of a form is shown as that of its claim: a link can only ask for that one.
  const at = `/claims/${c.req.param('id') ?? ''}${new URL(c.req.url).search}`;
  return answerPage(c, pageContext, (language) => elsewherePage(from, language), { at, status: 404 });
}

/** For a sign-in that came back to a browser which did not begin it. */
export function answerLostSignIn(c: Context<ApiEnv>, pageContext: PageContext, error: AppError): Answer {
  const platform = findPlatform(c.req.param('platform') ?? '');
  const start = platform === null ? '/' : namePath(platform, null);
  const page = (language: Language) => lostSignInPage(problemText(error, language), start, language);
  return answerPage(c, pageContext, page, { at: start, status: error.status });
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

export function problemOf(error: AppError, typed: Problem['typed'] = {}, platform: Platform | null = null): Problem {
  return { text: (language) => problemText(error, language, platform), field: error.context.field ?? null, typed };
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

/** `at`: where a link finds the page again, in another language. */
type PageOptions = { at: string; status?: ContentfulStatusCode; platform?: Platform };

async function answerPage(
  c: Context<ApiEnv>,
  pageContext: PageContext,
  page: (language: Language) => Page | Promise<Page>,
  { at, status = 200, platform }: PageOptions,
): Promise<Response> {
  const targets = platform === undefined ? ["'self'"] : formTargets(pageContext, platform);
  setPageHeaders(c, { isIndexed: false, formTargets: targets });
  const reader = readerOf(c, null, at);
  return answerWithPage(c, { site: pageContext.site, reader }, await page(reader.language), status);
}
