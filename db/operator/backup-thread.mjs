/**
 * Copies a database and checks the copy. Plain JavaScript, because a thread starts without the loader that reads
 * TypeScript; its caller is `backup.ts`.
 */
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const { path, draft, busyMs } = /** @type {{ path: string, draft: string, busyMs: number }} */ (workerData);
const source = new Database(path, { fileMustExist: true, timeout: busyMs });
source.prepare('VACUUM INTO ?').run(draft);
source.close();
const copy = new Database(draft, { readonly: true });
const found = copy.pragma('integrity_check', { simple: true });
if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
copy.prepare('SELECT 1 FROM migrations').get();
copy.close();
