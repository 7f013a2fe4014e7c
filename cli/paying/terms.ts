import { termsSchema, type AgreedTerms, type Challenge } from '../../core/payments/challenge.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { canonicalAddress, familyOf, type Family, type Network } from '../../core/networks.ts';
import type { Order } from './order.ts';
import { plainText } from '../terminal/plain-text.ts';
import { Stop } from '../terminal/stop.ts';

/** What is known of a network without any request. */
export type Pinned = {
  network: Network;
  caip2: string;
  /** The token, or the mint. */
  asset: string;
  /** The token's EIP-712 domain; null where there is none. */
  domain: { name: string; version: string } | null;
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
  const offered = challenge.accepts.find(({ network }) => network === pinned.caip2);
  if (offered === undefined) {
    const names = challenge.accepts.map(({ network }) => plainText(network, 60)).join(', ');
    throw refuse(
      'network_not_offered',
      `The service is not paid on ${pinned.caip2}, but on ${names}.`,
      'Choose with --network.',
    );
  }
  const parsed = termsSchema.safeParse(offered);
  if (!parsed.success) throw notAgreed('its terms have another form than x402 has for "exact"');
  const terms = parsed.data;
  const { asset, payTo, extra } = terms;
  if (!isSame(pinned, asset, pinned.asset)) throw notAgreed(`it wants ${plainText(asset, 80)}, which is not USDC`);
  if (!pinned.isPayable(payTo)) throw notAgreed('money would be lost where it is to be paid to');
  if (isSame(pinned, payTo, from)) throw notAgreed('it would be paid to the account that pays');
  if (extra.requestHash !== order.requestHash) throw notAgreed('it is for another request than the one that was sent');
  if (pinned.domain !== null && (extra['name'] !== pinned.domain.name || extra['version'] !== pinned.domain.version)) {
    throw notAgreed('it names the token otherwise than the token does');
  }
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

function isSame({ network }: Pinned, one: string, other: string): boolean {
  return canonicalAddress(network, one) === canonicalAddress(network, other);
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
