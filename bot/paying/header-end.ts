import { isPast, type Past } from '../../core/payments/charge.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { within } from '../../queue/deadline.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';

/** On Base a header counts as over only this long after its time, for clocks that differ. */
const EXPIRY_MARGIN_SECONDS = 30;
const HEIGHT_LIMIT_MS = 8_000;

/**
 * What is certainly past on this network; null when it was switched off. On Solana only blocks tell time: they may stand
 * still for hours, and a header could land afterwards.
 */
export async function readPast(
  deps: Pick<CoreDeps, 'networks' | 'clock'>,
  { network }: Pick<OrderRow, 'network'>,
): Promise<Past | null> {
  const paying = findNetwork(deps.networks, network);
  if (paying === null) return null;
  switch (paying.family) {
    case 'evm':
      return { nowSeconds: Math.floor(deps.clock.now() / 1_000) - EXPIRY_MARGIN_SECONDS };
    case 'svm':
      return { finalHeight: await within(paying.finalHeight(), HEIGHT_LIMIT_MS, 'reading the height') };
  }
}

type Headed = Pick<OrderRow, 'validBefore' | 'lastValidHeight'> & { network: OrderRow['network'] | null };

/** Whether the header of this row is over, and what showed it: the row is moved on the same evidence. */
export function watchEnd(
  deps: Pick<CoreDeps, 'networks' | 'clock'>,
  row: Headed,
): { isOver: () => Promise<boolean | null>; past: () => Past | null } {
  let past: Past | null = null;
  return {
    async isOver() {
      past = row.network === null ? null : await readPast(deps, { network: row.network });
      return past === null ? null : isPast(row, past);
    },
    past: () => past,
  };
}
