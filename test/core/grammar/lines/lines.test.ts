import { describe, expect, test } from 'vitest';
import { judge, type Outcome } from '../judge.ts';
import { CORRECTIONS } from './corrections.ts';
import { expectedOf } from './expected.ts';
import { readLines, type Line } from './line.ts';
import { readAgain, readLine } from './place.ts';

/** What is clear is done, or offered as it was meant; what is not is asked, or refused with its reason. */
function outcomeOf(line: Line): Outcome {
  const found = readLine(line);
  const meant = [...expectedOf(line), ...(CORRECTIONS[line.id]?.also ?? [])];
  const offered = meant.filter((one) => !/^(?:asks|no) /.test(one)).map((one) => `asks ${one}`);
  const outcomes = [...meant, ...offered].map((one) => judge(found, one, (example) => readAgain(line, example)));
  return outcomes.find((one) => one !== 'another answer' && one !== 'PAYS ANOTHER') ?? outcomes[0] ?? 'another answer';
}

function shown(line: Line): string {
  const found = readLine(line);
  return typeof found === 'string' ? found : `${found.code}: ${found.examples.join(' · ')}`;
}

const SETS: readonly { name: string; known: readonly number[] }[] = [
  // To work with.
  { name: 'chat-200', known: [] },
  // Read once, after the grammar was done: what it answered then, and no rule was made for them since.
  {
    name: 'chat-last-100',
    known: [206, 207, 208, 216, 221, 222, 232, 239, 244, 259, 263, 268, 269, 270, 271, 277, 282, 283, 285],
  },
];

describe.each(SETS)('lines of people who have not seen the grammar: $name', ({ name, known }) => {
  const lines = readLines(name).map((line) => ({ line, outcome: outcomeOf(line) }));
  const count = (outcome: Outcome) => lines.filter((one) => one.outcome === outcome).length;

  test('none pays anybody or anything else', () => {
    expect(lines.filter(({ outcome }) => outcome === 'PAYS ANOTHER').map(({ line }) => line.line)).toEqual([]);
  });

  test('all but the known ones are done, asked or refused as they should be', () => {
    const others = lines.filter(({ outcome }) => outcome === 'another answer').map(({ line }) => line);
    const ids = others.map(({ id }) => id);
    expect(ids, others.map((line) => `${line.line} => ${shown(line)}`).join('\n')).toEqual(known);
    const figures = ['done as meant', 'the right question', 'refused, with the reason'] as const;
    console.info(`${name}: ${figures.map((one) => `${count(one)} ${one}`).join(', ')}, ${ids.length} else`);
  });
});
