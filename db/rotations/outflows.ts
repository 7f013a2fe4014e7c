import { and, eq } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/** `open`: not booked yet. `ours`: it paid, or may have paid, what bears this name. `other`: it was something else. */
export type NamedOutflow = 'none' | 'open' | 'ours' | 'other';

type Name = { network: Network; authorizer: string; nonce: string };

/**
 * What left one of our addresses under this nonce, by the books. Of a former address that is booked as taken only where
 * these books never lost what was signed there, so one that does not agree to the last detail was not signed by us.
 */
export async function outflowNamed(
  { read, tables }: Store,
  { network, authorizer, nonce }: Name,
  { toAddress, amountMicroUsdc }: Pick<TransferRow, 'toAddress' | 'amountMicroUsdc'>,
): Promise<NamedOutflow> {
  const { observedTransfers: seen } = tables;
  const isIt = and(eq(seen.network, network), eq(seen.authorizer, authorizer), eq(seen.nonce, nonce));
  const [row] = await read
    .select()
    .from(seen)
    .where(and(isIt, eq(seen.outgoing, true), eq(seen.landed, true)));
  if (row === undefined) return 'none';
  if (row.consumedBy === null) return 'open';
  const isTaken = row.consumedBy === 'moved' || /^taken(?::|$)/.test(row.consumedBy);
  const agrees = row.toAddress === toAddress && row.amountMicroUsdc === amountMicroUsdc;
  return isTaken && !agrees ? 'other' : 'ours';
}
