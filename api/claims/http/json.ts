import type { ProxyTrust } from '../../http/proxies.ts';
import type { Context } from 'hono';
import { parseConfirmClaim, parseDeclineClaim, parseOpenClaim, parseProveClaim } from '../../../core/bodies/claims.ts';
import { AppError } from '../../../core/errors.ts';
import { callerAddress } from '../../http/caller.ts';
import type { Language } from '../../../core/languages.ts';
import { acceptedLanguage } from '../../../web/language.ts';
import type { ApiEnv } from '../../http/env.ts';
import { readJsonBody } from '../../http/read-body.ts';
import { isFinished, toClaimAnswer, toOpenedAnswer, toProofAnswer, versionOfClaim } from '../answer.ts';
import { ensureBrowser, openerOf, type BrowserDependencies } from './browser.ts';
import type { Claims, ClaimView, Opener, ProofStep } from '../claims.ts';
import { assertOwnOrigin } from '../../http/own-origin.ts';
import { isRefusalReason, refusalOf } from '../refuse.ts';
import type { ClaimStreams } from './stream.ts';

export type JsonDependencies = BrowserDependencies & {
  claims: Claims;
  streams: ClaimStreams;
  settings: { isTrustedProxy: ProxyTrust };
};

type Handler = (c: Context<ApiEnv>) => Promise<Response>;

/** What programs get at the addresses of claims, and where providers lead browsers back to. Each throws AppError. */
export function createClaimHandlers(dependencies: JsonDependencies) {
  const of =
    (answer: (c: Context<ApiEnv>, dependencies: JsonDependencies) => Promise<Response>): Handler =>
    (c) => {
      // Tokens and sums are for this caller, now.
      c.header('Cache-Control', 'no-store');
      return answer(c, dependencies);
    };
  return {
    open: of(answerOpen),
    prove: of(answerProof),
    resend: of(answerResend),
    confirm: of(answerConfirm),
    decline: of(answerDecline),
    read: of(answerRead),
    watch: of(answerWatch),
    callback: of(answerCallback),
  };
}

async function answerRead(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  return c.json(toClaimAnswer(await readView(c, dependencies)));
}

async function answerOpen(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { claims } = dependencies;
  const wanted = parseOpenClaim(await readPost(c, dependencies));
  const opener = ensureBrowser(c, dependencies);
  const callerIp = callerIpOf(c, dependencies, opener);
  return c.json(
    toOpenedAnswer(await claims.open({ ...wanted, receiptSlug: null, callerIp, language: languageOf(c) }, opener)),
    201,
  );
}

async function answerProof(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { claims } = dependencies;
  const body = parseProveClaim(await readPost(c, dependencies));
  const opener = knownOpener(c, dependencies);
  const before = await claims.read(idOf(c), opener);
  const step = before.status === 'verified' ? null : toStep(before, body);
  const view = step === null ? before : await claims.prove(before.claimId, step, opener);
  const token = view.status === 'verified' ? await claims.issueConfirmToken(view.claimId, opener) : null;
  return c.json(toProofAnswer(view, token));
}

function toStep(view: ClaimView, body: { code?: string; user_id?: string }): ProofStep | null {
  const { method } = view;
  switch (method) {
    case 'email':
      if (body.code !== undefined) return { method, code: body.code };
      throw new AppError('validation_failed', { field: 'code', detail: 'Give the code from the mail.' });
    case 'chat':
      if (body.user_id !== undefined) return { method, userId: body.user_id };
      throw new AppError('validation_failed', { field: 'user_id', detail: 'Give the id of whom the bot saw.' });
    case 'domain':
    case 'siwf':
      return { method };
    case 'oauth':
      assertSignedIn(view);
      return null;
  }
}

/** A sign-in comes back by its callback: this only reports that it has not, or how it ended. */
function assertSignedIn({ status, reason, steps }: ClaimView): void {
  if (status === 'expired') throw new AppError('claim_expired');
  if (status === 'rejected' && isRefusalReason(reason)) throw refusalOf(reason);
  if (status !== 'pending') return;
  const where = steps.oauth === undefined ? 'there' : `at ${steps.oauth.url}`;
  throw new AppError('claim_refused', { detail: `Nobody has signed in yet. Sign in ${where}, in this browser.` });
}

async function answerResend(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  await readPost(c, dependencies);
  const opener = knownOpener(c, dependencies);
  const callerIp = callerIpOf(c, dependencies, opener);
  return c.json(
    toClaimAnswer(await dependencies.claims.sendCodeAgain(idOf(c), opener, { ip: callerIp, language: languageOf(c) })),
  );
}

async function answerConfirm(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { confirm_token: token } = parseConfirmClaim(await readPost(c, dependencies));
  const opener = knownOpener(c, dependencies);
  return c.json(toClaimAnswer(await dependencies.claims.confirm(idOf(c), token, opener)));
}

async function answerDecline(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { confirm_token: token, opt_out: optOut = false } = parseDeclineClaim(await readPost(c, dependencies));
  const opener = knownOpener(c, dependencies);
  return c.json(toClaimAnswer(await dependencies.claims.decline(idOf(c), token, opener, { optOut })));
}

async function answerWatch(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { streams, settings } = dependencies;
  const opener = knownOpener(c, dependencies);
  const view = await readView(c, dependencies);
  const seen = c.req.header('Last-Event-ID') ?? null;
  // 204 tells an EventSource, which otherwise reconnects for ever, that the claim has ended.
  if (isFinished(view) && seen === versionOfClaim(view)) return c.body(null, 204);
  c.header('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would otherwise collect events before they pass them on.
  c.header('X-Accel-Buffering', 'no');
  return c.body(streams.events({ view, opener, caller: callerAddress(c, settings.isTrustedProxy), seen }));
}

/** The page of the claim shows the outcome, and the browser goes on there. */
async function answerCallback(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<Response> {
  const { claims, settings } = dependencies;
  const opener = openerOf(c, dependencies) ?? NO_BROWSER;
  const { pathname, search } = new URL(c.req.url);
  // Behind a proxy this server sees another host name than the one that the provider was given.
  const callbackUrl = `${settings.baseUrl}${pathname}${search}`;
  const view = await claims.finishOauth({ platform: c.req.param('platform') ?? '', callbackUrl }, opener);
  return c.redirect(`/claims/${view.claimId}`, 303);
}

/** A browser without a cookie of ours: it has opened nothing. */
const NO_BROWSER: Opener = { kind: 'browser', browserId: '' };

async function readView(c: Context<ApiEnv>, dependencies: JsonDependencies): Promise<ClaimView> {
  return dependencies.claims.read(idOf(c), knownOpener(c, dependencies));
}

function knownOpener(c: Context<ApiEnv>, dependencies: JsonDependencies): Opener {
  const opener = openerOf(c, dependencies);
  if (opener === null) throw new AppError('claim_not_found');
  return opener;
}

const idOf = (c: Context<ApiEnv>): string => c.req.param('id') ?? '';

/** Null for our bot, which speaks for many. */
function callerIpOf(c: Context<ApiEnv>, { settings }: JsonDependencies, opener: Opener): string | null {
  return opener.kind === 'bot' ? null : callerAddress(c, settings.isTrustedProxy);
}

/** A foreign page can make a browser send a body, but not one with the content type of JSON. */
async function readPost(c: Context<ApiEnv>, { settings }: JsonDependencies): Promise<unknown> {
  assertOwnOrigin(c, settings);
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) throw new AppError('unsupported_media_type');
  return readJsonBody(c.req.raw);
}

/** A program speaks for a person whose language it may name. */
function languageOf(c: Context<ApiEnv>): Language {
  return acceptedLanguage(c.req.header('Accept-Language')) ?? 'en';
}
