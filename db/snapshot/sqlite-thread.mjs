/**
 * Answers questions on a connection that cannot write, each list of them on one snapshot. Plain JavaScript, because a
 * thread starts without the loader that reads TypeScript; its caller is `sqlite.ts`.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const { path } = /** @type {{ path: string }} */ (workerData);
const handle = new Database(path, { readonly: true, timeout: 5_000 });
handle.function('sha256_hex', { deterministic: true }, (text) =>
  createHash('sha256').update(String(text)).digest('hex'),
);

parentPort?.on('message', (/** @type {{ sql: string, params: unknown[] }[]} */ questions) => {
  handle.exec('BEGIN');
  try {
    parentPort?.postMessage(
      questions.map(({ sql, params }) =>
        handle
          .prepare(sql)
          .raw()
          .all(...params),
      ),
    );
  } finally {
    handle.exec('ROLLBACK');
  }
});
