import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { z } from 'zod';

const TICKS_PER_SECOND = 100;

/** A program beside this file, in a process of its own; the first line that it writes tells where it is. */
export async function startProgram<T>(name: string, args: readonly string[], facts: z.ZodType<T>) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return {
    facts: facts.parse(JSON.parse(line ?? 'null')),
    cpuSeconds: () => cpuSecondsOf(child),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export type Program = Omit<Awaited<ReturnType<typeof startProgram>>, 'facts'>;

/** User and system time of the process itself, as the kernel counts it. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
