import type { TransferRow } from '../../../db/payments/records/find.ts';
import { outflowNamed } from '../../../db/rotations/outflows.ts';
import type { EvmWorker } from '../../dependencies.ts';
import { recover } from '../recover.ts';

type Hex = `0x${string}`;
export type Key = { authorizer: Hex; nonce: Hex };

/** `elsewhere`: that address never pays under it. `paid`: it has, or may have. `unsure`: not to be told yet. */
export type SpentOn = 'elsewhere' | 'paid' | 'unsure';

/**
 * What a nonce was spent on that is used at a former address, as of a finalized block that the books have read. Its key may
 * be known to others, who can cancel a payout's nonce there, or spend it on a transfer of their own: then nothing can ever
 * land under it there. Without a transfer in the books there was none: they have all that ever left us, and are compared
 * with the chain every minute; for what is newer than that the chain is asked by name.
 */
export async function spentOn(
  worker: EvmWorker,
  transfer: TransferRow,
  key: Key,
  finalizedBlock: number,
): Promise<SpentOn> {
  const { network } = worker.profile;
  switch (await outflowNamed(worker.store, { network, ...key }, transfer)) {
    case 'open':
      return 'unsure';
    case 'ours':
      return 'paid';
    case 'other':
      return 'elsewhere';
    case 'none': {
      const found = await recover(worker, key, finalizedBlock);
      return found === 'spent' || found === 'untraced' ? 'elsewhere' : 'unsure';
    }
  }
}
