/** Small files that other processes read while we write them: they appear whole or not at all. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';

/** Replaces the file in one step. Readable by its owner only, unless another mode is given. */
export async function writeWhole(file: string, text: string, mode = 0o600): Promise<void> {
  const draft = draftOf(file);
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

/** Creates the file with its content in one step. Answers false if it was there already, which then stays as it is. */
export async function createWhole(file: string, text: string, mode = 0o600): Promise<boolean> {
  const draft = draftOf(file);
  await writeFile(draft, text, { mode });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** The text of a file, or null where there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null;
    throw error;
  }
}

/** `writeWhole` for those who cannot wait. */
export function writeWholeSync(file: string, text: string, mode = 0o600): void {
  const draft = draftOf(file);
  writeFileSync(draft, text, { mode });
  renameSync(draft, file);
}

/** `createWhole` for those who cannot wait. */
export function createWholeSync(file: string, text: string, mode = 0o600): boolean {
  const draft = draftOf(file);
  writeFileSync(draft, text, { mode });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** `readIfThere` for those who cannot wait. */
export function readIfThereSync(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null;
    throw error;
  }
}

function draftOf(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

function isFileError(error: unknown, code: 'EEXIST' | 'ENOENT'): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
