/**
 * Random lives of one runner: rows that come due, wake-ups between any two turns of the event loop, steps that take long or
 * fail, a database that is slow or away, leases that another process holds, the end. The rules stand in runner-world.ts.
 * RUNNER_RUNS and RUNNER_SEED ask for more.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRunner, type Runner, type RunnerOptions } from '../../queue/runner.ts';
import { CONCURRENCY, createWorld, ITEMS, PACE, settle, type World } from './runner-world.ts';

const RUNS = Number(process.env['RUNNER_RUNS'] ?? 500);
const SEED = Number(process.env['RUNNER_SEED'] ?? 20_261_122);

type Create = (options: RunnerOptions) => Runner;
type Move = { text: string; ticks: number; act: (world: World, runner: Runner) => unknown };

const item = fc.constantFrom(...ITEMS);
const ms = fc.constantFrom(0, 1, 5, 11, 40, 300, 1_100);
const outcome = fc.record({
  isFailed: fc.boolean(),
  inMs: fc.constantFrom(null, null, 0, 7, 60, 500, 5_000),
});
const move = (text: string, act: Move['act']): Omit<Move, 'ticks'> => ({ text, act });
const acts = fc.oneof(
  { weight: 30, arbitrary: item.map((one) => move(`wake ${one}`, (world, runner) => world.wake(runner, one))) },
  {
    weight: 30,
    arbitrary: fc.tuple(fc.nat(3), outcome).map(([at, how]) => {
      return move(`end ${at} ${JSON.stringify(how)}`, (world) => world.end(at, how));
    }),
  },
  {
    weight: 20,
    arbitrary: fc.tuple(item, ms).map(([one, inMs]) => {
      return move(`write ${one} ${inMs}`, (world) => world.write(one, inMs));
    }),
  },
  { weight: 30, arbitrary: ms.map((byMs) => move(`pass ${byMs}`, (world) => world.pass(byMs))) },
  { weight: 5, arbitrary: fc.constant(move('look', (world, runner) => world.look(runner))) },
  { weight: 5, arbitrary: fc.constant(move('slow', (world) => world.slow())) },
  { weight: 10, arbitrary: fc.constant(move('answer', (world) => world.answer())) },
  { weight: 5, arbitrary: fc.boolean().map((is) => move(`away ${is}`, (world) => world.breakDown(is))) },
  { weight: 5, arbitrary: item.map((one) => move(`take away ${one}`, (world) => world.takeAway(one))) },
  { weight: 5, arbitrary: fc.constant(move('give back', (world) => world.giveBack())) },
  { weight: 1, arbitrary: fc.constant(move('close', (world) => world.close())) },
);
const moves = fc.array(
  fc
    .tuple(acts, fc.nat(9))
    .map(([one, ticks]) => ({ ...one, ticks, [fc.toStringMethod]: () => `${one.text} +${ticks}` })),
  { minLength: 5, maxLength: 80, size: 'max' },
);

/** The broken rules of one life; after the moves everything heals, and has to come to rest. */
async function live(create: Create, life: readonly Move[]): Promise<string[]> {
  const world = createWorld();
  const runner = create(world.options);
  runner.start();
  for (const { act, ticks } of life) {
    await act(world, runner);
    await settle(ticks);
  }
  world.answer();
  world.breakDown(false);
  world.giveBack();
  for (let round = 0; round < 20; round++) {
    await world.pass(PACE.mostMs);
    for (let steps = 0; steps < 20 && world.state().running > 0; steps++) {
      world.end(0, { isFailed: false, inMs: null });
      await settle();
    }
  }
  if (world.state().faults.length > 0) return world.state().faults;
  await runner.idle();
  const { faults, isClosed, open, unanswered, held, timers } = world.state();
  if (!isClosed && open.length > 0) faults.push(`never taken up: ${open.join()}`);
  if (unanswered + held > 0) faults.push(`${unanswered} wake-ups unanswered, ${held} leases kept`);
  if (timers !== (isClosed ? 0 : 1)) faults.push(`${timers} timers at the end`);
  return faults;
}

function holds(create: Create, shape: { numRuns: number; endOnFailure?: true }): Promise<void> {
  const property = fc.asyncProperty(moves, async (life) => {
    expect(await live(create, life)).toEqual([]);
  });
  return fc.assert(property, { ...shape, seed: SEED }) as Promise<void>;
}

test('whatever happens, nobody is forgotten, nothing is done twice at once, and no wake-up is lost', async () => {
  await expect(holds(createRunner, { numRuns: RUNS })).resolves.toBeUndefined();
}, 60_000);

const CONTROLS: Record<string, Create> = {
  'loses a wake-up during a run': (options) => {
    const runner = createRunner(options);
    const known = new Map<string, Promise<void>>();
    const run = (name: string): Promise<void> => {
      const work = known.get(name) ?? runner.run(name).finally(() => known.delete(name));
      known.set(name, work);
      return work;
    };
    return { ...runner, run };
  },
  'works on an item twice at once': (options) => {
    const [one, other] = [createRunner(options), createRunner(options)];
    let count = 0;
    return { ...one, run: (name) => (count++ % 2 === 0 ? one : other).run(name) };
  },
  'does not hear when a row comes due': (options) =>
    createRunner({ ...options, due: async (...asked) => ({ ...(await options.due(...asked)), nextDueAtMs: null }) }),
  'takes up more than it may': (options) => createRunner({ ...options, concurrency: CONCURRENCY + 1 }),
  'asks without a pause': (options) => createRunner({ ...options, pace: { ...PACE, leastMs: 0 } }),
  'sleeps too long': (options) => createRunner({ ...options, pace: { ...PACE, mostMs: 10 * PACE.mostMs } }),
  'keeps a lease': (options) =>
    createRunner({
      ...options,
      lease: async (name) => ((await options.lease?.(name)) ? { release: async () => undefined } : null),
    }),
  'goes on after the end': (options) => createRunner({ ...options, closing: new AbortController().signal }),
};

test.each(Object.entries(CONTROLS))(
  'CONTROL: a runner that %s is seen',
  async (_, create) => {
    // That it fails is enough: the shortest life in which it does is not looked for.
    await expect(holds(create, { numRuns: 500, endOnFailure: true })).rejects.toThrow();
  },
  60_000,
);
