import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder on the disk, for what is about writing to one. Others are in memory (`whole-run.ts`). */
export function createDiskFolder(prefix: string): string {
  return mkdtempSync(join(process.env['PENNYPOST_TEST_DISK'] ?? tmpdir(), prefix));
}
