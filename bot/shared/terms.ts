import { termsSchema, type AgreedTerms, type Challenge } from '../../core/payments/challenge.ts';
import { feeFor, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { canonicalAddress, type EvmNetwork, type Network, type SvmNetwork } from '../../core/networks.ts';

/** What this installation charges and where to: known from its configuration, never taken from an answer. */
type Pinned = {
  /** CAIP-2, such as `eip155:8453`. */
  caip2: string;
  /** Further names of the network that a service may write. */
  aliases: readonly string[];
  /** The token, or the mint. */
  asset: string;
  payTo: string;
  feeBps: number;
  feeFlat: MicroUsdc;
};

export type PinnedEvm = Pinned & {
  family: 'evm';
  network: EvmNetwork;
  chainId: number;
  /** EIP-712 domain of the token. */
  name: string;
  version: string;
};

/** `feePayer` pays for the transaction, and signs it last. */
export type PinnedSolana = Pinned & { family: 'svm'; network: SvmNetwork; feePayer: string };

export type PinnedTerms = PinnedEvm | PinnedSolana;

export type TermsCheck =
  | { kind: 'agreed'; terms: AgreedTerms; total: MicroUsdc }
  | { kind: 'refused'; found: string; wanted: string };

/** What a tip of this amount costs its payer. */
export function totalFor(amount: MicroUsdc, { feeBps, feeFlat }: PinnedTerms): MicroUsdc {
  return microUsdc(amount + feeFor(amount, feeBps, feeFlat));
}

/** Finds a network in the challenge and compares all of it with what we pinned. Nothing else is ever signed. */
export function checkTerms(challenge: Challenge, amount: MicroUsdc, pinned: PinnedTerms): TermsCheck {
  const total = totalFor(amount, pinned);
  const refuse = (found: unknown, wanted: string): TermsCheck => ({ kind: 'refused', found: String(found), wanted });
  const offered = challenge.accepts.find((element) => element.network === pinned.caip2);
  if (!offered)
    return refuse(
      challenge.accepts.map((element) => element.network),
      `terms for ${pinned.caip2}`,
    );
  const parsed = termsSchema.safeParse(offered);
  if (!parsed.success) return refuse('terms of another form', 'exact terms');
  const terms = parsed.data;
  const { network } = pinned;
  if (terms.amount !== total.toString()) return refuse(`a price of ${terms.amount}`, total.toString());
  if (!sameAddress(network, terms.asset, pinned.asset)) return refuse(`asset ${terms.asset}`, pinned.asset);
  if (!sameAddress(network, terms.payTo, pinned.payTo)) return refuse(`payTo ${terms.payTo}`, pinned.payTo);
  for (const [field, wanted] of Object.entries(extraOf(pinned))) {
    if (terms.extra[field] !== wanted) return refuse(`${field} ${String(terms.extra[field])}`, wanted);
  }
  return { kind: 'agreed', terms, total };
}

/** Hex is compared without its checksum's upper case; base58 has one spelling only. */
export function sameAddress(network: Network, one: string, other: string): boolean {
  return canonicalAddress(network, one) === canonicalAddress(network, other);
}

/** What the terms must say beside payee and price: whose signature it is, or who pays for the transaction. */
function extraOf(pinned: PinnedTerms): Record<string, string> {
  switch (pinned.family) {
    case 'evm':
      return { name: pinned.name, version: pinned.version };
    case 'svm':
      return { feePayer: pinned.feePayer };
  }
}
