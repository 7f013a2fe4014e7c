import { and, eq, inArray } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { firstLines } from './blocks.ts';
import { isKnownRecipient } from './known-recipients.ts';

/** `userId`: who was given something. `giverId`: the member who gave it. */
type Both = { userId: string; giverId: string };

/** Whether this person reads a giver's notes unasked: they have kept something of theirs, or have tipped them. */
export async function isAccepted(store: Store, { userId, giverId }: Both): Promise<boolean> {
  const { acceptedGivers: table } = store.tables;
  const isIt = and(eq(table.userId, userId), eq(table.giverId, giverId));
  const [row] = await store.read.select({ giverId: table.giverId }).from(table).where(isIt);
  return row !== undefined || (await isKnownRecipient(store, userId, giverId));
}

/** Repeated it changes nothing. */
export async function acceptGivers(
  store: Store,
  { userId, giverIds }: { userId: string; giverIds: readonly string[] },
  nowMs: number,
): Promise<void> {
  const { acceptedGivers } = store.tables;
  const rows = [...new Set(giverIds)].map((giverId) => ({ userId, giverId, sinceMs: nowMs }));
  if (rows.length > 0) await store.tx((db) => db.insert(acceptedGivers).values(rows).onConflictDoNothing());
}

/** Of the blocked ones nothing is read unasked. */
export async function acceptNoMore(store: Store, { userId, giverId }: Both): Promise<void> {
  const { acceptedGivers: table } = store.tables;
  await store.tx((db) => db.delete(table).where(and(eq(table.userId, userId), eq(table.giverId, giverId))));
}

/** How far back it is looked for those whose tips wait. */
const LOOKED_AT_MAX = 200;

/** Whose tips wait for this person, as far as they were sent from a chat. */
export async function waitingGivers(store: Store, identityIds: readonly string[]): Promise<string[]> {
  const { lines, orders } = store.tables;
  const first = firstLines(store);
  const rows = await store.read
    .select({ giverId: orders.userId })
    .from(lines)
    .innerJoin(first, eq(first.paidBy, lines.paymentId))
    .innerJoin(orders, eq(orders.txnId, first.firstTxnId))
    .where(and(inArray(lines.identityId, [...identityIds]), eq(lines.status, 'escrowed')))
    .limit(LOOKED_AT_MAX);
  return [...new Set(rows.map(({ giverId }) => giverId))];
}
