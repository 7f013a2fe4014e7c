/** Which processes use something that outlives them: a file for each, named after its process id, in `dir`. */
import { mkdir, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './directory-lock.ts';
import { isAlive } from './process-id.ts';

const USERS = 'users';
const PREFIX = 'user.';

/** Call it before the thing is adopted: from then on no other process stops it. */
export async function joinUsers(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await withLock(dir, USERS, () => writeFile(join(dir, `${PREFIX}${process.pid}`), '', { mode: 0o600 }));
}

/** Runs `stop` unless another living process uses the thing. What a killed process has left behind is cleared away. */
export async function leaveUsers(dir: string, stop: () => Promise<void>): Promise<void> {
  await withLock(dir, USERS, async () => {
    const users = (await readdir(dir)).filter((file) => file.startsWith(PREFIX));
    const gone = users.filter((file) => !isOtherAlive(Number(file.slice(PREFIX.length))));
    await Promise.all(gone.map((file) => unlink(join(dir, file)).catch(() => undefined)));
    if (gone.length === users.length) await stop();
  });
}

function isOtherAlive(pid: number): boolean {
  return pid !== process.pid && isAlive(pid);
}
