import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- claims [count]`: that many people collect at once from the whole service, on both networks, and
 * confirm more than once. Each must be paid exactly once.
 */
export async function run([count = '500']: string[]): Promise<void> {
  const env = { ...process.env, CLAIMS_COUNT: count };
  const options = ['--testTimeout=3600000', '--disableConsoleIntercept'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/claims.test.ts', ...options];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
