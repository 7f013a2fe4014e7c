/**
 * The rule that signed bytes are stored before they are first sent. A death between the two is rare, and other layers may
 * save the money then, so no count of kills shows that the order holds; this looks at each sending.
 */
import { eq, inArray } from 'drizzle-orm';
import type { Store } from '../../../db/store/store.ts';

export type StoredFirst = {
  /** Call it with the bytes before a node gets them. */
  beforeSend: (bytes: string) => Promise<void>;
  /** Throws where bytes were stored after they had been sent. Those that are never stored carry no money. */
  assertHeld: () => Promise<void>;
};

export function watchStoredFirst({ read, tables: { carrierTransactions } }: Store): StoredFirst {
  const early = new Set<string>();
  const { bytes: stored, hash } = carrierTransactions;
  return {
    async beforeSend(bytes) {
      const rows = await read.select({ hash }).from(carrierTransactions).where(eq(stored, bytes));
      if (rows.length === 0) early.add(bytes);
    },
    async assertHeld() {
      if (early.size === 0) return;
      const late = await read
        .select({ hash })
        .from(carrierTransactions)
        .where(inArray(stored, [...early]));
      if (late.length > 0) throw new Error(`stored only after it was sent: ${late.map((row) => row.hash).join(', ')}`);
    },
  };
}
