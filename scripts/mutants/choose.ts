import { createHash } from 'node:crypto';
import { folderOf, isCode } from '../house/tree.ts';
import { MONEY_CODE, type MoneyPart } from './money-code.ts';
import { mutationsIn, type Mutation } from './mutations.ts';

/** A mutation, and the tests that should notice it: those of the mirrored folder first, then those of the whole way. */
export type Mutant = Mutation & { mirrored: readonly string[]; slices: readonly string[] };

/** All mutants of the money code, in an order that the seed alone decides. A change elsewhere moves none of them. */
export function chooseMutants(texts: ReadonlyMap<string, string>, seed: string, files: RegExp | null): Mutant[] {
  return [...texts]
    .flatMap(([file, text]) => {
      const part = partOf(file);
      if (!part || !isCode(file) || (files && !files.test(file))) return [];
      const mirrored = mirroredTests(file, [...texts.keys()]);
      return mutationsIn(file, text).map((mutation) => ({ ...mutation, mirrored, slices: part.slices }));
    })
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed} ${mutant.id}`).digest('hex') }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** Rows without a file: the code that they named has moved. */
export function lostParts(files: Iterable<string>): MoneyPart[] {
  const all = [...files];
  return MONEY_CODE.filter(
    (part) => !all.some((file) => fits(part, file)) || part.slices.some((slice) => !all.includes(slice)),
  );
}

/** `*` stands for a part of a name, `**` for any folders. */
export function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*/g, (star) => (star === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

/** The tests in the folder that mirrors the file's; where there is none, in the nearest one above it. */
export function mirroredTests(file: string, files: readonly string[]): string[] {
  const tests = files.filter((one) => one.endsWith('.test.ts'));
  for (let folder = folderOf(file); folder !== '.'; folder = folderOf(folder)) {
    const beside = tests.filter((test) => folderOf(test) === `test/${folder}`);
    if (beside.length > 0) return beside.sort();
  }
  return [];
}

function partOf(file: string): MoneyPart | undefined {
  return MONEY_CODE.find((part) => fits(part, file));
}

function fits({ path }: MoneyPart, file: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}
