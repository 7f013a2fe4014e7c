import {
  agreeOn,
  FAULT_WORDS,
  type AgreedPrice,
  type PriceFault,
  type PriceRules,
} from '../../core/payments/agreement.ts';
import type { Challenge } from '../../core/payments/challenge.ts';
import type { TermsFound } from '../../core/payments/pinned.ts';
import type { PinnedPayer } from '../../core/payments/signer.ts';
import { formatUsdc } from '../../core/money.ts';
import type { Order } from './order.ts';
import { plainText } from '../terminal/plain-text.ts';
import { Stop } from '../terminal/stop.ts';

/** The terms to sign. */
export type Quote = AgreedPrice & { order: Order };

/** Checks a price against the order and the pinned values; throws Stop for any difference. */
export function agree(challenge: Challenge, order: Order, rules: PriceRules): Quote {
  const agreed = agreeOn(challenge, order, rules);
  if ('why' in agreed) throw explain(agreed, challenge, rules);
  return { order, ...agreed };
}

function explain(fault: PriceFault, challenge: Challenge, { pinned, maxFee }: PriceRules): Stop {
  switch (fault.why) {
    case 'not_pinned':
      return notPinned(challenge, pinned, fault.found);
    case 'fee': {
      const text = `The service wants a fee of ${formatUsdc(fault.fee)} USDC, and --max-fee allows ${formatUsdc(maxFee)} USDC.`;
      return refuse('fee_too_high', text, 'Nothing was signed.');
    }
    case 'lost':
    case 'own_account':
    case 'other_request':
    case 'no_fee_payer':
    case 'below_sum':
      return notAgreed(FAULT_WORDS[fault.why]);
  }
}

function notPinned(
  { accepts }: Challenge,
  { caip2 }: PinnedPayer,
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
