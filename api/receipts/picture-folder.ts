import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** About 60 kB each. */
const PICTURES_MAX = 2_000;
/** A receipt is read most in the hours after its payment; and no name stays on the disk for long. */
const KEPT_MS = 7 * 24 * 3_600_000;
const SWEPT_EVERY = 100;
/** As `preview.ts` makes them. */
const NAME = /^[\w-]{22}$/;

/** Drawn pictures as files, so that a restart draws none of them again. A failure of the disk only costs a drawing. */
export type PictureFolder = {
  find: (name: string) => Promise<Uint8Array | null>;
  keep: (name: string, png: Uint8Array) => Promise<void>;
};

export function createPictureFolder(dir: string, now: () => number, picturesMax = PICTURES_MAX): PictureFolder {
  let kept = 0;
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error(`expected the name of a picture, found ${name.length} characters`);
    return join(dir, `${name}.png`);
  };

  async function sweep(): Promise<void> {
    const files = await Promise.all(
      (await readdir(dir)).map(async (file) => ({
        path: join(dir, file),
        atMs: (await stat(join(dir, file))).mtimeMs,
      })),
    );
    const newest = files.toSorted((a, b) => b.atMs - a.atMs);
    const over = newest.filter(({ atMs }, index) => index >= picturesMax || atMs < now() - KEPT_MS);
    for (const { path } of over) await rm(path, { force: true });
  }

  return {
    find: async (name) => {
      try {
        return await readFile(pathOf(name));
      } catch {
        // Not there, or not readable: it is drawn.
        return null;
      }
    },
    keep: async (name, png) => {
      const path = pathOf(name);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      // Written beside it first: another process must never read half a picture.
      const beside = `${path}.${process.pid}`;
      await writeFile(beside, png, { mode: 0o600 });
      await rename(beside, path);
      if (kept % SWEPT_EVERY === 0) await sweep();
      kept += 1;
    },
  };
}
