import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { conformance, type Fresh } from './conformance.ts';

const bin = findPostgres();

// A machine without PostgreSQL may leave this out, with a word about it; CI may not.
if (!bin && !process.env['CI'])
  console.warn('PostgreSQL is not installed (/usr/lib/postgresql): its tests are left out');

describe.skipIf(!bin && !process.env['CI'])('PostgreSQL', () => {
  let server: Postgres;
  let databases = 0;

  beforeAll(async () => {
    if (!bin) throw new Error('CI needs PostgreSQL in /usr/lib/postgresql; install the package postgresql');
    server = await startPostgres(bin);
  });
  afterAll(() => server?.close());

  const fresh: Fresh = async () => {
    databases += 1;
    const name = `test_${databases}`;
    await execute(`CREATE DATABASE ${name}`);
    return {
      address: { kind: 'postgres', url: server.url(name) },
      remove: () => execute(`DROP DATABASE ${name} WITH (FORCE)`),
    };
  };

  async function execute(statement: string): Promise<void> {
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  conformance('the store', fresh);
});
