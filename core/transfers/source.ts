import { RECEIVERS_MAX } from '../bodies/batch.ts';
import type { Network } from '../networks.ts';

/**
 * What a transfer leaves for: a line of what came in. The fact is the lasting name of that money on the chain
 * (`factOf`), so it is the same in any database; lines count from 0.
 */
export type TransferSource = { network: Network; fact: string; line: number };

/** The rest of money of which a part was paid out: an index that no line of a payment has. */
export const REST_LINE = RECEIVERS_MAX;

/** The id of what leaves for a line: the same whether the line is paid out or given back, now or in restored books. */
export type TransferIdOf = (source: TransferSource) => string;
