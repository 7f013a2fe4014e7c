import { readFileSync } from 'node:fs';

/** Whether a process with this id runs. A process of another user counts: there the signal is only refused. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** An orphan that has ended keeps its id until init collects it, which in a container may be late or never. */
function isZombie(pid: number): boolean {
  try {
    // `pid (name) state …`, where the name may hold anything; other systems than Linux have no such file.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.startsWith(') Z ', fields.lastIndexOf(') '));
  } catch {
    return false;
  }
}
