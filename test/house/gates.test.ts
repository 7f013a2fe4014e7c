import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NETWORKS } from '../../core/networks.ts';
import { GATES, runGates, type Result } from '../../scripts/house/gates.ts';
import { formatGates } from '../../scripts/house/report.ts';
import { readHouse } from '../../scripts/house/tree.ts';
import { FOUND_ELSEWHERE, GATE_PLANTS } from './gate-plants.ts';
import { plantTree } from './scratch-tree.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** How a planted line names the gate that must find it. */
const MARKS: Record<string, string> = {
  "comparisons with a network's name": 'network',
  'files that set the payment header': 'header',
  'files that read a 402': '402',
  'time limits that can be lost': 'limit',
  'maps that hold promises': 'map',
  'states that change outside move.ts': 'state',
  'files that open a signing transaction': 'signing',
  'files that insert signed bytes': 'bytes',
  'functions above 70 lines': 'function',
};

let scratch = '';
let results: Result[] = [];

beforeAll(() => {
  scratch = plantTree(GATE_PLANTS);
  results = runGates(readHouse(scratch));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a gate finds what is planted for it, and nothing beside it', () => {
  test.each(GATES.map(({ title }) => title))('%s', (title) => {
    const { places, holds } = resultOf(title);
    const found = places.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
    const planted = [...plantedLines(MARKS[title] ?? title), ...(FOUND_ELSEWHERE[title] ?? [])];
    expect(planted.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(planted.sort());
    expect(holds).toBe(false);
  });
});

test('the way around a cycle is told', () => {
  expect(resultOf('folders in cycles').places[0]?.what).toBe('api/rooms → api/rooms/inner → api/rooms');
});

test('one file may set the payment header and read a 402', () => {
  const root = plantTree({ 'cli/present.ts': GATE_PLANTS['cli/present.ts'] ?? '' });
  const found = runGates(readHouse(root));
  rmSync(root, { recursive: true });
  expect(found.filter(({ holds }) => !holds)).toEqual([]);
});

test('an exemption that excuses nothing is told', () => {
  const unused = resultOf('maps that hold promises').unused.map(({ path }) => path);
  expect(unused).toContain('identity/resolve.ts');
  expect(unused).not.toContain('queue/');
});

test('each network of the program is one whose name is looked for', () => {
  const root = plantTree(
    Object.fromEntries(
      NETWORKS.map((name) => [`api/${name}.ts`, `export const is = (x: string) => x === '${name}';\n`]),
    ),
  );
  const found = runGates(readHouse(root)).find(({ gate }) => gate.title === "comparisons with a network's name");
  rmSync(root, { recursive: true });
  expect(found?.count).toBe(NETWORKS.length);
});

test('twenty places of a gate are shown, or all', () => {
  const places = Array.from({ length: 23 }, (_, index) => ({
    file: 'a.ts',
    line: index + 1,
    what: `place ${index + 1}`,
  }));
  const many = { ...resultOf('maps that hold promises'), places, unused: [] };
  expect(formatGates([many], false)).toContain('  a.ts:20  place 20\n  and 3 more; --all shows them');
  expect(formatGates([many], true)).toMatch(/place 23$/);
});

test('a file that does not parse stops the run instead of passing', () => {
  const root = plantTree({ 'core/broken.ts': 'export const = 1;\n' });
  expect(() => readHouse(root)).toThrow('core/broken.ts does not parse');
  rmSync(root, { recursive: true });
});

test('the command fails where a gate does not hold, and says which', () => {
  const command = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, 'scripts/house.ts')];
  const { status, stdout } = spawnSync(process.execPath, command, { cwd: scratch, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain('✗ files above 300 lines');
  expect(stdout).toContain('Size by floor');
});

function resultOf(title: string): Result {
  const result = results.find(({ gate }) => gate.title === title);
  if (!result) throw new Error(`no gate is called "${title}"`);
  return result;
}

function plantedLines(mark: string): string[] {
  return Object.entries(GATE_PLANTS).flatMap(([file, source]) =>
    source.split('\n').flatMap((text, index) => (text.endsWith(`// ✗ ${mark}`) ? [`${file}:${index + 1}`] : [])),
  );
}
