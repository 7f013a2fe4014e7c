import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** `untested`: its tests fail without the mutant as well, so they say nothing about it. */
const OUTCOMES = ['killed', 'survived', 'timed out', 'untested'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const resultSchema = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number(),
  change: z.string(),
  outcome: z.enum(OUTCOMES),
  seconds: z.number(),
});
export type MutantResult = z.infer<typeof resultSchema>;

/** One result per line, so that an interrupted run can go on. */
export function readResults(path: string): MutantResult[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => resultSchema.parse(JSON.parse(line)));
}

export function appendResult(path: string, result: MutantResult): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(result)}\n`);
}

export function formatResults(results: readonly MutantResult[]): string {
  const counts = OUTCOMES.map((outcome) => `${results.filter((one) => one.outcome === outcome).length} ${outcome}`);
  const told = OUTCOMES.filter((outcome) => outcome !== 'killed').flatMap((outcome) => {
    const found = results.filter((one) => one.outcome === outcome);
    return found.length > 0 ? [`\n${outcome}`, ...found.map(formatPlace)] : [];
  });
  return [`${results.length} mutants: ${counts.join(', ')}`, ...told].join('\n');
}

/**
 * Mutants that the second run no longer kills. One that it did not try counts as lost, because nothing shows that it
 * would be killed.
 */
export function lostSince(before: readonly MutantResult[], after: readonly MutantResult[]): string[] {
  const outcomes = new Map(after.map(({ id, outcome }) => [id, outcome]));
  return before
    .filter(({ outcome }) => outcome === 'killed')
    .flatMap((one) => {
      const now = outcomes.get(one.id) ?? 'not tried';
      return now === 'killed' || now === 'timed out' ? [] : [`${formatPlace(one)}: ${now}`];
    });
}

function formatPlace({ file, line, change }: MutantResult): string {
  return `  ${file}:${line}  ${change}`;
}
