import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const listIn = (folder: string) => join(folder, 'end-with-run');

/** A process that several test processes use, whichever of them has started it, ends when the run does. */
export function endWithRun(pid: number): void {
  appendFileSync(listIn(tmpdir()), `${pid}\n`);
}

/** In the folder of the run. At once: what they have written goes with that folder. */
export function endProcesses(folder: string): void {
  const listed = existsSync(listIn(folder)) ? readFileSync(listIn(folder), 'utf8').trim().split('\n').map(Number) : [];
  const strays = straysIn(folder, new Set(listed));
  for (const pid of listed) end(pid, 'SIGQUIT');
  for (const pid of strays) end(pid, 'SIGKILL');
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended before.
  }
}

/**
 * Programs that work in the folder and that nobody ends, such as a chain whose starter was killed before it could note
 * which process it is. Only Linux shows where a process works. What is listed ends its own children.
 */
function straysIn(folder: string, listed: ReadonlySet<number>): number[] {
  const pids = existsSync('/proc') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  return pids.filter((pid) => {
    try {
      if (listed.has(pid) || !readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)) return false;
      const [, parent] = /\nPPid:\s(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return !listed.has(Number(parent));
    } catch {
      return false;
    }
  });
}
