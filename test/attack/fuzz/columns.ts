import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Which columns of an installation's database hold this text, as `table.column`. */
export function columnsWith(dataDir: string, text: string): string[] {
  const name = readdirSync(dataDir).find((file) => file.endsWith('.sqlite'));
  if (name === undefined) throw new Error(`there is no database in ${dataDir}`);
  const database = new Database(join(dataDir, name), { readonly: true });
  try {
    const tables = database.prepare<[], { name: string }>(`select name from sqlite_master where type = 'table'`).all();
    return tables.flatMap(({ name: table }) =>
      database
        .prepare<[], { name: string }>(`select name from pragma_table_info('${table}')`)
        .all()
        .filter(({ name: column }) => isIn(database, { table, column }, text))
        .map(({ name: column }) => `${table}.${column}`),
    );
  } finally {
    database.close();
  }
}

function isIn(
  database: Database.Database,
  { table, column }: { table: string; column: string },
  text: string,
): boolean {
  const found = `select 1 from "${table}" where instr(cast("${column}" as text), ?) > 0 limit 1`;
  return database.prepare(found).get(text) !== undefined;
}
