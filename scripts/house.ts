/**
 * `npm run house`: what the repository is built like. It fails where a gate does not hold; figures are only printed.
 * `--all` shows every place instead of the first twenty.
 */
import { parseArgs } from 'node:util';
import { runGates } from './house/gates.ts';
import { formatFigures, formatGates } from './house/report.ts';
import { readHouse } from './house/tree.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const house = readHouse(process.cwd());
const results = runGates(house);
console.log(`${formatGates(results, values.all)}\n\n${formatFigures(house)}`);
if (results.some(({ holds }) => !holds)) process.exitCode = 1;
