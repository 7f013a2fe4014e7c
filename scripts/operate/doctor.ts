/**
 * `npm run doctor [-- roles] [--approve] [--restored <day>]`: checks what can be checked, with a cure for each line. Ends
 * with 0 when everything is sound, else with 1. `--approve` stores that it is, which mainnet needs to start.
 */
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../service/keystore/load.ts';
import { runDoctor } from '../../service/doctor/run.ts';
import { loadEnvironment } from '../environment.mjs';

const strange: string[] = [];
loadEnvironment(undefined, (line) => strange.push(line));
const { exitCode, lines } = await runDoctor({
  readConfig: () => loadConfig(process.env),
  args: process.argv.slice(2),
  root: fileURLToPath(new URL('../..', import.meta.url)),
  strange,
  nowMs: Date.now(),
});
process.stdout.write(`${lines.join('\n')}\n`);
// Connections that were refused halfway must not hold the answer back.
process.exit(exitCode);
