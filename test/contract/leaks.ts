import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** What only our own code, or a library, could have written: none of it is anybody's business outside. */
const INSIDES: readonly [string, RegExp][] = [
  ['a place in a source file', /\.(?:ts|js|mjs|cjs):\d+/],
  ['a module folder', /node_modules|node:internal/],
  ['a stack', /\n\s+at .+[:(]/],
  [
    'a library’s word',
    /\b(?:zod|zoderror|hono|viem|drizzle|better-sqlite3|sqlite|sqlite_[a-z_]+|postgres|ioredis|bullmq|undici|pino|litesvm)\b/i,
  ],
  [
    'an error of the runtime',
    /\b(?:Type|Syntax|Range|Reference|Aggregate|Abort)Error\b|Unexpected token|JSON at position|\bECONN[A-Z]+\b|\bERR_[A-Z_]+\b|\[object |\bundefined\b/,
  ],
];

/**
 * What of the server's insides stands in an answer; empty when nothing does. `secrets` are texts of this installation,
 * such as the address of its node. What the caller sent may stand in an answer, so callers here send none of these words.
 */
export function leaksIn(text: string, secrets: readonly string[] = []): string[] {
  const inside = INSIDES.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
  const named = [ROOT, ...secrets].filter((secret) => text.includes(secret)).map((secret) => `"${secret}"`);
  return [...inside, ...named];
}
