import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The platforms are stand-ins of the tests, which scripts do not import; so the work is a program among them. */
export async function run(): Promise<void> {
  const args = ['--import', 'tsx', 'test/bench/chat-burst.ts', ...process.argv.slice(3)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
