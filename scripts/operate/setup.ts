/**
 * `npm run setup [-- --base-url=https://… --yes]`: asks what an operator knows, makes tokens and keys, writes `.env`, and
 * tells what is left to do.
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createTerminal } from '../../cli/terminal/terminal.ts';
import { runSetup } from '../../service/setup/run.ts';

const { stdin, stdout, stderr } = process;
const { exitCode, lines } = await runSetup({
  args: process.argv.slice(2),
  file: fileURLToPath(new URL('../../.env', import.meta.url)),
  ask: stdin.isTTY && stderr.isTTY ? createTerminal(stdin, stderr).ask : null,
  say: (line) => void stderr.write(`${line}\n`),
  random: randomBytes,
});
(exitCode === 0 ? stdout : stderr).write(`${lines.join('\n')}\n`);
process.exitCode = exitCode;
