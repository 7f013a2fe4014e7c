import { parseConfig } from '../core/config.ts';
import { runOperator } from '../service/operator/run.ts';

/** `npm run operator -- <command>`: what whoever runs this installation can look at and decide; `--help` lists it. */
const { exitCode, text } = await runOperator(() => parseConfig(process.env), process.argv.slice(2), Date.now());
(exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
process.exitCode = exitCode;
