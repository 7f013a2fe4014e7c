import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- pay-links [seed] [links]`: links are made in the web chat and paid on both networks, by a wallet, by
 * a transfer, by both at once and by a transfer that is sent twice, while the service is killed at each point of a link's
 * way. Each must be paid once and told once, and what came twice must be back with whoever asked for the link. And the
 * control, which forgets that a task is taken and must be seen to keep what came twice.
 */
export async function run([seed = '1', links = '120']: string[]): Promise<void> {
  const env = { ...process.env, PAY_LINKS: links, PAY_LINKS_SEED: seed };
  const options = ['--testTimeout=3600000', '--disableConsoleIntercept'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/pay-links.test.ts', ...options];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
