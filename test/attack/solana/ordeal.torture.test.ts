/**
 * Payouts on Solana under kills, drops, late landings, lost replies and 503s, judged against the chain. ORDEAL_SEEDS and
 * ORDEAL_FIRST in the environment make it a torture run of 100 payouts a seed, with the control at its end.
 */
import { describe, expect, test } from 'vitest';
import { chosenPoints, reportFaults } from '../../../scripts/torture/faults.ts';
import { SOLANA_POINTS } from '../../../scripts/torture/points.ts';
import { FAULTS, endure, type OrdealResult } from './ordeal.ts';

const SEEDS = Number(process.env['ORDEAL_SEEDS'] ?? 1);
const FIRST = Number(process.env['ORDEAL_FIRST'] ?? 1);
const PAYOUTS = Number(process.env['ORDEAL_PAYOUTS'] ?? 100);
const CONTROL_ROUNDS = 10;
const DEATHS = Math.ceil(PAYOUTS * 0.15);
const POINTS = chosenPoints(SOLANA_POINTS);

describe('a torture', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))('of seed %i is exact', async (seed) => {
    const result = await endure({
      payouts: PAYOUTS,
      seed,
      control: '',
      deaths: DEATHS,
      untilFired: [...POINTS, ...FAULTS],
    });
    print(`seed ${seed}: ${describeResult(result)}`);
    const kills = Object.entries(result.killedAt).map(([point, count]) => [`kill at ${point}`, count]);
    reportFaults({ ...result.faults, ...Object.fromEntries(kills) });
    expect(result).toMatchObject({ exact: PAYOUTS, missing: 0, paidTwice: 0, violations: [] });
  });

  test('without patience, the control, pays twice', async () => {
    // Late landings come by dice: a round in which none met a re-signed transfer proves nothing.
    for (let seed = FIRST; seed < FIRST + CONTROL_ROUNDS; seed += 1) {
      const result = await endure({ payouts: PAYOUTS, seed, control: 're-sign', deaths: 0, untilFired: [] });
      print(`control that re-signs on a time-out, seed ${seed}: ${describeResult(result)}`);
      if (result.paidTwice > 0) return;
    }
    expect.fail(`the control paid nobody twice in ${CONTROL_ROUNDS} rounds`);
  });
});

function describeResult(result: OrdealResult): string {
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
