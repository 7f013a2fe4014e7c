import { loadavg } from 'node:os';
import { describe, figuresOf, type Sample } from './figures.ts';
import { isLike, readResult, treeOf, writeResult, type Result } from './results.ts';

/** One row of the suite: what it needs is opened once, then measured round for round. */
export type Row<World> = {
  name: string;
  /** What it ran on: how many, which blocks, which database. */
  about: string;
  /** How its figures are to be read. */
  read: string;
  rounds: number;
  open: () => Promise<World>;
  /** From 0; those of an earlier run that was stopped are not measured again. */
  round: (world: World, round: number) => Promise<Sample[]>;
  close: (world: World) => Promise<void>;
};

/** Measures what is missing, keeps each round as it ends, and prints the whole. */
export async function runRow<World>(row: Row<World>): Promise<void> {
  const { name, about, read } = row;
  const told = process.argv.slice(3).join(' ');
  const fresh = { name, tree: treeOf(), told, about, read, rounds: [], lines: [], ended: false };
  const before = readResult(name);
  const result: Result = before?.ended === false && isLike(before, fresh) ? before : fresh;
  if (result.rounds.length > 0) console.log(`${name}: goes on after round ${result.rounds.length}`);
  const world = await row.open();
  try {
    for (let round = result.rounds.length; round < row.rounds; round += 1) {
      const samples = await row.round(world, round);
      result.rounds.push({ load: loadavg()[0] ?? 0, samples: known(samples) });
      writeResult(result);
      for (const figure of figuresOf([known(samples)])) console.log(`  round ${round + 1}  ${describe(figure)}`);
    }
  } finally {
    await row.close(world);
  }
  writeResult({ ...result, ended: true });
  console.log(about);
  for (const figure of figuresOf(result.rounds.map(({ samples }) => samples))) console.log(describe(figure));
}

/** What never came, such as the time of what was never paid, is no figure. */
function known(samples: readonly Sample[]): Sample[] {
  return samples.flatMap(({ beside, ...sample }) => {
    if (!Number.isFinite(sample.ours)) return [];
    return [{ ...sample, ...(beside !== undefined && Number.isFinite(beside.value) ? { beside } : {}) }];
  });
}
