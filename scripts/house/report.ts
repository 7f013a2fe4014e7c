import { dialect, oldNames, sizes, smallFiles, type WordCount } from './figures.ts';
import type { Result } from './gates.ts';
import { byFile, byFolder, bySharedTitle, byTitle, type Group, type TestFile } from './test-times.ts';
import type { TipFiles } from './tip.ts';
import type { House, Place } from './tree.ts';
import type { Upward } from './upward.ts';

const PLACES_SHOWN = 20;
const GROUPS_SHOWN = 30;

/** A line per gate, and below them what each broken one found. */
export function formatGates(results: readonly Result[], showAll: boolean): string {
  const width = Math.max(...results.map(({ gate }) => gate.title.length));
  const rows = results.map(
    ({ gate, count, holds }) =>
      `  ${holds ? '✓' : '✗'} ${gate.title.padEnd(width)} ${column(count)}   at most ${gate.limit}`,
  );
  const broken = results.filter(({ holds }) => !holds).map((result) => formatPlaces(result, showAll));
  const unused = results.flatMap((result) => result.unused.map(({ path }) => `  ${path} (${result.gate.title})`));
  const notes = unused.length > 0 ? ['\nExemptions that excuse nothing:', ...unused] : [];
  return ['Gates', ...rows, ...broken, ...notes].join('\n');
}

export function formatFigures(house: House): string {
  const rows = sizes(house).map(
    ({ floor, folder, files, lines }) =>
      `  ${floor.padEnd(6)} ${(folder === '.' ? 'root' : folder).padEnd(9)} ${column(files)} files ${column(lines)} lines`,
  );
  const { small, all } = smallFiles(house);
  return [
    'Size by floor',
    ...rows,
    `\nFiles of the product: ${formatCount(all)}, of at most 40 lines: ${Math.round((100 * small) / all)} %`,
    formatWords('Words of the dialect', dialect(house)),
    formatWords('Old names', oldNames(house)),
  ].join('\n');
}

/** Where the time of the tests goes: added up over workers, so the clock on the wall shows less. */
export function formatTestTimes(files: readonly TestFile[], texts: ReadonlyMap<string, string>): string {
  return [
    formatGroups('All', [{ name: 'test', seconds: sum(files), tests: files.flatMap(({ tests }) => tests).length }]),
    formatGroups('By folder', byFolder(files)),
    formatGroups('Longest files', byFile(files).slice(0, GROUPS_SHOWN)),
    formatGroups('One table, or titles that differ in numbers only', byTitle(files, texts).slice(0, GROUPS_SHOWN)),
    formatGroups('The same title in several files', bySharedTitle(files).slice(0, GROUPS_SHOWN)),
  ].join('\n\n');
}

export function formatUpward(cycles: readonly Upward[]): string {
  return cycles
    .map(({ order, imports }) => {
      const rows = imports.map(({ from, to, line }) => `  ${from}:${line} → ${to}`);
      return [`${order.join(' > ')}: ${imports.length} upward`, ...rows].join('\n');
    })
    .join('\n\n');
}

export function formatTip({ functions, files, byFolder }: TipFiles): string {
  const folders = byFolder.map(({ folder, files: count }) => `${folder} ${count}`).join(' · ');
  return [...files, `\nOne local tip runs ${functions} functions in ${files.length} files (${folders})`].join('\n');
}

function formatGroups(title: string, groups: readonly Group[]): string {
  const rows = groups.map(
    ({ name, seconds, tests }) => `  ${seconds.toFixed(1).padStart(7)} s ${column(tests)}  ${name}`,
  );
  return [`${title} (seconds, tests)`, ...rows].join('\n');
}

function sum(files: readonly TestFile[]): number {
  return files.reduce((total, { seconds }) => total + seconds, 0);
}

function formatPlaces({ gate, places }: Result, showAll: boolean): string {
  const shown = showAll ? places : places.slice(0, PLACES_SHOWN);
  const left = places.length - shown.length;
  return [
    `\n✗ ${gate.title}`,
    ...shown.map(formatPlace),
    ...(left > 0 ? [`  and ${left} more; --all shows them`] : []),
  ].join('\n');
}

function formatPlace({ file, line, what }: Place): string {
  return `  ${line === undefined ? file : `${file}:${line}`}  ${what}`;
}

function formatWords(title: string, words: readonly WordCount[]): string {
  const sum = words.reduce((total, { count }) => total + count, 0);
  return `${title}: ${formatCount(sum)} (${words.map(({ word, count }) => `${word} ${count}`).join(' · ')})`;
}

function column(count: number): string {
  return formatCount(count).padStart(7);
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
