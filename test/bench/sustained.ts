/**
 * Settled payments a second over a minute: payers come at 1.2 times what it carries, whatever became of those before them,
 * ours and the other in turn.
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
import { aboutWorld, inTurn, openWorld, type World } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const seconds = settings.number('seconds', 60);
const burst = settings.number('burst', 500);
const trySeconds = settings.number('trySeconds', 30);
const OVER = 1.2;
/** How much faster it is tried when it has kept up, and what keeping up is. */
const FASTER = 1.5;
const KEEPS_UP = 0.8;
const TRIES_MAX = 8;
/** Each may have twenty that are not settled yet; nobody comes near. */
const PAYERS = 2_000;

type Driven = World & { perSecond: ReadonlyMap<Side, number> };

/**
 * What it carries: it is driven faster and faster, from what a burst carries on, until it no longer keeps up. A burst alone
 * would say too little, because most of its time is the wait for a block.
 */
async function carriedBy(side: Side): Promise<number> {
  const people = await createPayers(side.chain.rpcUrl, burst);
  const crowd = { count: burst, dueMs: () => 0, comesBack: true, profileTo: null };
  await measureCrowd(side, people, crowd);
  const measured = await measureCrowd(side, people, crowd);
  for (let rate = paidOf(measured) / measured.seconds, tries = 1; ; rate *= FASTER, tries += 1) {
    const settled = settledPerSecond(await drive(side, rate, trySeconds), trySeconds);
    console.log(`  ${side.name}: driven at ${rate.toFixed(1)}/s it settles ${settled.toFixed(1)}/s`);
    if (settled < KEEPS_UP * rate || tries >= TRIES_MAX) return settled;
  }
}

/** Who is told to come later does not: the load would grow by what it meets. */
async function drive(side: Side, rate: number, forSeconds: number, profileTo: string | null = null): Promise<Measured> {
  const count = Math.round(rate * forSeconds);
  const people = await createPayers(side.chain.rpcUrl, Math.min(PAYERS, count));
  const dueMs = (index: number) => (index / rate) * 1_000;
  return measureCrowd(side, people, { count, dueMs, comesBack: false, profileTo });
}

function driveMinute({ perSecond }: Driven, side: Side): Promise<Measured> {
  return drive(side, OVER * (perSecond.get(side) ?? 1), seconds, settings.text('profile', '') || null);
}

/** Between the first answer and the end of the load. */
function settledPerSecond({ presented, beginMs }: Measured, forSeconds: number): number {
  const endMs = beginMs + forSeconds * 1_000;
  const times = presented.flatMap(({ status, answeredMs }) =>
    status === 200 && answeredMs <= endMs ? [answeredMs] : [],
  );
  return times.length === 0 ? 0 : times.length / ((endMs - Math.min(...times)) / 1_000);
}

function samplesOf(pair: Pair): Sample[] {
  const share = (is: (status: number) => boolean) => (measured: Measured) =>
    (100 * measured.presented.filter(({ status }) => is(status)).length) / measured.presented.length;
  const stored = settings.number('stored', 0);
  const gate = stored > 0 ? {} : { gate: { of: 'ratio' as const, at: 3 } };
  const gates = gatesOf({ payers: null, stored });
  return [
    sampleOf(pair, { what: 'settled a second', unit: '/s', better: 'more', ...gate }, (measured) =>
      settledPerSecond(measured, seconds),
    ),
    sampleOf(
      pair,
      { what: 'refused with 503', unit: '%', better: 'less' },
      share((status) => status === 503),
    ),
    sampleOf(
      pair,
      { what: 'neither paid nor refused', unit: '%', better: 'less' },
      share((status) => status !== 200 && status !== 503),
    ),
    ...latencySamples(pair, gates),
    ...costSamples(pair, gates),
  ];
}

await runRow({
  name: settings.row,
  about: `${seconds} s, payers come at ${OVER} times what it carries, ${aboutWorld(settings)}`,
  read: 'Each is driven by its own rate, so its own overload; what it settles in the minute is the figure.',
  rounds: settings.number('rounds', 5),
  async open(): Promise<Driven> {
    const world = await openWorld(settings);
    const perSecond = new Map<Side, number>();
    for (const side of [world.ours, world.other]) perSecond.set(side, await carriedBy(side));
    return { ...world, perSecond };
  },
  round: async (world, round) => samplesOf(await inTurn(world, round, (side) => driveMinute(world, side))),
  close: (world) => world.close(),
});
process.exit();
