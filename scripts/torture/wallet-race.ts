import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- wallet-race [tips]`: so many tips at once out of one wallet that has money for half of them. Exactly
 * half must be paid, the others must hear what is missing, and none may stay open.
 */
export async function run([tips = '200']: string[]): Promise<void> {
  const env = { ...process.env, WALLET_RACE_TIPS: tips };
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/attack/wallet-race.test.ts',
    '--disableConsoleIntercept',
  ];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
