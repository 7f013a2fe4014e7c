import { and, asc, eq, inArray } from 'drizzle-orm';
import { canonicalAddress } from '../core/networks.ts';
import { createPayout, findRoute } from './payouts/create.ts';
import { readPayoutSettings } from './payouts/settings.ts';
import type { Db, Store } from './store.ts';
import type { Tables } from './tables.ts';

export type WalletLink = {
  identityId: string;
  network: string;
  address: string;
  source: string;
};

/**
 * Remembers where an identity's money goes and turns what waits for it in escrow into payouts, in one transaction: all
 * that came in on that network, and of what came in on others as much as our own money there covers. The address must
 * have been checked by the caller. Answers the ids of the new payouts.
 */
export async function linkWallet(
  store: Store,
  link: WalletLink,
  newPayoutId: () => string,
  nowMs: number,
): Promise<string[]> {
  return store.tx((db) => linkWithin(db, store.tables, link, { newPayoutId, nowMs }));
}

/** The same inside the caller's transaction. */
export async function linkWithin(
  db: Db,
  tables: Tables,
  link: WalletLink,
  { newPayoutId, nowMs }: { newPayoutId: () => string; nowMs: number },
): Promise<string[]> {
  const { lines, payments, wallets } = tables;
  const address = canonicalAddress(link.network, link.address);
  await db
    .insert(wallets)
    .values({ ...link, address, linkedAtMs: nowMs, usedAtMs: nowMs })
    .onConflictDoUpdate({
      target: [wallets.identityId, wallets.network],
      set: { address, source: link.source, linkedAtMs: nowMs, usedAtMs: nowMs },
    });
  const waiting = await db
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(lines.identityId, link.identityId),
        eq(lines.status, 'escrowed'),
        // After a reorganisation the money of an open payment is not in escrow any more.
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(payments.createdAtMs));
  const dependencies = { tables, newPayoutId, nowMs, settings: await readPayoutSettings(db, tables) };
  const created: string[] = [];
  for (const owed of waiting) {
    const route = await findRoute(db, dependencies, owed);
    if (route !== null) created.push((await createPayout(db, dependencies, owed, route)).payoutId);
  }
  return created;
}
