import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive } from './process-id.ts';

/**
 * A lock for systems without flock(1): a file that holds the pid of its owner, and is void when that process is gone.
 * The file appears and changes with its content in one step (link, rename), so a reader never sees half of it. Answers
 * false while a live process owns it.
 */
export function takeLockFile(path: string): boolean {
  for (;;) {
    if (createLockFile(path)) return true;
    const owner = readOwner(path);
    if (owner === null) continue;
    if (owner !== 0 && isAlive(owner)) return false;
    buryLockFile(path, owner);
  }
}

/** Gives a lock that this process owns to another, which keeps it until it ends. */
export function handOverLockFile(path: string, pid: number): void {
  const draft = `${path}.draft.${process.pid}`;
  writeFileSync(draft, String(pid));
  renameSync(draft, path);
}

/** Removes the lock if `pid` owns it. */
export function releaseLockFile(path: string, pid: number): void {
  if (readOwner(path) === pid) rmSync(path, { force: true });
}

function createLockFile(path: string): boolean {
  const draft = `${path}.draft.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The pid in the file, 0 when it holds none, null when there is no file. */
function readOwner(path: string): number | null {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || 0;
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Moves a void lock out of the way. Two processes may find the same one void, and the slower would take away the new
 * lock of the faster: so the moved file is read again, and put back if it is not the void one.
 */
function buryLockFile(path: string, owner: number): void {
  const grave = `${path}.${process.pid}`;
  try {
    renameSync(path, grave);
    if (readOwner(grave) !== owner) linkSync(grave, path);
  } catch (error) {
    if (!isErrorCode(error, 'ENOENT') && !isErrorCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(grave, { force: true });
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
