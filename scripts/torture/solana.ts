import { endure, type OrdealResult } from './solana/ordeal.ts';

const PAYOUTS = 100;

/**
 * `npm run torture -- solana [seeds] [first]`: payouts on Solana under random drops, late landings, lost replies, 503s and
 * kills, judged against the chain; and the control, which re-signs on a time-out and must be seen to pay twice.
 */
export async function run([seeds = '10', first = '1']: string[]): Promise<void> {
  let wrong = 0;
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) {
    const result = await endure({ payouts: PAYOUTS, seed, control: '', deaths: 15 });
    if (result.exact !== PAYOUTS || result.violations.length > 0) wrong += 1;
    print(`seed ${seed}: ${describe(result)}`);
  }
  const control = await endure({ payouts: PAYOUTS, seed: Number(first), control: 're-sign', deaths: 0 });
  print(`control that re-signs on a time-out: ${describe(control)}`);
  print(`${seeds} seeds of ${PAYOUTS} payouts: ${wrong} wrong; the control paid ${control.paidTwice} twice`);
  if (wrong > 0 || control.paidTwice === 0) process.exitCode = 1;
}

function describe(result: OrdealResult): string {
  const { exact, missing, paidTwice, kills, failpoints, faults, attempts, violations } = result;
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const broken = violations.length === 0 ? '' : `; ${violations.length} invariants broken, such as ${violations[0]}`;
  return `${exact} exact, ${missing} missing, ${paidTwice} twice; ${kills} kills, ${failpoints} at failpoints; faults: ${list(faults)}; attempts: ${list(attempts)}${broken}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
