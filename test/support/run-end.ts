import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const listIn = (folder: string) => join(folder, 'end-with-run');

/** A process that several test processes use, whichever of them has started it, ends when the run does. */
export function endWithRun(pid: number): void {
  appendFileSync(listIn(tmpdir()), `${pid}\n`);
}

/** In the folder of the run. At once: what they have written goes with that folder. */
export function endProcesses(folder: string): void {
  if (!existsSync(listIn(folder))) return;
  for (const pid of readFileSync(listIn(folder), 'utf8').trim().split('\n').map(Number)) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended before.
    }
  }
}
