import { and, eq } from 'drizzle-orm';
import type { Store } from '../store.ts';

/** Whom somebody has tipped, apart from his orders: those mask addresses, and grow for ever. */
export async function rememberRecipients(
  store: Store,
  userId: string,
  recipients: readonly string[],
  nowMs: number,
): Promise<void> {
  const { knownRecipients } = store.tables;
  if (recipients.length === 0) return;
  const rows = [...new Set(recipients)].map((recipient) => ({ userId, recipient, sinceMs: nowMs }));
  await store.tx((db) => db.insert(knownRecipients).values(rows).onConflictDoNothing());
}

/** `recipient`: such as `x:alice`. */
export async function isKnownRecipient(store: Store, userId: string, recipient: string): Promise<boolean> {
  const { knownRecipients } = store.tables;
  const [row] = await store.read
    .select({ userId: knownRecipients.userId })
    .from(knownRecipients)
    .where(and(eq(knownRecipients.userId, userId), eq(knownRecipients.recipient, recipient)));
  return row !== undefined;
}
