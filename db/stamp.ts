import type { Store } from './store.ts';

/**
 * Ties a database to what it belongs to (mode, chain, token, treasury), so that play money never meets real money.
 * The first call writes the values; every later one throws unless they are the same, name by name.
 */
export async function stampStore(store: Store, values: Record<string, string>): Promise<void> {
  const { stamps } = store.tables;
  const stored = await store.tx(async (db) => {
    const rows = await db.select().from(stamps);
    if (rows.length > 0) return Object.fromEntries(rows.map((row) => [row.name, row.value]));
    await db.insert(stamps).values(Object.entries(values).map(([name, value]) => ({ name, value })));
    return values;
  });
  const names = [...new Set([...Object.keys(stored), ...Object.keys(values)])].sort();
  const different = names.filter((name) => stored[name] !== values[name]);
  if (different.length === 0) return;
  const describe = (side: Record<string, string>) =>
    different.map((name) => `${name} ${side[name] ?? '(none)'}`).join(', ');
  throw new Error(`this database belongs to ${describe(stored)}; it was opened for ${describe(values)}`);
}
