import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Stop } from './stop.ts';

/** Larger than any file that is read, except the table of a batch. */
const SMALL_MAX = 64 * 1024;

/** Reads a file that the user named. Throws Stop when it cannot be read. `what` begins the sentence. */
export function readSmallFile(path: string, what: string, bytesMax = SMALL_MAX): string {
  const bytes = attempt(() => statSync(path).size);
  if (bytes === null)
    throw new Stop('usage', 'no_file', `${what} cannot be read: ${path}`, 'Check the path and its permissions.');
  if (bytes > bytesMax) throw new Stop('usage', 'large_file', `${what} is larger than ${bytesMax} bytes.`, null);
  const text = attempt(() => readFileSync(path, 'utf8'));
  if (text === null)
    throw new Stop('usage', 'no_file', `${what} cannot be read: ${path}`, 'Check the path and its permissions.');
  return text;
}

export function isThere(path: string): boolean {
  return attempt(() => lstatSync(path)) !== null;
}

/** For its owner only. */
export function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** A new file for its owner only, on the disk when this returns. Throws where there is one already. */
export function writeNew(path: string, text: string): void {
  makeDirectory(dirname(path));
  writeThrough(path, text, 'wx');
  syncDirectory(dirname(path));
}

/** `wx`: a new file; `a`: at the end of one. What was written is on the disk when this returns. */
export function writeThrough(path: string, text: string, flag: 'wx' | 'a'): void {
  const file = openSync(path, flag, 0o600);
  try {
    const bytes = Buffer.from(text);
    // One call, because others may append at the same time; a part would be no record.
    const written = writeSync(file, bytes);
    if (written !== bytes.length) throw new Error(`wrote ${written} of ${bytes.length} bytes; the disk may be full`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new name survives a power loss only once its directory is on the disk. */
export function syncDirectory(path: string): void {
  // Windows has no such call and needs none.
  const directory = attempt(() => openSync(path, 'r'));
  if (directory === null) return;
  try {
    attempt(() => fsyncSync(directory));
  } finally {
    closeSync(directory);
  }
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
