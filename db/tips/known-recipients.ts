import { and, eq } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';

/** Remembers whom a user has tipped. Orders cannot tell: they mask addresses, and grow for ever. */
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
  return (await selectKnown(store.read, { userId, recipient })).length > 0;
}

const selectKnown = prepare((db, { knownRecipients: { userId, recipient }, knownRecipients }) =>
  db
    .select({ userId })
    .from(knownRecipients)
    .where(and(eq(userId, placeholder('userId')), eq(recipient, placeholder('recipient')))),
);
