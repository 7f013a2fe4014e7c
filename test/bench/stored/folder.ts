/** A data folder in which so many payments are finished; made once, and used again by every row that wants as many. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Beside what was measured, so that it goes with the cache. */
export const folderOf = (count: number): string => join(ROOT, '.cache', 'bench', 'stored', String(count));

export async function storedFolder(count: number): Promise<string> {
  const folder = folderOf(count);
  if (existsSync(folder)) return folder;
  const args = ['--import', 'tsx', join(import.meta.dirname, 'make.ts'), String(count)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${count} payments could not be stored`);
  return folder;
}
