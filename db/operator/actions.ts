import { desc, lt } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A command as the operator gave it. */
export type Command = { name: string; arguments: readonly string[]; who: string };

/** Records what an operator changed, in the transaction that changes it: what is not recorded has not happened. */
export async function recordAction(
  db: Db,
  { operatorActions }: Tables,
  command: Command,
  { result, nowMs }: { result: string; nowMs: number },
): Promise<void> {
  const { name, arguments: words, who } = command;
  const row = { who, command: name, arguments: words, result, atMs: nowMs };
  await db.insert(operatorActions).values(row);
}

/** The newest first; with `beforeId` those that came before that one. */
export async function listActions(
  { read, tables: { operatorActions } }: Store,
  beforeId: number | null,
  limit: number,
): Promise<Tables['operatorActions']['$inferSelect'][]> {
  const isEarlier = beforeId === null ? undefined : lt(operatorActions.id, beforeId);
  return read.select().from(operatorActions).where(isEarlier).orderBy(desc(operatorActions.id)).limit(limit);
}
