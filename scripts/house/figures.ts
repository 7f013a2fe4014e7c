import { DIALECT, OLD_NAMES } from './dialect.ts';
import { isCode, linesIn, topFolderOf, type House } from './tree.ts';

const SMALL_FILE_LINES = 40;

/** From the lowest floor up; the folders beside the floors come last. A folder that is not named has no floor yet. */
const FLOORS: readonly { floor: string; folders: readonly string[] }[] = [
  { floor: '0', folders: ['core'] },
  { floor: '½', folders: ['texts'] },
  { floor: '1', folders: ['db', 'chain', 'identity', 'queue', 'client', 'web'] },
  { floor: '2', folders: ['api', 'worker', 'bot', 'cli'] },
  { floor: '3', folders: ['service', '.'] },
  { floor: 'beside', folders: ['local', 'scripts', 'docs', 'test'] },
];

export type Size = { floor: string; folder: string; files: number; lines: number };
export type WordCount = { word: string; count: number };

/** One row per top folder, by floors. */
export function sizes(house: House): Size[] {
  const found = new Map<string, { files: number; lines: number }>();
  for (const [path, text] of house.texts) {
    if (!isCode(path)) continue;
    const { files, lines } = found.get(topFolderOf(path)) ?? { files: 0, lines: 0 };
    found.set(topFolderOf(path), { files: files + 1, lines: lines + linesIn(text) });
  }
  const named = FLOORS.flatMap(({ floor, folders }) => folders.map((folder) => ({ floor, folder })));
  const unnamed = [...found.keys()]
    .filter((folder) => !named.some((one) => one.folder === folder))
    .map((folder) => ({ floor: 'none', folder }));
  return [...named, ...unnamed].flatMap(({ floor, folder }) => {
    const size = found.get(folder);
    return size ? [{ floor, folder, ...size }] : [];
  });
}

export function smallFiles(house: House): { small: number; all: number } {
  const sources = [...house.sources.values()];
  return { small: sources.filter(({ text }) => linesIn(text) <= SMALL_FILE_LINES).length, all: sources.length };
}

/** In all code and documents, of tests too; the lists themselves do not count. */
export function dialect(house: House): WordCount[] {
  return countWords(house, DIALECT);
}

export function oldNames(house: House): WordCount[] {
  return countWords(house, OLD_NAMES);
}

function countWords(house: House, words: typeof DIALECT): WordCount[] {
  const texts = [...house.texts].filter(([path]) => /\.(ts|md)$/.test(path) && path !== 'scripts/house/dialect.ts');
  return words.map(({ word, pattern }) => ({
    word,
    count: texts.reduce((sum, [, text]) => sum + (text.match(pattern)?.length ?? 0), 0),
  }));
}
