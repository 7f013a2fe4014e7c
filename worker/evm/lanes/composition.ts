import { BATCH_ITEMS_MAX } from '../../../chain/evm/rpc/fees.ts';
import type { CarrierKind } from '../../../core/transfers/carriers.ts';

/** What one transaction of a lane will carry. Inbound and payouts never share one. */
export type Composition = {
  kind: CarrierKind;
  itemIds: string[];
  calls: `0x${string}`[];
  gasLimit: bigint;
};

/** Each batch in which an item did not land halves the item's next batch, until it is alone. */
export function sizeLimit(tries: number): number {
  return Math.max(1, Math.floor(BATCH_ITEMS_MAX / 2 ** Math.min(tries, 8)));
}
