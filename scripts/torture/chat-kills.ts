import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run torture -- chat-kills [rounds] [tips] [seed]`: tips over all three chats and both networks while the bot is
 * killed at each point of a command's way, that many times each. Everything is delivered three times, and once more at the
 * end; each tip must be paid, ended and told exactly once. And the control, which forgets what was delivered and must be
 * seen to pay twice and to lose.
 */
export async function run([rounds = '3', tips = '500', seed = '1']: string[]): Promise<void> {
  const env = { ...process.env, CHAT_KILLS_TIPS: tips, CHAT_KILLS_ROUNDS: rounds, CHAT_KILLS_SEED: seed };
  const options = ['--testTimeout=3600000', '--disableConsoleIntercept'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/attack/chat-kills.test.ts', ...options];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
