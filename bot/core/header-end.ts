import type { ProofRefusal } from '../../core/refusals.ts';
import type { OrderRow, Past } from '../../db/bot/orders.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { CoreDeps } from './dependencies.ts';
import { findNetwork } from './networks.ts';

/** The refusals that say a header's time is over and that it never landed. Any other says nothing about that. */
export const OVER: readonly string[] = [
  'invalid_exact_evm_payload_authorization_valid_before',
  'payment_expired',
] satisfies ProofRefusal[];

/** On Base a header counts as over only this long after its time, for clocks that differ. */
const EXPIRY_MARGIN_SECONDS = 30;
const HEIGHT_LIMIT_MS = 8_000;

/**
 * What is past for certain where this order is paid; null when that network was switched off. On Solana only blocks tell
 * time: they may stand still for hours, and a header could land afterwards.
 */
export async function readPast(
  deps: Pick<CoreDeps, 'networks' | 'clock'>,
  order: Pick<OrderRow, 'network'>,
): Promise<Past | null> {
  const paying = findNetwork(deps.networks, order.network);
  if (paying === null) return null;
  if (paying.network === 'base') return { nowSeconds: Math.floor(deps.clock.now() / 1_000) - EXPIRY_MARGIN_SECONDS };
  return { finalHeight: await withTimeLimit(paying.finalHeight(), HEIGHT_LIMIT_MS, 'reading the height') };
}

type HeaderTime = Pick<OrderRow, 'validBefore' | 'lastValidHeight'>;

export function isPast({ validBefore, lastValidHeight }: HeaderTime, past: Past): boolean {
  if ('nowSeconds' in past) return validBefore !== null && validBefore < past.nowSeconds;
  return lastValidHeight !== null && lastValidHeight < past.finalHeight;
}
