/**
 * Random lives of the service: hostile payers and recipients, a lossy node, restarts and reorganisations in any order.
 * At the end the chain is asked whether everybody was charged and paid exactly once. ATTACK_RUNS and ATTACK_SEED in the
 * environment make it a torture run, or repeat one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { addHits, findSilent, namedFaults, reportFaults, type Hits } from '../../scripts/torture/faults.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startRpcProxy, type RpcProxy } from '../support/chains/rpc-proxy.ts';
import { runUntilSeen } from '../support/seen.ts';
import { findFaults } from './verdict.ts';
import { createWorld, RECEIVERS, type World } from './world.ts';

const RUNS = Number(process.env['ATTACK_RUNS'] ?? 2);
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_261_127);

/** To look for further faults behind one that is known and still open: `ATTACK_TOLERATE='held .simulation'`. */
const TOLERATED = process.env['ATTACK_TOLERATE'] ? new RegExp(process.env['ATTACK_TOLERATE']) : null;

let chain: BaseChain;
let proxy: RpcProxy;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
  proxy = await startRpcProxy(chain.rpcUrl);
});
afterAll(async () => {
  reportFaults(hits());
  await proxy.close();
  await chain.close();
});

/** What the lives added up to: a model that never settles, refuses or pays anything has tested nothing. */
const totals = new Map<string, number>();
const add = (name: string) => totals.set(name, (totals.get(name) ?? 0) + 1);
async function count(world: World): Promise<void> {
  const { read, tables } = world.service().store;
  for (const { status } of await read.select().from(tables.payments)) add(`payment ${status}`);
  for (const { status } of await read.select().from(tables.transfers)) add(`payout ${status}`);
  for (const { alias } of await read.select().from(tables.proofs)) if (alias) add('alias');
  for (const { cause } of await read.select().from(tables.entries)) add(`entry ${cause.split(':')[0]}`);
  for (const { answers } of world.wishes) for (const { status } of answers) add(`answer ${status}`);
}

/** What a step answers that found nothing to do. */
const NOTHING = 'nothing';
type Act = (world: World) => Promise<void> | void | typeof NOTHING;
type Step = { act: (world: World) => Promise<void>; text: string; [fc.toStringMethod]: () => string };
const seen = new Map<string, number>();
let struck: Hits = {};
/** A step with the name of a node's fault only arms it; the proxy knows what it hit. */
const hits = (): Hits => ({ ...struck, ...proxy.hits() });

const index = fc.nat({ max: 30 });
const receiver = fc.constantFrom(...RECEIVERS);
const cents = fc.integer({ min: 1, max: 120 });
const step = (name: string, act: Act, text = ''): Step => ({
  text: `${name}${text}`,
  [fc.toStringMethod]: () => `${name}${text}`,
  async act(world) {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if ((await act(world)) !== NOTHING) struck = addHits(struck, { [name]: 1 });
  },
});
/** A step about an earlier wish; without one it does nothing. */
const onWish = (name: string, act: (world: World, wish: World['wishes'][number]) => Promise<void> | void) =>
  index.map((at) =>
    step(
      name,
      (world) => {
        const wish = world.wishes.at(-1 - (at % Math.max(1, world.wishes.length)));
        return wish ? act(world, wish) : NOTHING;
      },
      `(-${at})`,
    ),
  );

const steps = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(index, receiver, cents)
      .map(([at, to, amount]) => step('pay', (world) => world.pay(at, to, amount), `(${at % 3}, ${to}, ${amount})`)),
  },
  {
    weight: 10,
    arbitrary: fc
      .integer({ min: 1, max: 3 })
      .map((blocks) => step('mine', (world) => world.mine(blocks), `(${blocks})`)),
  },
  { weight: 6, arbitrary: index.map((at) => step('retry', (world) => world.retry(at), `(-${at})`)) },
  { weight: 3, arbitrary: onWish('replay', (world, wish) => world.replay(wish)) },
  { weight: 2, arbitrary: onWish('replay with another body', (world, wish) => world.replayWithOtherBody(wish)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(index, receiver, cents)
      .map(([at, to, amount]) => step('hang up', (world) => world.payAndHangUp(at, to, amount), `(${at % 3}, ${to})`)),
  },
  { weight: 3, arbitrary: receiver.map((to) => step('link', (world) => world.link(to), `(${to})`)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('lose_reply' as const, 'drop' as const, 'unavailable' as const),
        fc.integer({ min: 1, max: 3 }),
      )
      .map(([kind, times]) =>
        step(kind, (world) => void world.fault('eth_sendRawTransaction', { kind }, times), `(${times})`),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 6 })
      .map((times) =>
        step('node away', (world) => void world.fault('*', { kind: 'unavailable' }, times), `(${times})`),
      ),
  },
  { weight: 2, arbitrary: fc.constant(step('reorg', (world) => world.reorg())) },
  { weight: 4, arbitrary: fc.constant(step('mine in vain', (world) => world.mineInVain())) },
  { weight: 1, arbitrary: fc.constant(step('restart', (world) => world.restart())) },
  { weight: 2, arbitrary: onWish('front-run', (world, wish) => world.sendFirst(wish)) },
  { weight: 2, arbitrary: onWish('cancel', (world, wish) => world.cancel(wish)) },
  { weight: 1, arbitrary: index.map((at) => step('drain', (world) => world.drain(at), `(${at % 2})`)) },
  { weight: 1, arbitrary: index.map((at) => step('fund', (world) => world.fund(at), `(${at % 3})`)) },
  { weight: 1, arbitrary: fc.boolean().map((burning) => step('burn', (world) => world.burn(burning), `(${burning})`)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(receiver, fc.boolean())
      .map(([to, listed]) => step('blacklist', (world) => world.blacklist(to, listed), `(${to}, ${listed})`)),
  },
  { weight: 1, arbitrary: fc.constant(step('wait', (world) => world.advance(70))) },
  { weight: 4, arbitrary: fc.boolean().map((away) => step('platform', (world) => world.setAway(away), `(${away})`)) },
);
const life = fc.array(fc.record({ step: steps, pauseMs: fc.constantFrom(0, 0, 10, 40, 120) }), {
  minLength: 12,
  maxLength: 40,
  size: 'max',
});

async function live(moments: readonly { step: Step; pauseMs: number }[]): Promise<void> {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n;
  const world = await createWorld(chain, proxy);
  try {
    for (const {
      step: { act },
      pauseMs,
    } of moments) {
      await act(world);
      await sleep(pauseMs);
    }
    await world.comeToRest();
    const faults = (await findFaults(chain, world, fromBlock)).filter((fault) => !TOLERATED?.test(fault));
    await count(world);
    if (faults.length > 0)
      throw new Error(`${faults.join('\n')}\nafter ${moments.map(({ step: { text } }) => text).join(', ')}`);
  } finally {
    await world.close();
  }
}

const NODE_FAULTS = ['lose_reply', 'drop', 'unavailable'] as const;

/** Chance arms a fault of the node often, and seldom before a broadcast. In this life the next broadcast meets it. */
const meeting = (kind: (typeof NODE_FAULTS)[number]) =>
  [
    step(kind, async (world) => {
      const { fired } = world.fault('eth_sendRawTransaction', { kind }, 1);
      await world.pay(0, 'alice', 50);
      // However slow the machine is: at rest the node is well again.
      await eventually(async () => expect(fired()).toBe(1), 20_000);
    }),
    step('mine', (world) => world.mine(2)),
  ].map((one) => ({ step: one, pauseMs: 40 }));

test('whatever happens, everybody is charged and paid exactly once', { timeout: 60_000 + RUNS * 60_000 }, async () => {
  const silent = () => findSilent(namedFaults(), hits());
  // Time is real here, so a failing life does not shrink well: the first one is reported as it is.
  const run = async (round: number) => {
    await fc.assert(fc.asyncProperty(life, live), { numRuns: RUNS, seed: SEED + round, endOnFailure: true });
    for (const kind of NODE_FAULTS) if (silent().includes(kind)) await live(meeting(kind));
    console.log(Object.fromEntries(totals));
  };
  if (RUNS < 8) return runUntilSeen(5, run, silent);
  const wanted = [
    'payment final',
    'payment rejected',
    'payout final',
    'alias',
    'entry un.in',
    'entry resolve',
    'answer 200',
    'answer 400',
    'answer 402',
    'answer 500',
  ];
  await runUntilSeen(5, run, () => [
    ...wanted.filter((name) => !totals.has(name)),
    ...(seen.size >= 20 ? [] : ['20 kinds of steps']),
    ...silent(),
  ]);
});

test('CONTROL: a charge that nothing came of, and a payout that no book knows, are both seen', async () => {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n;
  const world = await createWorld(chain, proxy);
  try {
    await world.pay(0, 'alice', 50);
    await world.comeToRest();
    expect(await findFaults(chain, world, fromBlock)).toEqual([]);
    // Charged behind everybody's back: a proof that was signed and never presented.
    await world.signOnly(1, 'bob', 60);
    await world.sendFirst(world.wishes.at(-1)!);
    world.frontRun.clear();
    await chain.fundUsdc(world.wallets.get('carol')!, microUsdc(1n));
    await world.comeToRest();
    const faults = (await findFaults(chain, world, fromBlock)).join('\n');
    expect(faults).toMatch(/was charged and nothing came of it/);
    expect(faults).toMatch(/carol has 1, the books say 0/);
  } finally {
    await world.close();
  }
});
