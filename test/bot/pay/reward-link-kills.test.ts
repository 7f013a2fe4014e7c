/** Wallets and treasury at once, and processes that end: what pays is one, once. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBot } from '../../../bot/commands/bot.ts';
import { REWARD_LINK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { runUntilSeen } from '../../support/seen.ts';
import { MINUTE_MS, MOD } from '../core/reward-world.ts';
import { usdc } from '../harness.ts';
import {
  call,
  cardOf,
  confirm,
  OTHER,
  PAID,
  pay,
  sign,
  textOf,
  useLinkWorld,
  visit,
  WALLET,
  world,
} from './reward-link-world.ts';

useLinkWorld();

test('two wallets and the treasury at once: one of them pays, 10 times and more', async () => {
  const ways = new Set<string>();
  const race = async (run: number) => {
    world.state.balance = usdc(1);
    const button = await confirm(`card-${run}`);
    const [one, two] = [await sign(WALLET), await sign(OTHER)];
    if (one === null || two === null) throw new Error('a wallet is asked for nothing');
    world.state.balance = usdc(100);
    // A press takes fewer steps, so that it comes first unless it waits a little.
    const press = () => setTimeout((run % 10) ** 2).then(() => world.press(MOD, button));
    const wallets = run % 2 === 0 ? [one, two] : [two, one];
    await Promise.all([press(), ...wallets.map((signed) => call('signed', signed))]);
    await world.bot.idle();
    const card = await cardOf();
    expect([card.status, world.api.charged.filter(({ id }) => id === card.distributionId).length]).toEqual(['paid', 1]);
    expect(world.api.proofs.filter(({ id }) => id === card.distributionId).length).toBe(1);
    ways.add(card.viaLink === true ? 'a wallet' : 'the treasury');
  };
  for (let run = 0; run < 10; run++) await race(run);
  await runUntilSeen(
    500,
    (run) => race(10 + run),
    () => ['a wallet', 'the treasury'].filter((way) => !ways.has(way)),
  );
});

const POINTS: readonly Failpoint[] = [
  ...REWARD_LINK_FAILPOINTS,
  'reward.before-present',
  'reward.after-answer',
  'reward.after-paid',
  'reward.before-end',
  'reward.after-end',
];

test.each(POINTS)('a process that ends at %s is paid for exactly once, by the second try', async (failpoint) => {
  await confirm();
  let refused: string | null = null;
  world.api.verdict = () => {
    const { header } = world.api.proofs.at(-1) ?? {};
    refused ??= header ?? null;
    return header === refused ? { status: 402, error: 'insufficient_funds' } : 'paid';
  };
  world.dieAt(failpoint);
  for (const address of [WALLET, OTHER]) {
    await pay(address);
    await pay(address);
  }
  expect(world.deaths()).toBeGreaterThan(0);
  world.dieAt(null);
  world.clock.pass(MINUTE_MS);
  const next = createBot(world.deps);
  visit(next);
  await next.resume();
  await next.idle();
  for (let tries = 0; tries < 3; tries++) {
    await pay(OTHER);
    await next.idle();
  }
  const card = await cardOf();
  expect(card).toMatchObject({ status: 'paid', viaLink: true, nextLookAtMs: null });
  expect(world.api.charged).toEqual([{ id: card.distributionId, header: card.header }]);
  expect(world.api.proofs.filter(({ header }) => header !== refused && header !== card.header)).toEqual([]);
  expect(textOf()).toMatch(PAID);
});
