import type { ProxyTrust } from '../../http/proxies.ts';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Addresses, PayoutTarget } from '../../../core/claims/claims.ts';
import type { ClaimMethod } from '../../../core/platforms/row.ts';
import { AppError } from '../../../core/errors.ts';
import { addressFamily, eachNetwork, familyOf, NETWORKS, type Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { PROBLEMS } from '../../../texts/problems/problem.ts';
import { readerOf } from '../../../web/language.ts';
import type { ApiEnv } from '../../http/env.ts';
import { callerAddress } from '../../http/caller.ts';
import type { ClaimView, Opener, ProofStep } from '../claims.ts';
import {
  answerClaim,
  answerElsewhere,
  answerMail,
  answerSignIn,
  answerStartFor,
  platformOf,
  problemOf,
} from '../pages/answers.ts';
import type { PageContext } from '../offers/page-context.ts';
import { claimPath } from '../pages/wording.ts';

export type FormContext = PageContext & {
  isTrustedProxy: ProxyTrust;
  /** The caller, by its cookie; null without one of ours. */
  openerOf: (c: Context<ApiEnv>) => Opener | null;
  /** The same; a browser without a cookie gets one. */
  ensureBrowser: (c: Context<ApiEnv>) => Opener;
};

const FIELDS_MAX = 20;

const address = z.string().trim().max(200).default('');
/** A page that was loaded before has a field for each network. */
const formerFields = eachNetwork(() => address);

const payoutForm = z.object({
  choice: z.enum(['keep', 'open', 'address', 'decline']),
  address,
  /** Absent where the form of the address says it. */
  network: z.enum(NETWORKS).optional(),
  ...formerFields,
});
const openForm = payoutForm.extend({
  platform: z.string().max(40),
  handle: z.string().max(512),
  receipt: z.string().max(40).nullable().default(null),
  reader: z.string().max(100).nullable().default(null),
});
const proofForm = z.object({ code: z.string().max(100).default('') });
const tokenForm = z.object({ confirm_token: z.string().max(200).default(''), opt_out: z.literal('yes').optional() });

/** `POST /claims`: leads on to the proof, or back to the choice with what was wrong. */
export async function answerOpenForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  const { typed, fields } = await readForm(c, openForm);
  const { handle, receipt: receiptSlug, reader: readerToken } = fields;
  const platform = platformOf(fields.platform);
  const opener = pageContext.ensureBrowser(c);
  try {
    const recipient = parseRecipient(platform, handle, 'handle');
    const view = await pageContext.claims.open(
      {
        platform: recipient.platform,
        handle,
        payout: toPayout(fields, pageContext.offers),
        receiptSlug,
        readerToken,
        callerIp: callerAddress(c, pageContext.isTrustedProxy),
        language: readerOf(c).language,
      },
      opener,
    );
    return c.redirect(view.steps.oauth?.url ?? claimPath(view), 303);
  } catch (error) {
    const refused = toRefusal(c, error);
    const problem = problemOf(refused, typed, platform);
    if (fields.choice === 'open') return answerSignIn(c, pageContext, { platform, problem }, refused.status);
    const recipient = parseRecipient(platform, handle, 'handle');
    const question = { recipient, receiptSlug, readerToken, mailPath: null, problem };
    return answerStartFor(c, pageContext, question, refused.status);
  }
}

/** `POST /claims/mail/{secret}`: a claim of the browser in which the link of a mail was opened. */
export async function answerMailForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  const secret = c.req.param('secret') ?? '';
  const { typed, fields } = await readForm(c, payoutForm);
  const opener = pageContext.ensureBrowser(c);
  try {
    const payout = toPayout(fields, pageContext.offers);
    return c.redirect(
      claimPath(await pageContext.claims.openFromMail({ secret, payout, language: readerOf(c).language }, opener)),
      303,
    );
  } catch (error) {
    const refused = toRefusal(c, error);
    return answerMail(c, pageContext, { secret, opener, problem: problemOf(refused, typed) }, refused.status);
  }
}

type PayoutForm = z.infer<typeof payoutForm>;
type Offered = Pick<PageContext['offers'], 'networks'>;

function toPayout({ choice, address: typed, network, ...former }: PayoutForm, offers: Offered): PayoutTarget {
  if (choice === 'keep') return { keep: true };
  if (choice === 'open') return { open: true };
  if (choice === 'decline') return { decline: true };
  const given = NETWORKS.flatMap((name) => (former[name] === '' ? [] : [[name, former[name]]]));
  const pairs = given.length > 0 ? given : [[networkOf(typed, network, offers), typed]];
  return Object.fromEntries(pairs) as Addresses;
}

/**
 * The network that the form of the address says, or the chosen one of several that share this form: an address is meant on
 * one of them alone, because on another it may be nobody's. Throws AppError.
 */
function networkOf(typed: string, chosen: PayoutForm['network'], { networks }: Offered): Network {
  const refuse = (code: 'validation_failed' | 'invalid_payout_address', reason: string, detail: string) =>
    new AppError(code, { field: 'payout.address', detail, reason });
  const { noAddress, otherNetwork, addresses } = PROBLEMS.en;
  if (typed === '') throw refuse('validation_failed', 'no_address', noAddress);
  const family = addressFamily(typed);
  if (family === null) throw refuse('invalid_payout_address', 'not_an_address', addresses.not_an_address);
  // A choice is about networks of one family: an address of another one speaks for itself.
  const isChosen = chosen !== undefined && familyOf(chosen) === family;
  const meant = networks.find(({ network }) => (isChosen ? network === chosen : familyOf(network) === family));
  if (meant === undefined) throw refuse('invalid_payout_address', 'other_network', otherNetwork);
  return meant.network;
}

/** `POST /claims/{id}/proof`: the visitor typed a code, or reports a step done elsewhere. */
export function answerProofForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  return takeStep(c, pageContext, proofForm, async ({ code }, view, opener) => {
    const step = toStep(view.method, code);
    // A sign-in comes back by its callback, so there is nothing to do here.
    return step === null ? view : pageContext.claims.prove(view.claimId, step, opener);
  });
}

function toStep(method: ClaimMethod, code: string): ProofStep | null {
  if (method === 'email') return { method, code };
  return method === 'domain' || method === 'siwf' ? { method } : null;
}

/** `POST /claims/{id}/resend`. */
export function answerResendForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  return takeStep(c, pageContext, z.object({}), (_fields, view, opener) =>
    pageContext.claims.sendCodeAgain(view.claimId, opener, {
      ip: callerAddress(c, pageContext.isTrustedProxy),
      language: readerOf(c).language,
    }),
  );
}

/** `POST /claims/{id}/confirm`. */
export function answerConfirmForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  return takeStep(c, pageContext, tokenForm, (fields, view, opener) =>
    pageContext.claims.confirm(view.claimId, fields.confirm_token, opener),
  );
}

/** `POST /claims/{id}/decline`. */
export function answerDeclineForm(c: Context<ApiEnv>, pageContext: FormContext): Promise<Response> {
  return takeStep(c, pageContext, tokenForm, (fields, view, opener) =>
    pageContext.claims.decline(view.claimId, fields.confirm_token, opener, { optOut: fields.opt_out === 'yes' }),
  );
}

/** Every step ends on the page of the claim; a failed one shows the problem and what was typed. */
async function takeStep<Fields>(
  c: Context<ApiEnv>,
  pageContext: FormContext,
  schema: z.ZodType<Fields>,
  step: (fields: Fields, view: ClaimView, opener: Opener) => Promise<ClaimView>,
): Promise<Response> {
  const { typed, fields } = await readForm(c, schema);
  const opener = pageContext.openerOf(c);
  const view = opener && (await readClaim(pageContext, c.req.param('id') ?? '', opener));
  if (opener === null || view === null) return answerElsewhere(c, pageContext);
  try {
    return c.redirect(claimPath(await step(fields, view, opener)), 303);
  } catch (error) {
    const refused = toRefusal(c, error);
    // The step may have ended the claim, so the page shows the state after it.
    const now = (await readClaim(pageContext, view.claimId, opener)) ?? view;
    return answerClaim(c, pageContext, { view: now, opener, problem: problemOf(refused, typed) }, refused.status);
  }
}

/** What the page shows; anything else goes on up. Browsers and programs read from the header when to come again. */
function toRefusal(c: Context<ApiEnv>, error: unknown): AppError {
  if (!(error instanceof AppError)) throw error;
  const { retryAfterSeconds } = error.context;
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  return error;
}

/** Null for a claim that does not exist, or that another browser opened. */
export async function readClaim({ claims }: PageContext, claimId: string, opener: Opener): Promise<ClaimView | null> {
  try {
    return await claims.read(claimId, opener);
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}

/** The fields as they were typed, to be shown again, and as they are meant. Throws AppError. */
async function readForm<Fields>(c: Context<ApiEnv>, schema: z.ZodType<Fields>) {
  const typed = Object.fromEntries(await readFields(c));
  const parsed = schema.safeParse(typed);
  if (!parsed.success) throw new AppError('validation_failed', { detail: 'This form was not filled in on our page.' });
  return { typed, fields: parsed.data };
}

async function readFields(c: Context<ApiEnv>): Promise<[string, string][]> {
  let text: string;
  try {
    text = await c.req.text();
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The visitor hung up: not our failure, and nothing that may fill the log.
    throw new AppError('validation_failed', { detail: 'The form broke off.' });
  }
  const fields = [...new URLSearchParams(text)];
  if (fields.length <= FIELDS_MAX) return fields;
  throw new AppError('validation_failed', { detail: 'This form was not filled in on our page.' });
}
