import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { PROBE } from '../load/watched.ts';

/** A program beside this file, in a process of its own; the first line that it writes tells where it is. */
export async function startProgram<T>(name: string, args: readonly string[], facts: z.ZodType<T>) {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [...process.execArgv, ...PROBE, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error(`${name} has no output`);
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return {
    facts: facts.parse(JSON.parse(line ?? 'null')),
    child,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
