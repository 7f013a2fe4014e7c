import { describeHits, findReasons } from './torture/faults.ts';
import { runSlices } from './torture/slices.ts';
import { TORTURES, type Torture } from './torture/tortures.ts';

/**
 * `npm run torture -- <name> [options]`: large counts; `slices` runs a little of each, as CI does after `npm test`. A torture in
 * which a fault never fired is red.
 */
async function runTorture(name: string, { run, faults }: Torture, args: readonly string[]): Promise<boolean> {
  const outcome = await run(args, { named: faults });
  const reasons = findReasons(name, faults, outcome);
  const verdict = reasons.length === 0 ? 'exact' : 'RED';
  process.stdout.write(`${[`${name}: ${verdict}; ${describeHits(faults, outcome.hits)}`, ...reasons].join('\n')}\n`);
  return reasons.length === 0;
}

const torture = (name: string): Torture | undefined =>
  Object.entries<Torture>(TORTURES).find(([one]) => one === name)?.[1];

const [name = '', ...args] = process.argv.slice(2);
const found = torture(name);
if (name === 'slices') process.exitCode = (await runSlices(args)) ? 0 : 1;
else if (name === 'mcp-conformance') await (await import('./torture/mcp-conformance.ts')).run(args);
else if (name === 'a2a-tck') await (await import('./torture/a2a-tck.ts')).run(args);
else if (name === 'clients') await (await import('./torture/clients.ts')).run(args);
else if (found) process.exitCode = (await runTorture(name, found, args)) ? 0 : 1;
else {
  const names = [...Object.keys(TORTURES), 'a2a-tck', 'clients', 'mcp-conformance', 'slices'];
  process.stderr.write(`no torture is called "${name}"; there are: ${names.join(', ')}\n`);
  process.exitCode = 1;
}
