import { mkdirSync } from 'node:fs';
import { Misconfigured } from '../../core/config/misconfigured.ts';

/** For its owner alone. Throws `Misconfigured` where it can be neither found nor made. */
export function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Misconfigured(
      `DATA_DIR is ${dataDir}, where no folder can be made (${code}). Give it to the user who runs this, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}
