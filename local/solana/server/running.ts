/** `running.json`: what a server reports about itself when it is ready. It stays after its end, for its port. */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writeWhole } from '../../processes/whole-file.ts';

const runningSchema = z.object({
  pid: z.int(),
  port: z.int(),
  instanceId: z.string(),
  origin: z.enum(['fresh', 'restored']),
  /** For the starter's log. */
  warnings: z.array(z.string()),
});
export type Running = z.infer<typeof runningSchema>;

export async function writeRunning(dir: string, running: Running): Promise<void> {
  await writeWhole(runningFile(dir), JSON.stringify(running));
}

/** A file that is damaged is as good as none: it only costs another port. */
export async function readRunning(dir: string): Promise<Running | null> {
  const text = await readIfThere(runningFile(dir));
  if (text === null) return null;
  try {
    return runningSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function runningFile(dir: string): string {
  return join(dir, 'running.json');
}
