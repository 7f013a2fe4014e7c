import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { folderOf, parse } from './tree.ts';
import { stringIn, walk } from './walk.ts';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ title: z.string(), duration: z.number().nullish() })),
    }),
  ),
});

export type TestFile = { file: string; seconds: number; tests: { title: string; seconds: number }[] };
export type Group = { name: string; seconds: number; tests: number };

/** Reads what `npm test -- --reporter=json --outputFile=FILE` wrote. Seconds of files that ran side by side add up. */
export function readTestFiles(path: string): TestFile[] {
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: name.replace(/^.*?\/(?=test\/)/, ''),
    seconds: (endTime - startTime) / 1_000,
    tests: assertionResults.map(({ title, duration }) => ({ title, seconds: (duration ?? 0) / 1_000 })),
  }));
}

/** By folder; inner folders count for themselves. Longest first. */
export function byFolder(files: readonly TestFile[]): Group[] {
  return groups(files.map(({ file, seconds, tests }) => ({ name: folderOf(file), seconds, tests: tests.length })));
}

export function byFile(files: readonly TestFile[]): Group[] {
  return groups(files.map(({ file, seconds, tests }) => ({ name: file, seconds, tests: tests.length })));
}

/** Tests of one file whose titles come from one table, or differ in numbers only. A test alone is no group. */
export function byTitle(files: readonly TestFile[], texts: ReadonlyMap<string, string>): Group[] {
  const tests = files.flatMap(({ file, tests: all }) => {
    const titles = titlesIn(file, texts.get(file) ?? '');
    return all.map(({ title, seconds }) => ({ name: `${file}  ${shapeOf(title, titles)}`, seconds, tests: 1 }));
  });
  return groups(tests).filter((group) => group.tests > 1);
}

/** The same title in several files: one suite run several times, or one fact proven twice. */
export function bySharedTitle(files: readonly TestFile[]): Group[] {
  const homes = new Map<string, Set<string>>();
  for (const { file, tests } of files) {
    for (const { title } of tests) homes.set(title, (homes.get(title) ?? new Set()).add(file));
  }
  const shared = files.flatMap(({ tests }) => tests.filter(({ title }) => (homes.get(title)?.size ?? 0) > 1));
  return groups(shared.map(({ title, seconds }) => ({ name: title, seconds, tests: 1 }))).map((group) => ({
    ...group,
    name: `${group.name}  (${[...(homes.get(group.name) ?? [])].join(', ')})`,
  }));
}

function groups(parts: readonly Group[]): Group[] {
  const found = new Map<string, Group>();
  for (const { name, seconds, tests } of parts) {
    const group = found.get(name) ?? { name, seconds: 0, tests: 0 };
    found.set(name, { name, seconds: group.seconds + seconds, tests: group.tests + tests });
  }
  return [...found.values()].sort((one, other) => other.seconds - one.seconds);
}

type Table = { title: string; pattern: RegExp };

function shapeOf(title: string, { own, tables }: ReturnType<typeof titlesIn>): string {
  if (own.has(title)) return title;
  return tables.find(({ pattern }) => pattern.test(title))?.title ?? title.replace(/\d+/g, '#');
}

/** Titles of single tests, and those of `test.each` with a pattern for what stands in the places of `%s` and `$name`. */
function titlesIn(file: string, text: string): { own: Set<string>; tables: Table[] } {
  const own = new Set<string>();
  const tables: Table[] = [];
  walk(parse(file, text), (node) => {
    const title = node.type === 'CallExpression' ? stringIn(node.arguments[0]) : null;
    if (node.type !== 'CallExpression' || title === null) return;
    if (node.callee.type === 'CallExpression') tables.push({ title, pattern: tablePattern(title) });
    else own.add(title);
  });
  // The title with more words of its own fits better.
  return { own, tables: tables.sort((one, other) => other.title.length - one.title.length) };
}

function tablePattern(title: string): RegExp {
  const parts = title.split(/%[sdifjop#]|\$[\w.]+/).map((part) => part.replace(/[.*+?^$\\{}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
