import { posix } from 'node:path';
import { folderOf, lineAt, type House, type Source } from './tree.ts';
import { stringIn, walk } from './walk.ts';

/** One import of one file by another, of types included. */
export type Import = { from: string; to: string; line: number };

/** All imports between files of the house; what comes from packages is left out. */
export function importsOf(house: House): Import[] {
  return [...house.sources.values()].flatMap((source) =>
    specifiersIn(source).flatMap(({ specifier, offset }) => {
      const to = resolveImport(source.path, specifier);
      return house.sources.has(to) ? [{ from: source.path, to, line: lineAt(source.text, offset) }] : [];
    }),
  );
}

/** Imports here name files in full, so there is nothing to look for. */
export function resolveImport(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(folderOf(from), specifier) : specifier;
}

function specifiersIn({ program }: Source): { specifier: string; offset: number }[] {
  const found: { specifier: string; offset: number }[] = [];
  walk(program, (node) => {
    if (!('source' in node)) return;
    const specifier = stringIn(node.source);
    if (specifier !== null) found.push({ specifier, offset: node.start });
  });
  return found;
}
