import { Misconfigured } from '../../core/config/misconfigured.ts';
import type { Store } from './store.ts';

/**
 * Ties a database to what it belongs to (mode, chain, token, treasury), so that play money never meets real money.
 * The first call writes the values; every later one throws Misconfigured unless they are the same, name by name. What belongs to a
 * network that may be offered later, or not any more, is `optional`: absent on either side is no difference, and what is
 * new is written.
 */
export async function stampStore(
  store: Store,
  values: Record<string, string>,
  optional: Record<string, string> = {},
): Promise<void> {
  const { stamps } = store.tables;
  const wanted = { ...values, ...optional };
  const stored = await store.tx(async (db) => {
    const rows = await db.select().from(stamps);
    const before = Object.fromEntries(rows.map((row) => [row.name, row.value]));
    // What `db/rotations/rotation.ts` notes may be there already.
    const isFirst = Object.keys(values).every((name) => before[name] === undefined);
    const missing = Object.entries(isFirst ? wanted : optional).filter(([name]) => before[name] === undefined);
    const added = missing.map(([name, value]) => ({ name, value }));
    if (added.length > 0) await db.insert(stamps).values(added).onConflictDoNothing();
    return { ...before, ...Object.fromEntries(missing) };
  });
  const names = [...new Set([...Object.keys(stored), ...Object.keys(wanted)])].sort();
  const different = names.filter((name) => stored[name] !== wanted[name] && !isLeftOut(name, values, optional));
  if (different.length === 0) return;
  const describe = (side: Record<string, string>) =>
    different.map((name) => `${name} ${side[name] ?? '(none)'}`).join(', ');
  throw new Misconfigured(`this database belongs to ${describe(stored)}; it was opened for ${describe(wanted)}`);
}

/** Of books whose keys were ever replaced. Releases that know nothing of that refuse a name without a colon. */
export const ROTATED_STAMP = 'rotated';

/** Names of optional networks carry their network in front, as `solana:treasury`. */
function isLeftOut(name: string, values: Record<string, string>, optional: Record<string, string>): boolean {
  const isOfOthers = name.includes(':') || name === ROTATED_STAMP;
  return isOfOthers && values[name] === undefined && optional[name] === undefined;
}
