import { readFileSync } from 'node:fs';

/** Counted from the state, the third field (proc_pid_stat(5)). */
const THREADS_FIELD = 17;

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

/**
 * An orphan that has ended keeps its id until init collects it, which in a container may be late or never. While other
 * threads of it are still ending it holds its ports and files, so it is alive until they are gone.
 */
function isZombie(pid: number): boolean {
  try {
    // `pid (name) state …`, where the name may hold anything; other systems than Linux have no such file.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
    return fields[0] === 'Z' && Number(fields[THREADS_FIELD]) <= 1;
  } catch {
    return false;
  }
}
