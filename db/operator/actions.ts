import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A command as the operator gave it. */
export type Command = { name: string; arguments: readonly string[] };

/** Notes what an operator changed, in the transaction that changes it: what is not noted has not happened. */
export async function recordAction(
  db: Db,
  { operatorActions }: Tables,
  command: Command,
  { result, nowMs }: { result: string; nowMs: number },
): Promise<void> {
  const row = { command: command.name, arguments: command.arguments, result, atMs: nowMs };
  await db.insert(operatorActions).values(row);
}
