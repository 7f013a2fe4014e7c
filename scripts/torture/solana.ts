import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- solana [seeds] [first]`: 100 payouts a seed on Solana under random drops, late landings, lost replies,
 * 503s and kills, judged against the chain; and the control, which re-signs on a time-out and must be seen to pay twice.
 */
export async function run([seeds = '10', first = '1']: string[]): Promise<void> {
  const env = { ...process.env, ORDEAL_SEEDS: seeds, ORDEAL_FIRST: first };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/solana/ordeal.test.ts', '--testTimeout=3600000'];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  const verdict = child.exitCode === 0 ? 'all exact, and the control paid twice' : 'at least one wrong';
  process.stdout.write(`${seeds} seeds of 100 payouts: ${verdict}\n`);
  process.exitCode = child.exitCode ?? 1;
}
