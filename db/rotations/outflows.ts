import { and, eq, inArray, isNull, like, or } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/**
 * `open`: not booked yet. `ours`: it paid what bears this name. `doubtful`: it may have, with other money or to someone
 * else. `other`: it was something else.
 */
export type NamedOutflow = 'none' | 'open' | 'ours' | 'doubtful' | 'other';

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
  if (agrees || row.consumedBy.startsWith('transfer:')) return 'ours';
  return isTaken ? 'other' : 'doubtful';
}

/** Those of the nonces under which one of these addresses has paid, also in a block that is not final yet. */
export async function seenUnder(
  { read, tables }: Store,
  network: Network,
  names: readonly Omit<Name, 'network'>[],
): Promise<ReadonlySet<string>> {
  const { observedTransfers: seen } = tables;
  const isOne = and(
    inArray(seen.authorizer, [...new Set(names.map(({ authorizer }) => authorizer))]),
    inArray(seen.nonce, [...new Set(names.map(({ nonce }) => nonce))]),
  );
  const rows = await read
    .select({ authorizer: seen.authorizer, nonce: seen.nonce })
    .from(seen)
    .where(and(eq(seen.network, network), isOne, eq(seen.outgoing, true), eq(seen.landed, true)));
  return new Set(rows.map(({ authorizer, nonce }) => `${authorizer}:${nonce}`));
}

/**
 * Those of these tags under which one of these addresses has paid although these books did not sign it. Tags name transfers on
 * Solana, and outsiders cannot make them. `open`: it is not booked yet.
 */
export async function takenUnder(
  { read, tables }: Store,
  network: Network,
  { addresses, tags }: { addresses: readonly string[]; tags: readonly string[] },
): Promise<ReadonlyMap<string, 'open' | 'taken'>> {
  const { observedTransfers: seen } = tables;
  const rows = await read
    .select({ memo: seen.memo, consumedBy: seen.consumedBy })
    .from(seen)
    .where(
      and(
        eq(seen.network, network),
        inArray(seen.fromAddress, [...addresses]),
        eq(seen.outgoing, true),
        or(isNull(seen.consumedBy), like(seen.consumedBy, 'taken%')),
        inArray(seen.memo, [...tags]),
        eq(seen.landed, true),
      ),
    );
  return new Map(rows.map(({ memo, consumedBy }) => [memo ?? '', consumedBy === null ? 'open' : 'taken']));
}
