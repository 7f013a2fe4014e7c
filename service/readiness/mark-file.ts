import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { KeptMark, MarkPlace } from '../../db/processes/high-water.ts';

const kept = z.object({ holder: z.string().min(1), mark: z.int().nonnegative() });

/** A small file beside the data, outside the database. It must outlive the database: a backup of both shows nothing. */
export function createMarkFile(path: string): MarkPlace {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      });
      return text === null ? null : kept.parse(JSON.parse(text));
    },
    write: async (mark) => writeWhole(path, mark),
  };
}

/** On the disk when it returns; after a crash there is the old file or the new one. */
function writeWhole(path: string, mark: KeptMark): void {
  // Another process of the same data must not rename this one's draft.
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(mark));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
