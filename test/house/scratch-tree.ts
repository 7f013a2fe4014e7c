import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A tree of these files and the project's packages. The caller removes it. */
export function plantTree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'pennypost-house-'));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  return root;
}
