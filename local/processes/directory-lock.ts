/**
 * Lets one process at a time work on a directory. The lock is a numbered file that names its holder; the highest number
 * counts. A process that finds the holder dead creates the next number instead of deleting the old one, because
 * deleting a stale file and creating a new one can remove a lock that a third process took in between.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-id.ts';
import { createWhole, readIfThere } from './whole-file.ts';

const POLL_MS = 20;
const WAIT_MS = 90_000;
/** No holder works this long: one that seems to is another process that was given a dead holder's number. */
const STALE_MS = 60_000;

/** Runs `work` while no other holder of the same name in `dir` runs. The directory must exist. */
export async function withLock<T>(dir: string, name: string, work: () => Promise<T>): Promise<T> {
  const file = await acquire(dir, name);
  try {
    return await work();
  } finally {
    await unlink(file).catch(() => undefined);
  }
}

async function acquire(dir: string, name: string): Promise<string> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const file = await tryAcquire(dir, name);
    if (file) return file;
    await sleep(POLL_MS * (1 + Math.random()));
  }
  throw new Error(`another process has held ${join(dir, name)} for ${WAIT_MS / 1000} s; end it and start again`);
}

async function tryAcquire(dir: string, name: string): Promise<string | null> {
  const before = await numbers(dir, name);
  const highest = before.at(-1) ?? 0;
  if (highest > 0 && (await isHeld(lockFile(dir, name, highest)))) return null;
  const mine = lockFile(dir, name, highest + 1);
  if (!(await createWhole(mine, String(process.pid)))) return null;
  // We may have looked long before we created: a lock that was not there then has a living holder.
  const strangers = (await numbers(dir, name)).filter((number) => number !== highest + 1 && !before.includes(number));
  if (strangers.length > 0) {
    await unlink(mine).catch(() => undefined);
    return null;
  }
  await Promise.all(before.map((number) => unlink(lockFile(dir, name, number)).catch(() => undefined)));
  return mine;
}

async function isHeld(file: string): Promise<boolean> {
  const [pid, age] = await Promise.all([readIfThere(file), ageMs(file)]);
  // Released between the listing and this look: the next try finds out.
  if (pid === null || age === null) return true;
  return age < STALE_MS && isAlive(Number(pid));
}

async function ageMs(file: string): Promise<number | null> {
  const stats = await stat(file).catch(() => null);
  return stats && Date.now() - stats.mtimeMs;
}

async function numbers(dir: string, name: string): Promise<number[]> {
  const prefix = `${name}.lock.`;
  const found = (await readdir(dir)).filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  return found
    .filter((text) => /^\d+$/.test(text))
    .map(Number)
    .sort((left, right) => left - right);
}

function lockFile(dir: string, name: string, number: number): string {
  return join(dir, `${name}.lock.${number}`);
}
