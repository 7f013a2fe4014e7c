import { and, asc, eq, inArray } from 'drizzle-orm';
import { canonicalAddress } from '../core/networks.ts';
import { createLinePayout } from './payments/settle.ts';
import type { Store } from './store.ts';

export type WalletLink = {
  identityId: string;
  network: string;
  address: string;
  source: string;
};

/**
 * Remembers where an identity's money goes and turns everything that waits for it in escrow into payouts, in one
 * transaction. The address must have been checked by the caller. Answers the ids of the new payouts.
 */
export async function linkWallet(
  store: Store,
  link: WalletLink,
  newPayoutId: () => string,
  nowMs: number,
): Promise<string[]> {
  return store.tx(async (db) => {
    const { lines, payments, wallets } = store.tables;
    const address = canonicalAddress(link.network, link.address);
    await db
      .insert(wallets)
      .values({ ...link, address, linkedAtMs: nowMs })
      .onConflictDoUpdate({
        target: [wallets.identityId, wallets.network],
        set: { address, source: link.source, linkedAtMs: nowMs },
      });
    const waiting = await db
      .select({ line: lines, network: payments.network, payTo: payments.payTo })
      .from(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(
        and(
          eq(lines.identityId, link.identityId),
          eq(lines.status, 'escrowed'),
          eq(payments.network, link.network),
          // After a reorganisation the money of an open payment is not in escrow any more.
          inArray(payments.status, ['settled', 'final']),
        ),
      )
      .orderBy(asc(payments.createdAtMs));
    const dependencies = { tables: store.tables, newPayoutId, nowMs };
    const created: string[] = [];
    for (const { line, ...payment } of waiting) {
      created.push(await createLinePayout(db, dependencies, payment, line, address));
    }
    return created;
  });
}
