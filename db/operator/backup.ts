import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { openSqlite } from '../store/store-sqlite.ts';

const NAME = /^pennypost-\d{8}T\d{6}Z\.sqlite$/;
const BUSY_MS = 15_000;

export type Backup = { file: string; removed: string[] };

/**
 * Writes a copy of the database, whole and at one moment, while the service goes on. It has its name only once it has been
 * opened and checked, so a file of that name can be restored. The newest `keep` stay.
 */
export function backupSqlite(path: string, folder: string, keep: number, nowMs: number): Backup {
  const { file, draft } = begin(folder, nowMs);
  try {
    copy(path, draft);
    check(draft);
    return finish({ file, draft, folder, keep });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The same for a process that serves: a thread of its own copies and checks. */
export async function backupInThread(path: string, folder: string, keep: number, nowMs: number): Promise<Backup> {
  const { file, draft } = begin(folder, nowMs);
  try {
    await runThread(path, draft);
    return finish({ file, draft, folder, keep });
  } finally {
    rmSync(draft, { force: true });
  }
}

function begin(folder: string, nowMs: number): { file: string; draft: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `pennypost-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}.sqlite`;
  const file = join(folder, name);
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  return { file, draft };
}

type Written = { file: string; draft: string; folder: string; keep: number };

function finish({ file, draft, folder, keep }: Written): Backup {
  chmodSync(draft, 0o600);
  sync(draft);
  renameSync(draft, file);
  sync(folder);
  const others = readdirSync(folder).filter((one) => NAME.test(one) && one !== basename(file));
  const removed = others.toSorted().slice(0, Math.max(0, others.length + 1 - keep));
  for (const one of removed) rmSync(join(folder, one));
  return { file, removed };
}

async function runThread(path: string, draft: string): Promise<void> {
  const workerData = { path, draft, busyMs: BUSY_MS };
  // Neither the loader of this process nor its secrets.
  const thread = new Worker(new URL('./backup-thread.mjs', import.meta.url), { workerData, execArgv: [], env: {} });
  // Rejects where the thread fails.
  const exit: unknown[] = await once(thread, 'exit');
  if (exit[0] !== 0) throw new Error(`the copy of the database ended with ${String(exit[0])}`);
}

function copy(path: string, draft: string): void {
  const handle = openSqlite(path, BUSY_MS);
  try {
    handle.prepare('VACUUM INTO ?').run(draft);
  } finally {
    handle.close();
  }
}

function check(draft: string): void {
  const handle = new Database(draft, { readonly: true });
  try {
    const found: unknown = handle.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
    handle.prepare('SELECT 1 FROM migrations').get();
  } finally {
    handle.close();
  }
}

/** A name outlives a loss of power only once its folder is on the disk. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
