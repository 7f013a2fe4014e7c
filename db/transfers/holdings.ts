import { eq } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Whether an address of ours has so much by the books. Asked before what the chain says is booked: an account that would
 * be overdrawn ends the transaction, and the chain could never be read on.
 */
export async function holdsAtLeast(
  db: Db,
  _tables: Tables,
  { network, address }: { network: Network; address: string },
  amount: bigint,
): Promise<boolean> {
  return (await balanceOf(db, names.chain(network, address))) >= amount;
}

/** Whether so much of a network's money still stands in suspense. */
export async function isInSuspense(db: Db, _tables: Tables, network: Network, amount: bigint): Promise<boolean> {
  return -(await balanceOf(db, names.suspense(network))) >= amount;
}

/** Of one account in the books; nothing where it does not exist. */
export async function balanceOf(db: Db, name: string): Promise<bigint> {
  const [row] = await selectBalance(db, { name });
  return row?.balance ?? 0n;
}

const selectBalance = prepare((db, { accounts }) =>
  db
    .select({ balance: accounts.balance })
    .from(accounts)
    .where(eq(accounts.name, placeholder('name'))),
);
