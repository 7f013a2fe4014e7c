/**
 * What holds for a whole run. The files of the tests are in memory: by themselves they write 10 GB, and wait for the disk
 * at each commit. What is about files that outlive a death asks for a folder on the disk (`disk-folder.ts`).
 */
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../local/processes/process-id.ts';
import { endProcesses } from './run-end.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'pennypost-test-';
/** Several times what the tests have open at once. A container often has 64 MB, and those stay on the disk. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** In the first process of all, before it starts the others, which inherit the names of what it makes. */
export function beginRun(): void {
  const run = String(process.pid);
  // vitest reads its configuration once for each project.
  if (process.env['PENNYPOST_TEST_RUN'] === run) return;
  process.env['PENNYPOST_TEST_RUN'] = run;
  const disk = tmpdir();
  const parent = hasRoom() ? MEMORY : disk;
  removeLeftovers(parent);
  process.env['PENNYPOST_TEST_DISK'] = disk;
  process.env['TMPDIR'] = createFolder(parent, disk);
}

/** All temporary files of the run are in it, and go with it. */
function createFolder(parent: string, disk: string): string {
  const folder = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(folder);
  process.once('exit', () => {
    endProcesses(folder);
    removeWhole(folder);
  });
  // PostgreSQL runs as another user than root, and has to come through to its own folder.
  chmodSync(folder, 0o711);
  // tsx would compile everything anew.
  const tsx = `tsx-${process.getuid?.() ?? ''}`;
  mkdirSync(join(disk, tsx), { recursive: true });
  symlinkSync(join(disk, tsx), join(folder, tsx));
  return folder;
}

/** Also while a process that was ended this instant still writes to it. */
function removeWhole(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Other systems than Linux have no such folder.
    return false;
  }
}

/** Of runs that were ended by a signal. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) removeWhole(join(parent, name));
  }
}
