import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- rewards [seed] [runs]`: so many communities on both networks reward people, out of their treasuries or,
 * where one has nothing, by a wallet on the card's page. Both moderators press at once, everything is delivered three times,
 * and the service is killed at each point from the press to the last payout; fewer than 120 runs may meet no link at some
 * point. Each reward must be paid once or clearly not at all, by the chain and by its card. And the control, in which what
 * was paid is forgotten, and which must be seen to pay twice.
 */
export async function run([seed = '1', runs = '200']: string[]): Promise<void> {
  const env = { ...process.env, REWARD_KILLS: runs, REWARD_KILLS_SEED: seed };
  const options = ['--testTimeout=3600000', '--disableConsoleIntercept'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/rewards.test.ts', ...options];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
