import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failpoint } from '../../core/failpoints.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { countHits, killAtPoint, type Outcome } from './faults.ts';
import { isExact, killAt } from './kill.ts';

/** Kills the real service at each of the points, as often as asked, and counts how each death ended. */
export async function killEverywhere(rounds: number, points: readonly Failpoint[]): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-kills-'));
  const fired: string[] = [];
  let kills = 0;
  let wrong = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const point of points) {
        const outcome = await killAt(dataDir, point);
        kills += 1;
        if (!isExact(outcome)) wrong += 1;
        if (outcome.fired) fired.push(killAtPoint(point));
        const { charged, paid, receipts } = outcome;
        print(
          `${round} ${point.padEnd(22)} fired ${outcome.fired} charged ${charged} paid ${paid} receipts ${receipts}`,
        );
      }
    }
  } finally {
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
  print(`${kills} kills at ${points.length} points: ${kills - wrong} exact, ${wrong} wrong`);
  return { isExact: wrong === 0, hits: countHits(fired) };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
