import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- requests [count] [seed]`: that many generated requests against the whole service in a process of
 * its own, each answer judged by the contract, and the memory of the service at the end. The same seed makes the same
 * requests.
 */
export async function run([count = '10000', seed = String(Date.now() % 2 ** 31)]: string[]): Promise<void> {
  const env = { ...process.env, REQUESTS_COUNT: count, REQUESTS_SEED: seed };
  const options = ['--testTimeout=3600000', '--disableConsoleIntercept'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/contract/requests.test.ts', ...options];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
