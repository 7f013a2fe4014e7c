/** A process of a bench, and what it does meanwhile. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** For Node, before the program: what answers the questions below. */
export const PROBE = ['--import', join(import.meta.dirname, '..', 'programs', 'probe.mjs')] as const;

const TICKS_PER_SECOND = 100;

const reportSchema = z.object({
  calls: z.record(z.string(), z.record(z.string(), z.number())),
  loopMaxMs: z.number(),
  rssBytes: z.number(),
});
export type Report = z.infer<typeof reportSchema>;

/** User and system time of all threads of a process, as the kernel counts it; not that of its children. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Since the last time that it was asked. The process was started with `PROBE`. */
export async function askReport(child: ChildProcess): Promise<Report> {
  const answered = once(child, 'message');
  child.send({ ask: 'report' });
  const [report] = (await answered) as unknown[];
  return reportSchema.parse(report);
}

export async function startProfile(child: ChildProcess): Promise<void> {
  const answered = once(child, 'message');
  child.send({ ask: 'profile' });
  await answered;
}

export async function keepProfile(child: ChildProcess, folder: string): Promise<void> {
  const answered = once(child, 'message');
  child.send({ ask: 'keep profile', folder });
  await answered;
}
