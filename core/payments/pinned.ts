import { sameAddress } from '../networks.ts';
import { termsSchema, type AgreedTerms, type Challenge } from './challenge.ts';
import type { PinnedNetwork } from './signer.ts';

export type PinnedField = 'network' | 'form' | 'asset' | 'extra';

export type TermsFound =
  | { kind: 'found'; terms: AgreedTerms }
  | { kind: 'refused'; field: PinnedField; found: string; wanted: string };

/**
 * The terms of this network in the challenge, if they agree with all that is pinned: none of our payers signs others. The
 * payer checks what may be paid, and to whom.
 */
export function findPinnedTerms({ accepts }: Challenge, pinned: PinnedNetwork): TermsFound {
  const { network, caip2, asset, extra } = pinned;
  const refuse = (field: PinnedField, found: string, wanted: string): TermsFound => ({
    kind: 'refused',
    field,
    found,
    wanted,
  });
  const offered = accepts.find((one) => one.network === caip2);
  if (!offered) return refuse('network', accepts.map((one) => one.network).join(', '), `terms for ${caip2}`);
  const parsed = termsSchema.safeParse(offered);
  if (!parsed.success) return refuse('form', 'terms of another form', 'exact terms');
  const terms = parsed.data;
  if (!sameAddress(network, terms.asset, asset)) return refuse('asset', `asset ${terms.asset}`, asset);
  for (const [name, wanted] of Object.entries(extra)) {
    if (terms.extra[name] !== wanted) return refuse('extra', `${name} ${String(terms.extra[name])}`, wanted);
  }
  return { kind: 'found', terms };
}
