/** `pennypost <command>`: the client of a service, with a key of one's own. `pennypost help` lists what it can do. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runClient } from '../cli/run.ts';
import { createTerminal } from '../cli/terminal/terminal.ts';

const { stdin, stdout, stderr } = process;
const exitCode = await runClient({
  args: process.argv.slice(2),
  environment: process.env,
  userHome: homedir(),
  stdin,
  stdout,
  stderr,
  terminal: stdin.isTTY && stderr.isTTY ? createTerminal(stdin, stderr) : null,
  fetch: globalThis.fetch,
  now: Date.now,
  random: randomBytes,
  sleep: (milliseconds) => sleep(milliseconds),
});
// Everything is written by now, and an agent's host waits for the end of this process.
process.exit(exitCode);
