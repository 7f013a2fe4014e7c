import { readFile, stat } from 'node:fs/promises';
import { readScreeningList, type ScreeningList } from '../../core/screening/screening.ts';

const BYTES_MAX = 64 * 1024 * 1024;

/** Read anew when it has changed, so that a list can be replaced while the service runs. Throws where it cannot be read. */
export function watchList(path: string): () => Promise<ScreeningList> {
  let known: { stamp: string; list: Promise<ScreeningList> } | null = null;
  return async () => {
    const { mtimeMs, size, ino } = await stat(path);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    if (known?.stamp === stamp) return known.list;
    if (size > BYTES_MAX) throw new Error(`the list ${path} is larger than ${BYTES_MAX} bytes`);
    known = { stamp, list: readFile(path, 'utf8').then(readScreeningList) };
    return known.list;
  };
}
