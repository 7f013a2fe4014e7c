import type { AgreedTerms, Challenge } from '../../core/payments/challenge.ts';
import { findPinnedTerms, type PinnedNetwork, type TermsFound } from '../../core/payments/pinned.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { familyOf, sameAddress, type Family } from '../../core/networks.ts';
import type { Order } from './order.ts';
import { plainText } from '../terminal/plain-text.ts';
import { Stop } from '../terminal/stop.ts';

/** What is known of a network without any request. */
export type Pinned = PinnedNetwork & {
  /** Whether it is an address on this network, and not one where money is lost. */
  isPayable: (address: string) => boolean;
};

/** The terms to sign. */
export type Quote = {
  order: Order;
  challenge: Challenge;
  terms: AgreedTerms;
  payTo: string;
  /** Pays for the transaction and signs it last; null where none is needed. */
  feePayer: string | null;
  fee: MicroUsdc;
  total: MicroUsdc;
};

/** Whether the service pays for the transaction by signing it too. */
const HAVE_FEE_PAYERS = { evm: false, svm: true } as const satisfies Record<Family, boolean>;

export type QuoteRules = { pinned: Pinned; from: string; maxFee: MicroUsdc };

/**
 * Checks a price against the order and the pinned values. Any difference is refused: another token, a fee above the
 * limit, or a price for another request, which an attacker in between would have to send.
 */
export function agree(challenge: Challenge, order: Order, { pinned, from, maxFee }: QuoteRules): Quote {
  const found = findPinnedTerms(challenge, pinned);
  if (found.kind === 'refused') throw notPinned(challenge, pinned, found);
  const { terms } = found;
  const { payTo, extra } = terms;
  if (!pinned.isPayable(payTo)) throw notAgreed('money would be lost where it is to be paid to');
  if (sameAddress(pinned.network, payTo, from)) throw notAgreed('it would be paid to the account that pays');
  if (extra.requestHash !== order.requestHash) throw notAgreed('it is for another request than the one that was sent');
  const feePayer = HAVE_FEE_PAYERS[familyOf(pinned.network)] ? feePayerOf(pinned, extra, [from, payTo]) : null;
  return { order, challenge, terms, payTo, feePayer, ...priceOf(terms, order, maxFee) };
}

function priceOf({ amount }: AgreedTerms, { sum }: Order, maxFee: MicroUsdc): { total: MicroUsdc; fee: MicroUsdc } {
  const total = microUsdc(BigInt(amount));
  if (total < sum) throw notAgreed('it is lower than what is to be sent');
  const fee = microUsdc(total - sum);
  if (fee > maxFee) {
    const text = `The service wants a fee of ${formatUsdc(fee)} USDC, and --max-fee allows ${formatUsdc(maxFee)} USDC.`;
    throw refuse('fee_too_high', text, 'Nothing was signed.');
  }
  return { total, fee };
}

function feePayerOf({ isPayable }: Pinned, extra: Record<string, unknown>, others: readonly string[]): string {
  const { feePayer } = extra;
  const isOther = typeof feePayer === 'string' && isPayable(feePayer) && !others.includes(feePayer);
  if (!isOther) throw notAgreed('nobody else is named who pays for the transaction');
  return feePayer;
}

function notPinned(
  { accepts }: Challenge,
  { caip2 }: Pinned,
  { field, found }: Extract<TermsFound, { kind: 'refused' }>,
): Stop {
  switch (field) {
    case 'network': {
      const names = accepts.map(({ network }) => plainText(network, 60)).join(', ');
      const text = `The service is not paid on ${caip2}, but on ${names}.`;
      return refuse('network_not_offered', text, 'Choose with --network.');
    }
    case 'form':
      return notAgreed('its terms have another form than x402 has for "exact"');
    case 'asset':
      return notAgreed(`it wants ${plainText(found, 80)}, which is not USDC`);
    case 'extra':
      return notAgreed('it names the token otherwise than the token does');
  }
}

function notAgreed(why: string): Stop {
  return refuse(
    'price_not_agreed',
    `The price of the service is refused: ${why}.`,
    'Nothing was signed. Do not use this service.',
  );
}

function refuse(word: string, text: string, next: string): Stop {
  return new Stop('refused', word, text, next);
}
