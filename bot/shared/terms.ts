import type { AgreedTerms, Challenge } from '../../core/payments/challenge.ts';
import { costLine, isCostLine } from '../../core/costs/allowance.ts';
import { findPinnedTerms } from '../../core/payments/pinned.ts';
import type { PinnedNetwork } from '../../core/payments/signer.ts';
import { feeFor, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { sameAddress, type EvmNetwork, type SvmNetwork } from '../../core/networks.ts';

/** What this installation charges and where to: known from its configuration, never taken from an answer. */
type Pinned = Omit<PinnedNetwork, 'network' | 'extra'> & {
  /** Further names of the network that a service may write. */
  aliases: readonly string[];
  payTo: string;
  feeBps: number;
  feeFlat: MicroUsdc;
  /** What a payment beyond the free allowance pays for its cost. */
  costLine: MicroUsdc;
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

/** While a network is out, a challenge names only the others. Where it is not ours at all, other errors say so. */
export function isOfferedOn(paying: { pinned: Pick<PinnedTerms, 'caip2'> } | null) {
  return ({ accepts }: Challenge): boolean =>
    paying === null || accepts.some(({ network }) => network === paying.pinned.caip2);
}

/**
 * Finds a network in the challenge and compares all of it with what we pinned. Nothing else is ever signed. The price may
 * include the cost line, for a payment to at most this many recipients.
 */
export function checkTerms(challenge: Challenge, amount: MicroUsdc, pinned: PinnedTerms, recipients = 1): TermsCheck {
  const found = findPinnedTerms(challenge, { ...pinned, extra: extraOf(pinned) });
  if (found.kind === 'refused') return found;
  const { terms } = found;
  const total = agreedTotal(BigInt(terms.amount), amount, pinned, recipients);
  const refuse = (what: string, wanted: string): TermsCheck => ({ kind: 'refused', found: what, wanted });
  if (terms.amount !== total.toString()) return refuse(`a price of ${terms.amount}`, total.toString());
  if (!sameAddress(pinned.network, terms.payTo, pinned.payTo)) return refuse(`payTo ${terms.payTo}`, pinned.payTo);
  return { kind: 'agreed', terms, total };
}

/** How many people a request pays. */
export function recipientsIn({ receivers }: Record<string, unknown>): number {
  return Array.isArray(receivers) ? receivers.length : 1;
}

/**
 * Up to how many recipients a cost line may be paid without another question. A card named the total before it was
 * pressed, so its price includes none.
 */
export function unaskedIn(body: Record<string, unknown>): number {
  return Array.isArray(body['receivers']) ? 0 : 1;
}

/** Whether it is no more than the payer was shown and agreed to. */
export function isWithin({ agreedMicroUsdc: agreed }: { agreedMicroUsdc: bigint | null }, total: bigint): boolean {
  return agreed === null || total <= agreed;
}

/** The cost line of a payment to this many people, where it is charged. */
export function costLineFor({ costLine: lineMicroUsdc }: PinnedTerms, recipients: number): MicroUsdc {
  return microUsdc(costLine({ lineMicroUsdc }, recipients));
}

/** What is paid where so much is asked: the price, or the price with its cost line. Nobody agreed to anything else. */
export function agreedTotal(asked: bigint, amount: MicroUsdc, pinned: PinnedTerms, recipients: number): MicroUsdc {
  const least = totalFor(amount, pinned);
  const extra = asked - least;
  return microUsdc(isCost(pinned, extra, recipients) ? least + extra : least);
}

function isCost({ costLine: lineMicroUsdc }: PinnedTerms, extra: bigint, recipients: number): boolean {
  return extra > 0n && isCostLine({ lineMicroUsdc }, extra, recipients);
}

/** What the terms must say besides payee and price: whose signature it is, or who pays for the transaction. */
function extraOf(pinned: PinnedTerms): Record<string, string> {
  switch (pinned.family) {
    case 'evm':
      return { name: pinned.name, version: pinned.version };
    case 'svm':
      return { feePayer: pinned.feePayer };
  }
}
