import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type Program } from 'oxc-parser';

/** One file of the repository. Paths are relative to its root, with slashes. */
export type House = {
  files: readonly string[];
  texts: ReadonlyMap<string, string>;
  sources: ReadonlyMap<string, Source>;
};

/** A parsed file of the product: all code but tests and examples. */
export type Source = { path: string; text: string; program: Program };

/** Where a gate found something, and what. `file` is a folder for the gates about folders. */
export type Place = { file: string; line?: number; what: string };

/** Made by tools or by a run. Everything else is read, committed or not. */
const SKIPPED = new Set(['node_modules', '.git', '.cache', 'data', 'coverage', 'test/.tmp']);
const READ = /\.(ts|mjs|js|css|md|json|sh)$/;
const CODE = /\.(ts|mjs|js)$/;
const NOT_PRODUCT = /^(test|docs)\//;

/** All files; only text that people write is read. */
export function readTree(root: string): Pick<House, 'files' | 'texts'> {
  const files = listFiles(root, '').sort();
  const read = files.filter((file) => READ.test(file));
  return { files, texts: new Map(read.map((file) => [file, readFileSync(join(root, file), 'utf8')])) };
}

export function readHouse(root: string): House {
  const { files, texts } = readTree(root);
  const sources = new Map<string, Source>();
  for (const [path, text] of texts) {
    if (CODE.test(path) && !NOT_PRODUCT.test(path)) sources.set(path, { path, text, program: parse(path, text) });
  }
  return { files, texts, sources };
}

export function isCode(path: string): boolean {
  return CODE.test(path);
}

/** `.` for the root. */
export function folderOf(path: string): string {
  return posix.dirname(path);
}

export function topFolderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
}

export function linesIn(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Counted from 1, as editors do. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** A file that does not parse would pass every gate, so it stops the run. */
export function parse(path: string, text: string): Program {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return program;
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (SKIPPED.has(path) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}
