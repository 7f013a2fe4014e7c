import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { outcomeOf, shown } from './outcome.ts';
import { readLines } from './line.ts';

/** At least so many of a hundred: answered as they were meant, and that or asked with what was meant as the first button. */
type Gate = { asMeant: number; withAsked: number };

/** The goal, for each file of lines; what has been reached stands below and cannot fall. */
const GOAL: Gate = { asMeant: 85, withAsked: 95 };
const REACHED: Readonly<Record<string, Gate>> = {
  // To work with.
  'chat-200': { asMeant: 91, withAsked: 100 },
  // When they were opened, 81 of them were answered or asked about; since then to work with.
  'chat-last-100': { asMeant: 87, withAsked: 100 },
  // When they were opened, 78 were as meant and 5 were asked about; since then to work with.
  'chat-fresh-100': { asMeant: 92, withAsked: 100 },
  // When they were opened, 85 were as meant and 2 were asked about. 2 counted as another payment: a drop of a sum for each,
  // which this measure did not multiply yet, and a bare ENS name (`corrections.ts`). Since then to work with.
  'chat-fresh-a-100': { asMeant: 98, withAsked: 100 },
  // When they were opened, 86 were as meant and 4 were asked about, and so were 5 more that this measure did not know: three
  // requests above the limit, half an hour in words, and 780 (`corrections.ts`). Since then to work with.
  'chat-fresh-b-100': { asMeant: 94, withAsked: 98 },
  // When they were opened, 38 of 60 were as meant, 5 were asked about and 2 paid another sum. A line without a
  // command is always asked about.
  'chat-group-60': { asMeant: 80, withAsked: 100 },
};

const SETS = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.jsonl$/.exec(file)?.[1] ?? []);

describe.each(SETS)('lines of people who have not seen the grammar: %s', (name) => {
  const lines = readLines(name).map((line) => ({ line, outcome: outcomeOf(line) }));
  const of = (outcome: string) => lines.filter((one) => one.outcome === outcome);
  const listed = (outcome: string) => of(outcome).map(({ line }) => `${line.id}: ${line.line} => ${shown(line)}`);
  const percent = (count: number) => Math.floor((count * 100) / lines.length);

  test('none pays anybody or anything else', () => {
    expect(listed('PAYS ANOTHER')).toEqual([]);
  });

  test('enough are answered as they were meant, or asked the one right question', () => {
    const { asMeant, withAsked } = REACHED[name] ?? GOAL;
    const [meant, asked] = [of('as meant').length, of('asked').length];
    console.info(
      `${name}: of ${lines.length} ${meant} as meant, ${asked} asked about\n${listed('another answer').join('\n')}`,
    );
    expect(percent(meant)).toBeGreaterThanOrEqual(asMeant);
    expect(percent(meant + asked)).toBeGreaterThanOrEqual(withAsked);
  });
});
