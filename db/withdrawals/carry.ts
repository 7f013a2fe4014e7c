import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { WithdrawalRow } from './find.ts';

/** Signed withdrawals that nothing on its way carries and that are not put off, oldest first. */
export async function signedWithdrawals(
  store: Store,
  network: string,
  nowMs: number,
  limit: number,
): Promise<WithdrawalRow[]> {
  const { withdrawals } = store.tables;
  return store.read
    .select()
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.network, network),
        eq(withdrawals.status, 'signed'),
        isNull(withdrawals.carrierId),
        lte(withdrawals.nextTryAtMs, nowMs),
      ),
    )
    .orderBy(asc(withdrawals.createdAtMs))
    .limit(limit);
}

/** Puts off what cannot be sent now: only the chain may say "never". */
export async function postponeWithdrawals(store: Store, ids: readonly string[], nextTryAtMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { withdrawals } = store.tables;
  await store.tx((db) =>
    db
      .update(withdrawals)
      .set({ nextTryAtMs })
      .where(and(inArray(withdrawals.id, [...ids]), eq(withdrawals.status, 'signed'))),
  );
}

/** `sealedBlock`: where the batch that carries it has its place on the chain, if it has one. */
export type LivingWithdrawal = { withdrawal: WithdrawalRow; sealedBlock: number | null };

/** Authorizations that could still land, or have landed unnoticed. */
export async function livingWithdrawals(store: Store, network: string, limit: number): Promise<LivingWithdrawal[]> {
  const { withdrawals, carriers } = store.tables;
  return store.read
    .select({ withdrawal: withdrawals, sealedBlock: carriers.sealedBlock })
    .from(withdrawals)
    .leftJoin(carriers, eq(carriers.id, withdrawals.carrierId))
    .where(and(eq(withdrawals.network, network), inArray(withdrawals.status, ['signed', 'sent'])))
    .orderBy(asc(withdrawals.createdAtMs))
    .limit(limit);
}

/** Wallets that something is on its way from: what is left in them cannot be read off the chain. */
export async function sendingAddresses(store: Store, network: string): Promise<Set<string>> {
  const { withdrawals } = store.tables;
  const rows = await store.read
    .selectDistinct({ address: withdrawals.fromAddress })
    .from(withdrawals)
    .where(and(eq(withdrawals.network, network), eq(withdrawals.status, 'sent')));
  return new Set(rows.map(({ address }) => address));
}
