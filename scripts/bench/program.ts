import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Servers and stand-ins belong to the tests, which scripts do not import; so the work is a program in `test/bench`. */
export async function runProgram(name: string): Promise<void> {
  const args = ['--import', 'tsx', `test/bench/${name}.ts`, ...process.argv.slice(3)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
