/**
 * So many payers at once, ours and the other in turn. `npm run bench -- burst-500 rounds=1 payers=20` for a smaller one;
 * `profile=FOLDER` keeps a CPU profile of each process of ours.
 */
import { readSettings } from '../../scripts/bench/settings.ts';
import { runRow } from '../../scripts/bench/row.ts';
import type { Sample } from '../../scripts/bench/figures.ts';
import { createPayers } from './load/payers.ts';
import {
  costSamples,
  gatesOf,
  latencySamples,
  measureCrowd,
  paidOf,
  sampleOf,
  type Measured,
  type Pair,
} from './load/measure.ts';
import type { Side } from './load/sides.ts';
import { aboutWorld, inTurn, openWorld } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const payers = settings.number('payers', 50);
/** One crowd after the other in a round, for those that are too small to say much. */
const times = settings.number('times', 1);
const WARM_UP = 10;
const SHARES_SHOWN = 8;
const gates = gatesOf({ payers, stored: settings.number('stored', 0) });
const profileTo = settings.text('profile', '') || null;

async function measureSide(side: Side, count: number): Promise<Measured> {
  const people = await createPayers(side.chain.rpcUrl, count);
  // A lone payer comes at any moment of a block.
  return measureCrowd(side, people, { count, dueMs: () => 0, comesBack: true, withBlock: payers > 1, profileTo });
}

async function measureTimes(side: Side): Promise<Measured> {
  const all: Measured[] = [];
  for (let time = 0; time < times; time += 1) all.push(await measureSide(side, payers));
  const sum = (value: (one: Measured) => number) => all.reduce((total, one) => total + value(one), 0);
  const most = (value: (one: Measured) => number) => Math.max(...all.map(value));
  return {
    presented: all.flatMap(({ presented }) => presented),
    overBlockMs: all.flatMap(({ overBlockMs }) => overBlockMs),
    blocks: all.flatMap(({ blocks }) => blocks),
    beginMs: all[0]?.beginMs ?? 0,
    seconds: sum(({ seconds }) => seconds),
    gasEach: sum(({ gasEach }) => gasEach) / times,
    cpuMs: sum(({ cpuMs }) => cpuMs),
    nodeCpuMs: sum(({ nodeCpuMs }) => nodeCpuMs),
    calls: sum(({ calls }) => calls),
    loopMaxMs: most(({ loopMaxMs }) => loopMaxMs),
    rssMb: most(({ rssMb }) => rssMb),
  };
}

function samplesOf(pair: Pair): Sample[] {
  const share = (count: (measured: Measured) => number) => (measured: Measured) =>
    (100 * count(measured)) / measured.presented.length;
  const first = ({ presented }: Measured) =>
    presented.filter(({ status, earlier }) => status === 200 && earlier.length === 0).length;
  const refused = ({ presented }: Measured) =>
    presented.filter(({ earlier }) => earlier.some((answer) => answer.startsWith('503'))).length;
  const percent = { unit: '%', better: 'more' } as const;
  return [
    sampleOf(pair, { what: 'paid, by whatever way', ...percent, gate: { of: 'ours', at: 100 } }, share(paidOf)),
    sampleOf(pair, { what: 'paid at the first try', ...percent }, share(first)),
    sampleOf(pair, { what: 'told to come later', unit: '%', better: 'less' }, share(refused)),
    sampleOf(
      pair,
      { what: 'payments a second until all are paid', unit: '/s', better: 'more' },
      (measured) => paidOf(measured) / measured.seconds,
    ),
    ...latencySamples(pair, gates),
    ...costSamples(pair, gates),
  ];
}

function report({ name, ours, other }: Pair): void {
  for (const [who, { presented, blocks }] of [
    ['ours', ours],
    [name, other],
  ] as const) {
    const counts = new Map<string, number>();
    for (const { status, earlier } of presented)
      for (const answer of [...earlier, String(status)]) counts.set(answer, (counts.get(answer) ?? 0) + 1);
    const answers = [...counts].map(([answer, count]) => `${count} × ${answer}`).join(', ');
    const inBlocks = blocks.map((shares) =>
      shares.length > SHARES_SHOWN ? `${shares.length} transactions` : shares.join(' + '),
    );
    console.log(`  ${who}: ${answers}; in ${blocks.length} blocks: ${inBlocks.join(' | ')}`);
  }
}

await runRow({
  name: settings.row,
  about: `${payers} at once${times > 1 ? `, ${times} times` : ''}, ${aboutWorld(settings)}`,
  read: 'The load shares the cores: the ratios say more than the rates. CPU is that of the processes themselves, without load, node and database server.',
  rounds: settings.number('rounds', 5),
  async open() {
    const world = await openWorld(settings);
    for (const side of [world.ours, world.other]) await measureSide(side, Math.min(WARM_UP, payers));
    return world;
  },
  async round(world, round) {
    const pair = await inTurn(world, round, measureTimes);
    report(pair);
    return samplesOf(pair);
  },
  close: (world) => world.close(),
});
process.exit();
