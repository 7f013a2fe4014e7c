import { z } from 'zod';
import type { PayoutTarget } from '../claims/claims.ts';
import { AppError } from '../errors.ts';
import { eachNetwork, networkTitle, type Network } from '../networks.ts';
import { parseBody } from './fields.ts';

/** Longer than an address of any network. Its chain checks whether it is one. */
const ADDRESS_LENGTH_MAX = 100;
/** Room for the spaces and hyphens that people type between digits. */
const CODE_LENGTH_MAX = 40;
/** Our tokens have 43 characters. */
const TOKEN_LENGTH_MAX = 100;

const address = z.string().trim().min(1).max(ADDRESS_LENGTH_MAX);

const addressOn = (network: Network) =>
  address.optional().meta({ description: `an address on ${networkTitle(network, null)}` });

/** Strict: a body with two payout choices is refused, because we cannot know which one is meant. */
export const payoutField = z.union([
  z.strictObject(eachNetwork(addressOn)),
  z.strictObject({ keep: z.literal(true).meta({ description: 'a wallet of your own on this service' }) }),
  z.strictObject({ open: z.literal(true).meta({ description: 'moves nothing: signs in to what is kept here' }) }),
  z.strictObject({ decline: z.literal(true).meta({ description: 'goes back to its sender' }) }),
]);

export const openClaimBody = z.object({
  platform: z.string().min(1).max(40).meta({ description: 'by its name or an alias' }),
  handle: z.string().min(1).max(512).meta({ description: 'the name that money was sent to' }),
  payout: payoutField.meta({ description: 'where the money is to go: fixed before the proof, and named in it' }),
});

export const proveClaimBody = z.object({
  code: z.string().min(1).max(CODE_LENGTH_MAX).optional().meta({ description: 'method email: the code from the mail' }),
  user_id: z
    .string()
    .regex(/^[1-9][0-9]{0,19}$/)
    .optional()
    .meta({ description: 'method chat: whom the bot saw; with its token only' }),
});

const token = z.string().min(1).max(TOKEN_LENGTH_MAX).meta({ description: 'from the answer to the proof' });

export const confirmClaimBody = z.object({ confirm_token: token });

export const declineClaimBody = z.object({
  confirm_token: token,
  opt_out: z.boolean().optional().meta({ description: 'refuse later payments too' }),
});

const WANTED = {
  platform: 'the name of a platform',
  handle: 'a text of 1 to 512 characters',
  payout:
    'one of {"base": "0x…", "solana": "…"} with at least one network, {"keep": true}, {"open": true} and {"decline": true}',
  code: `a text of 1 to ${CODE_LENGTH_MAX} characters`,
  user_id: 'a numeric user id, as text',
  confirm_token: 'the token from the answer to the proof',
  opt_out: 'true or false',
} as const;

export const parseOpenClaim = (body: unknown) =>
  // Opening the claim parses the payout, for every interface alike.
  parseBody(openClaimBody.extend({ payout: z.unknown() }), body, WANTED);
export const parseProveClaim = (body: unknown) => parseBody(proveClaimBody, body, WANTED);
export const parseConfirmClaim = (body: unknown) => parseBody(confirmClaimBody, body, WANTED);
export const parseDeclineClaim = (body: unknown) => parseBody(declineClaimBody, body, WANTED);

/** Reads where the money goes. Throws AppError (400). */
export function parsePayout(payout: unknown): PayoutTarget {
  const parsed = payoutField.safeParse(payout);
  const isEmpty = parsed.success && Object.values(parsed.data).every((value) => value === undefined);
  if (parsed.success && !isEmpty) return parsed.data;
  throw new AppError('validation_failed', { field: 'payout', detail: `"payout" must be ${WANTED.payout}.` });
}
