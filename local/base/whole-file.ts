/** Small files that other processes read while we write them: they appear whole or not at all. */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';

/** Replaces the file in one step. Readable by its owner only, unless another mode is given. */
export async function writeWhole(file: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

/** Creates the file with its content in one step. Answers false if it was there already, which then stays as it is. */
export async function createWhole(file: string, text: string, mode = 0o600): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
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

function isFileError(error: unknown, code: 'EEXIST' | 'ENOENT'): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
