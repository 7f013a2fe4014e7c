/**
 * `npm run house`: what the repository is built like. It fails where a gate does not hold; figures are only printed.
 * `--all` shows every place instead of the first twenty. `--tests FILE` shows instead where the time of a test run went,
 * from what `npm test -- --reporter=json --outputFile=FILE` wrote. `--tip` starts the service on play money, and shows
 * which files run for one tip. `--upward` shows an order of the folders in each cycle, and the imports against it.
 */
import { parseArgs } from 'node:util';
import { runGates } from './house/gates.ts';
import { importsOf } from './house/imports.ts';
import { formatFigures, formatGates, formatTestTimes, formatTip, formatUpward } from './house/report.ts';
import { readTestFiles } from './house/test-times.ts';
import { readHouse, readTree } from './house/tree.ts';
import { findUpward } from './house/upward.ts';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    tests: { type: 'string' },
    tip: { type: 'boolean', default: false },
    upward: { type: 'boolean', default: false },
  },
});
if (values.tip) await showTip();
else if (values.upward) console.log(formatUpward(findUpward(importsOf(readHouse(process.cwd())))));
else if (values.tests === undefined) showGates();
else console.log(formatTestTimes(readTestFiles(values.tests), readTree(process.cwd()).texts));

/** The service is loaded for this alone: everything else takes a few seconds. */
async function showTip(): Promise<void> {
  const { measureTip } = await import('./house/tip.ts');
  console.log(formatTip(await measureTip(process.cwd())));
}

function showGates(): void {
  const house = readHouse(process.cwd());
  const results = runGates(house);
  console.log(`${formatGates(results, values.all)}\n\n${formatFigures(house)}`);
  if (results.some(({ holds }) => !holds)) process.exitCode = 1;
}
