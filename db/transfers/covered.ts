import { and, eq, inArray, sql } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from './find.ts';

/**
 * Those of the queued payouts that the treasury's own balance covers, beside what is signed already. All are owed and
 * backed, but the money of some may still lie at another address of ours: one that left before its money is there would
 * be an outflow that the books cannot explain. What is small does not wait for what is large.
 */
export async function splitCovered(
  store: Store,
  { network, treasury, ownAddresses }: { network: Network; treasury: string; ownAddresses: readonly string[] },
  queued: readonly TransferRow[],
): Promise<{ covered: TransferRow[]; waiting: TransferRow[] }> {
  const { accounts, transfers } = store.tables;
  const own = names.chain(network, treasury);
  const all = ownAddresses.map((address) => names.chain(network, address));
  const balances = await store.read
    .select({ name: accounts.name, balance: accounts.balance })
    .from(accounts)
    .where(inArray(accounts.name, [own, ...all]));
  // Where nothing lies elsewhere, all that we owe is covered by what is here.
  if (!balances.some(({ name, balance }) => name !== own && balance > 0n)) return { covered: [...queued], waiting: [] };
  const isSigned = and(eq(transfers.fromAddress, treasury), inArray(transfers.status, ['assigned', 'broadcast']));
  const [signed] = await store.read
    .select({ sum: sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)` })
    .from(transfers)
    .where(and(eq(transfers.network, network), isOfKind(store.tables, 'payout'), isSigned));
  let room = (balances.find(({ name }) => name === own)?.balance ?? 0n) - BigInt(signed?.sum ?? 0);
  const covered: TransferRow[] = [];
  const waiting: TransferRow[] = [];
  for (const payout of queued) {
    if (payout.amountMicroUsdc > room) waiting.push(payout);
    else {
      covered.push(payout);
      room -= payout.amountMicroUsdc;
    }
  }
  return { covered, waiting };
}
