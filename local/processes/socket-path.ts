import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Misconfigured } from '../../core/config/misconfigured.ts';

/** sun_path holds 104 bytes on macOS and 108 on Linux, with a closing zero. */
const SOCKET_PATH_LIMIT_BYTES = 100;

/**
 * In the folder itself, or, when that path is too long for a socket, under the temporary folder by a hash of it: a
 * name that every process finds again.
 */
export function socketPath(home: string, file: string): string {
  const direct = join(home, file);
  if (Buffer.byteLength(direct) <= SOCKET_PATH_LIMIT_BYTES) return direct;
  const name = `pennypost-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const folder = join(Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : '/tmp', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Any user may create names in the temporary folder: only a folder that is ours alone is used.
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Misconfigured(`${folder} belongs to another user: remove it, or choose a shorter DATA_DIR than ${home}`);
  }
  return join(folder, file);
}
