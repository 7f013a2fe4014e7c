import { Client } from 'pg';
import { expect, test } from 'vitest';
import { onPostgres, type FreshDatabase } from '../postgres.ts';

onPostgres((fresh) => {
  let before: string;
  let lasting: Client;

  test('a database has rows and numbers, and is used', async () => {
    before = await urlOf(fresh);
    await ask(before, `INSERT INTO counters (name, used) VALUES ('a', 1)`);
    expect(await ask(before, INSERT_ENTRY)).toEqual([{ id: '1' }]);
  });

  test('the next test has it as it was made', async () => {
    expect(await urlOf(fresh)).toBe(before);
    expect(await ask(before, 'SELECT * FROM counters')).toEqual([]);
    expect(await ask(before, INSERT_ENTRY)).toEqual([{ id: '1' }]);
    await ask(before, 'CREATE TABLE stray (id bigint)');
  });

  test('one that is not as it was made is nobody’s any more', async () => {
    const other = await urlOf(fresh);
    expect(other).not.toBe(before);
    before = other;
    lasting = new Client({ connectionString: other });
    await lasting.connect();
    await lasting.query(`INSERT INTO counters (name, used) VALUES ('a', 1)`);
  });

  test('one that is used beyond its test stays with who uses it', async () => {
    expect(await urlOf(fresh)).not.toBe(before);
    expect(await ask(before, 'SELECT name FROM counters')).toEqual([{ name: 'a' }]);
    await lasting.end();
  });
});

const INSERT_ENTRY = `INSERT INTO entries (cause, created_at_ms) VALUES ('a', 1) RETURNING id`;

async function urlOf(fresh: FreshDatabase): Promise<string> {
  const database = await fresh();
  if (database.kind !== 'postgres') throw new Error('this is for PostgreSQL');
  return database.url;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
