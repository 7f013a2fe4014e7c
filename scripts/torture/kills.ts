import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAILPOINTS } from '../../core/failpoints.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { isExact, killAt } from './kill.ts';

/**
 * `npm run torture -- kills [rounds]`: kills the real service at every named point of the payment and payout path, as
 * often as asked, and counts how each death ended.
 */
export async function run([rounds = '3']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-kills-'));
  let kills = 0;
  let wrong = 0;
  try {
    for (let round = 1; round <= Number(rounds); round += 1) {
      for (const point of FAILPOINTS) {
        const outcome = await killAt(dataDir, point);
        kills += 1;
        if (!isExact(outcome)) wrong += 1;
        const { charged, paid, receipts, fired } = outcome;
        print(`${round} ${point.padEnd(22)} fired ${fired} charged ${charged} paid ${paid} receipts ${receipts}`);
      }
    }
  } finally {
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
  print(`${kills} kills at ${FAILPOINTS.length} points: ${kills - wrong} exact, ${wrong} wrong`);
  if (wrong > 0) process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
