import { appendFileSync, readFileSync } from 'node:fs';
import type { Failpoint } from '../../core/failpoints.ts';

/** How often each fault hit, by its name. A fault that was only armed counts for nothing. */
export type Hits = Readonly<Record<string, number>>;

export const killAtPoint = (point: Failpoint): string => `kill at ${point}`;

export function addHits(one: Hits, other: Hits): Hits {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export const countHits = (names: readonly string[]): Hits =>
  names.reduce<Hits>((hits, name) => addHits(hits, { [name]: 1 }), {});

/** A test that injects faults says here what hit. Outside a torture it goes nowhere. */
export function reportFaults(hits: Hits): void {
  const path = process.env['TORTURE_FAULTS'];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(hits)}\n`);
}

/** The sum of all that was reported. */
export function readFaults(path: string): Hits {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').reduce<Hits>((hits, line) => addHits(hits, JSON.parse(line) as Hits), {});
}

/** A slice kills at some of the points only. */
export function chosenPoints<Point extends Failpoint>(all: readonly Point[]): readonly Point[] {
  const chosen = process.env['TORTURE_POINTS']?.split(',');
  return chosen === undefined ? all : all.filter((point) => chosen.includes(point));
}

/** How much of a storm there is: `npm test` runs a small one, and a torture says how many times as large its own is. */
export const stormSize = (small: number): number => small * Number(process.env['STORM'] ?? 1);

/** Those that this torture, or this slice, names: where chance chooses, it goes on until each has fired. */
export function namedFaults(): readonly string[] {
  return process.env['TORTURE_NAMED']?.split(',') ?? [];
}

/** What one torture, or one slice of it, came to, and the end of what it printed where that was kept. */
export type Outcome = { isExact: boolean; hits: Hits; ending?: string };

export const findSilent = (named: readonly string[], hits: Hits): string[] =>
  named.filter((fault) => (hits[fault] ?? 0) === 0);

/** Why it is red, one line for each reason; none when it is green. A fault that never fired has tested nothing. */
export function findReasons(name: string, named: readonly string[], { isExact, hits }: Outcome): string[] {
  const silent = findSilent(named, hits);
  return [
    ...(isExact ? [] : [`${name}: the verdict is not exact`]),
    ...silent.map((fault) => `${name}: the fault "${fault}" never fired`),
  ];
}

export const describeHits = (named: readonly string[], hits: Hits): string =>
  named.map((fault) => `${fault} ${hits[fault] ?? 0}`).join(', ');
