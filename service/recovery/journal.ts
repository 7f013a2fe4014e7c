import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** One signed transaction: written before it is sent, and only these bytes are sent again. */
const attemptSchema = z.object({
  walletId: z.string(),
  generation: z.int().nonnegative(),
  signature: z.string(),
  /** Base64. */
  wire: z.string().max(2_000),
  lastValidHeight: z.int().nonnegative(),
});
export type Attempt = z.infer<typeof attemptSchema>;

const endSchema = z.object({ signature: z.string(), end: z.enum(['landed', 'failed', 'dead']) });
export type AttemptEnd = z.infer<typeof endSchema>['end'];

export type Journal = {
  /** A wallet's newest attempt and its end; null: it may still land. */
  last: (walletId: string) => { attempt: Attempt; end: AttemptEnd | null } | null;
  /** On disk when it returns. */
  begin: (attempt: Attempt) => void;
  finish: (attempt: Attempt, end: AttemptEnd) => void;
};

/** Appends lines to a file. Half a line at its end comes from a crash; its transaction was not sent. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const attempts = new Map<string, Attempt>();
  const ends = new Map<string, AttemptEnd>();
  const isNew = !existsSync(path);
  for (const line of isNew ? [] : readFileSync(path, 'utf8').split('\n')) {
    const found = toJson(line);
    const attempt = attemptSchema.safeParse(found).data;
    const ended = endSchema.safeParse(found).data;
    if (attempt) attempts.set(attempt.walletId, attempt);
    else if (ended) ends.set(ended.signature, ended.end);
  }
  const append = (fact: object): void => appendLine(path, JSON.stringify(fact));
  // Starts a new line, even after a broken one.
  if (!isNew) appendLine(path, '');
  return {
    last(walletId) {
      const attempt = attempts.get(walletId);
      return attempt === undefined ? null : { attempt, end: ends.get(attempt.signature) ?? null };
    },
    begin(attempt) {
      append(attempt);
      attempts.set(attempt.walletId, attempt);
    },
    finish({ signature }, end) {
      append({ signature, end });
      ends.set(signature, end);
    },
  };
}

function appendLine(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, `${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
