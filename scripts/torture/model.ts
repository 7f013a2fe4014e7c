import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- model [lives] [seed]`: random lives of the whole money path (payments, retries, lost replies,
 * reorganisations, cancelled and copied authorizations, restarts), each judged at its end against the chain.
 */
export async function run([lives = '60', seed]: string[]): Promise<void> {
  const env = { ...process.env, ATTACK_RUNS: lives, ...(seed === undefined ? {} : { ATTACK_SEED: seed }) };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/model.test.ts', '--testTimeout=3600000'];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.stdout.write(`${lives} lives: ${child.exitCode === 0 ? 'all exact' : 'at least one wrong'}\n`);
  process.exitCode = child.exitCode ?? 1;
}
