import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeptErasure } from '../../db/chats/erase.ts';

const kept = z.object({ user: z.string(), atMs: z.int() });

/** The name under which the list keeps a person: it must not reveal whom it forgets. */
export function erasedName(userId: string): string {
  return createHash('sha256').update(`pennypost/erased/${userId}`).digest('hex');
}

/** The same for a person by a proven name, of whom more is erased than of an account in a chat. */
export const personName = ({ platform, stableId }: { platform: string; stableId: string }): string =>
  `person/${platform}:${stableId}`;

export type ErasureList = { note: (userId: string, atMs: number) => Promise<void>; read: () => Promise<KeptErasure[]> };

/**
 * Erasures that people asked for, a line each, outside the database: one that is restored from before an erasure has
 * forgotten it, and `operator reconcile` repeats it from here.
 */
export function createErasureList(dataDir: string): ErasureList {
  const path = join(dataDir, 'erasures.jsonl');
  return {
    note: (userId, atMs) =>
      // On a line of its own, also after one that a crash cut off.
      appendFile(path, `\n${JSON.stringify({ user: erasedName(userId), atMs })}\n`, { mode: 0o600, flush: true }),
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').flatMap(toErasure);
    },
  };
}

/** A line that a crash cut off names nobody. */
function toErasure(line: string): KeptErasure[] {
  try {
    return [kept.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
