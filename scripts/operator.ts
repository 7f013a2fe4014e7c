import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTerminal } from '../cli/terminal/terminal.ts';
import { loadConfig } from '../service/keystore/load.ts';
import { readSecretFiles } from '../service/keystore/secret-files.ts';
import type { Host } from '../service/operator/host.ts';
import { runOperator } from '../service/operator/run.ts';
import { loadEnvironment } from './environment.mjs';

/** Longer than any list of seed words. */
const INPUT_MAX = 64 * 1024;

/**
 * `npm run operator -- <command>`: what the operator of this installation can inspect and decide; `--help` lists it.
 */
loadEnvironment();
const { stdin, stdout, stderr } = process;
const host: Host = {
  get environment() {
    return readSecretFiles(process.env);
  },
  // Under sudo the person, not root.
  user: process.env['SUDO_USER'] ?? userInfo().username,
  random: randomBytes,
  now: Date.now,
  sleep: (ms) => sleep(ms),
  terminal:
    stdin.isTTY && stderr.isTTY
      ? { write: (text) => void stderr.write(text), ask: createTerminal(stdin, stderr).ask }
      : null,
  readInput,
  say: (line) => void stderr.write(`${line}\n`),
};
const { exitCode, text } = await runOperator(() => loadConfig(process.env), process.argv.slice(2), Date.now(), host);
(exitCode === 0 ? stdout : stderr).write(`${text}\n`);
process.exitCode = exitCode;

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > INPUT_MAX) throw new Error(`What is piped in may have ${INPUT_MAX} characters.`);
  }
  return text;
}
