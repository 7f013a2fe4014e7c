import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from './rows.ts';

/**
 * Servers and stand-ins belong to the tests, which scripts do not import; so the work is a program in `test/bench`, told the
 * row's name and its settings, of which the last one of a name counts. Answers its exit code.
 */
export async function runProgram(
  name: string,
  place: Place,
  words: readonly string[],
  onText: ((text: string) => void) | null = null,
): Promise<number> {
  const args = ['--import', 'tsx', `test/bench/${place.program}.ts`, name, ...toldTo(place, words)];
  const child = spawn(process.execPath, args, { stdio: ['inherit', onText === null ? 'inherit' : 'pipe', 'inherit'] });
  if (onText !== null) child.stdout?.setEncoding('utf8').on('data', onText);
  await once(child, 'close');
  return child.exitCode ?? 1;
}

export const toldTo = ({ settings }: Place, words: readonly string[]): string[] => [
  ...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
  ...words,
];
