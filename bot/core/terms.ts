import { z } from 'zod';
import { feeFor, microUsdc, type MicroUsdc } from '../../core/money.ts';

/** What this installation charges and where to: known from its configuration, never taken from an answer. */
export type PinnedTerms = {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  chainId: number;
  asset: string;
  payTo: string;
  /** EIP-712 domain of the token. */
  name: string;
  version: string;
  feeBps: number;
  feeFlat: MicroUsdc;
};

const termsSchema = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  amount: z.string().regex(/^[1-9][0-9]{0,15}$/),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.int().positive(),
  extra: z.looseObject({ name: z.string(), version: z.string() }),
});

/** The x402 version 2 challenge, as far as it is used here. Terms of other networks may have other forms. */
export const challengeSchema = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).optional(),
  accepts: z
    .array(z.looseObject({ network: z.string() }))
    .min(1)
    .max(20),
});

export type Challenge = z.infer<typeof challengeSchema>;
/** Repeated in the payment as it came, unknown fields included. */
export type AgreedTerms = z.infer<typeof termsSchema>;
export type TermsCheck =
  | { kind: 'agreed'; terms: AgreedTerms; total: MicroUsdc }
  | { kind: 'refused'; found: string; wanted: string };

/** What a tip of this amount costs its payer. */
export function totalFor(amount: MicroUsdc, pinned: PinnedTerms): MicroUsdc {
  return microUsdc(amount + feeFor(amount, pinned.feeBps, pinned.feeFlat));
}

/** Finds our network in the challenge and compares all of it with what we pinned. Nothing else is ever signed. */
export function checkTerms(challenge: Challenge, amount: MicroUsdc, pinned: PinnedTerms): TermsCheck {
  const total = totalFor(amount, pinned);
  const refuse = (found: unknown, wanted: string): TermsCheck => ({ kind: 'refused', found: String(found), wanted });
  const offered = challenge.accepts.find((element) => element.network === pinned.network);
  if (!offered)
    return refuse(
      challenge.accepts.map((element) => element.network),
      `terms for ${pinned.network}`,
    );
  const parsed = termsSchema.safeParse(offered);
  if (!parsed.success) return refuse('terms of another form', 'exact terms');
  const terms = parsed.data;
  if (terms.amount !== total.toString()) return refuse(`a price of ${terms.amount}`, total.toString());
  if (!sameAddress(terms.asset, pinned.asset)) return refuse(`asset ${terms.asset}`, pinned.asset);
  if (!sameAddress(terms.payTo, pinned.payTo)) return refuse(`payTo ${terms.payTo}`, pinned.payTo);
  const { name, version } = terms.extra;
  if (name !== pinned.name || version !== pinned.version) return refuse(`token ${name} ${version}`, pinned.name);
  return { kind: 'agreed', terms, total };
}

/** Addresses are compared without their checksum's upper case. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
