import type { OrderRow } from '../../db/bot/orders.ts';
import type { TransferAuthorization } from '../signer.ts';
import type { CoreDeps } from './dependencies.ts';
import { paymentHeader } from './payment-header.ts';
import type { Challenge, TermsCheck } from './terms.ts';

/** Longer than the payer keeps trying, within the five minutes that the API allows. */
const HEADER_LIFE_SECONDS = 240;

/** Nothing is signed before 1970, so this is valid at once, whatever the chain's clock says. */
const ALWAYS = 0;

type Agreed = Extract<TermsCheck, { kind: 'agreed' }>;

/**
 * The header that pays for a priced order. Null when the guard refused: that is a fault of ours or an attack, so the
 * reason goes to the log, not to the chat.
 */
export async function signOrder(
  deps: CoreDeps,
  order: OrderRow,
  challenge: Challenge,
  { terms, total }: Agreed,
): Promise<{ header: string; validBefore: number } | null> {
  const authorization = newAuthorization(deps, order, total);
  try {
    const signature = await deps.signer.sign(order.id, authorization);
    const header = paymentHeader(challenge, terms, authorization, signature);
    return { header, validBefore: authorization.validBefore };
  } catch (error) {
    deps.log.error({ orderId: order.id, error: String(error) }, 'not signed');
    return null;
  }
}

function newAuthorization(deps: CoreDeps, order: OrderRow, value: bigint): TransferAuthorization {
  const { payTo, asset, chainId, name, version } = deps.pinned;
  return {
    from: order.payerAddress,
    to: payTo,
    value,
    validAfter: ALWAYS,
    validBefore: Math.floor(deps.clock.now() / 1_000) + HEADER_LIFE_SECONDS,
    nonce: `0x${Buffer.from(deps.random(32)).toString('hex')}`,
    asset,
    chainId,
    name,
    version,
  };
}
