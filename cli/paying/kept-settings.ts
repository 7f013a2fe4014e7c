import { join } from 'node:path';
import { z } from 'zod';
import { isThere, readSmallFile, writeNew } from '../terminal/files.ts';
import { Stop } from '../terminal/stop.ts';

/** What `pennypost init` has written. Options and the environment go before it. */
const keptSchema = z.strictObject({
  version: z.literal(1),
  url: z.string().max(2_000),
  solana_rpc_url: z.string().max(2_000).nullable(),
});
export type KeptSettings = z.infer<typeof keptSchema>;

export function settingsPath(home: string): string {
  return join(home, 'settings.json');
}

/** Null where there is none. Throws Stop for one that cannot be read: another service must not be asked in its place. */
export function readKeptSettings(home: string): KeptSettings | null {
  const path = settingsPath(home);
  if (!isThere(path)) return null;
  const parsed = keptSchema.safeParse(toJson(readSmallFile(path, 'The file of settings')));
  if (parsed.success) return parsed.data;
  throw new Stop('usage', 'bad_file', `The settings cannot be read: ${path}`, 'Move it away, and run: pennypost init');
}

export function writeKeptSettings(home: string, kept: KeptSettings): void {
  writeNew(settingsPath(home), `${JSON.stringify(kept, null, 2)}\n`);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
