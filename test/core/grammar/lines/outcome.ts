import { judge, type Found } from '../judge.ts';
import { CORRECTIONS } from './corrections.ts';
import { expectedOf } from './expected.ts';
import type { Line } from './line.ts';
import { readAgain, readLine } from './place.ts';

/**
 * `as meant`: done, or where the line leaves something open or asks for what cannot be, asked or refused for that reason.
 * `asked`: clear to a person, and asked about, with what was meant as the first button.
 */
type LineOutcome = 'as meant' | 'asked' | 'another answer' | 'PAYS ANOTHER';

export function outcomeOf(line: Line): LineOutcome {
  const found = readLine(line);
  const again = (example: string) => readAgain(line, example);
  const meant = [...expectedOf(line), ...(CORRECTIONS[line.id]?.also ?? [])];
  const isGiven = (meaning: string) => !/another|ANOTHER/.test(judge(found, meaning, again));
  if (typeof found !== 'string' && namesAnother(line, found.examples.map(again))) return 'another answer';
  if (meant.some(isGiven)) return 'as meant';
  if (meant.some((one) => !/^(?:asks|no) /.test(one) && isGiven(`asks ${one}`))) return 'asked';
  return meant.some((one) => judge(found, one, again) === 'PAYS ANOTHER') ? 'PAYS ANOTHER' : 'another answer';
}

const PLACEHOLDERS = ['alice', 'bob'];

/** Whether a button would pay a person whom the line does not mean: a question about `a` in `a friend` is not the right one. */
function namesAnother({ meaning }: Line, buttons: readonly Found[]): boolean {
  if (meaning.kind !== 'tip') return false;
  const meant = [...meaning.recipients.map(({ name }) => name.replace(/^@/, '').toLowerCase()), ...PLACEHOLDERS];
  const named = buttons.flatMap((button) =>
    typeof button === 'string'
      ? Array.from(button.split(' "')[0]?.matchAll(/(?<= |^)[a-z]+:(\S+)/g) ?? [], ([, name = '']) => name)
      : [],
  );
  return named.some((name) => !meant.includes(name.toLowerCase()));
}

export function shown(line: Line): string {
  const found = readLine(line);
  return typeof found === 'string' ? found : `${found.code}: ${found.examples.join(' · ')}`;
}
