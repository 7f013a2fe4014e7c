import type { Pool } from 'pg';
import type { Snapshot } from './question.ts';

/** The server reads, and answers with rows that differ. It gives up what takes this long. */
const STATEMENT_LIMIT_MS = 10 * 60_000;
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`;

export function createPgSnapshot(pool: Pool): Snapshot {
  return async (questions) => {
    const client = await pool.connect();
    let isOpen = false;
    try {
      await client.query(BEGIN);
      const rows: unknown[][][] = [];
      for (const { sql: text, params: values } of questions) {
        const answer = await client.query<unknown[]>({ text, values, rowMode: 'array' });
        rows.push(answer.rows);
      }
      await client.query('ROLLBACK');
      isOpen = true;
      return rows;
    } finally {
      client.release(!isOpen);
    }
  };
}
