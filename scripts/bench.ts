import { runAll } from './bench/all.ts';
import { runProgram } from './bench/program.ts';
import { ROWS } from './bench/rows.ts';

/**
 * `npm run bench -- ROW [name=value …]` measures one row of `scripts/bench/rows.ts`, with other counts where they are given
 * (`rounds=1 payers=20`). `all` measures one row after the other, into `docs/performance.md`; with values, such as
 * `rounds=1`, all of them with these.
 */
const [name = '', ...words] = process.argv.slice(2);
const place = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
if (name === 'all') {
  process.exitCode = await runAll(words);
} else if (place) {
  process.exitCode = await runProgram(name, place, words);
} else {
  console.error(`no benchmark is called "${name}"; there are: ${Object.keys(ROWS).join(', ')}, all`);
  process.exitCode = 1;
}
