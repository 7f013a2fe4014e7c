import { reportFaults, stormSize } from '../../scripts/torture/faults.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { showReward } from '../../bot/rewards/reward-views.ts';
import { createBot } from '../../bot/commands/bot.ts';
import { REWARD_FAILPOINTS } from '../../core/failpoints.ts';
import { exactEvmPayloadSchema, readHeader } from '../../core/payments/x402.ts';
import type { Verdict } from './fake-rewards.ts';
import {
  buttonOf,
  MINUTE_MS,
  MOD,
  openRewardWorld,
  OTHER_MOD,
  OWNER,
  POST,
  type RewardWorld,
} from './core/reward-world.ts';

let world: RewardWorld;
beforeEach(async () => void (world = await openRewardWorld()));
afterEach(() => world.close());

/** Two who did not ask for it have confirmed; the process may end at any time from then on. */
async function confirm(budget = 25, eventId = 'card'): Promise<void> {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} ${budget}`, eventId), 'Confirm');
  await world.press(MOD, button);
  await world.press(OTHER_MOD, button).catch(() => null);
  await world.bot.idle();
}

/** What ended in an error is looked at again after that, also where the process lives on. */
const PUT_OFF_MS = MINUTE_MS;

/** Another process on the same books. */
async function restart(): Promise<void> {
  world.dieAt(null);
  world.clock.pass(PUT_OFF_MS);
  const bot = createBot(world.deps);
  await bot.resume();
  await bot.idle();
}

/** Before them nothing was asked, and after them all is answered: there it does not matter what the API does. */
const ASKING = ['reward.before-present', 'reward.after-answer'] as const;

const VERDICTS: [string, (proofs: number) => Verdict, readonly RewardPoint[]][] = [
  ['pays at once', () => 'paid', REWARD_FAILPOINTS],
  ['pays and loses its answer', (proofs) => (proofs === 1 ? 'paid and dropped' : 'paid'), ASKING],
  ['loses the first proof', (proofs) => (proofs === 1 ? 'dropped' : 'paid'), ASKING],
  ['is busy for a while', (proofs) => (proofs < 4 ? 'pending' : 'paid'), ASKING],
];
type RewardPoint = (typeof REWARD_FAILPOINTS)[number];

describe.each(VERDICTS)('where the API %s', (_what, verdict, points) => {
  test.each(points)('a process that ends at %s pays exactly once', async (failpoint) => {
    world.api.verdict = verdict;
    world.dieAt(failpoint);
    await confirm();
    expect(world.deaths()).toBe(1);
    await restart();
    const [card] = await world.cards();
    expect(card).toMatchObject({ status: 'paid', nextLookAtMs: null, counts: { paid: 45, waiting: 2 } });
    expect(world.api.charged).toEqual([{ id: card?.distributionId, header: card?.header }]);
    expect(new Set(world.api.proofs.map(({ header }) => header)).size).toBe(1);
    expect(new Set(world.api.proofs.map(({ key }) => key))).toEqual(new Set([card?.id]));
    expect(world.textOf('card')).toContain('45 paid, 2 wait to be collected');
  });
});

test('a process that always ends somewhere else pays exactly once in the end', async () => {
  world.dieAt(REWARD_FAILPOINTS[0]);
  await confirm();
  for (const failpoint of REWARD_FAILPOINTS) {
    const bot = createBot(world.deps);
    world.dieAt(failpoint);
    world.clock.pass(PUT_OFF_MS);
    await bot.resume();
    await bot.idle();
  }
  await restart();
  expect(world.api.charged.length).toBe(1);
  expect((await world.cards())[0]).toMatchObject({ status: 'paid', nextLookAtMs: null });
});

const windowOf = (header: string): number =>
  Number(exactEvmPayloadSchema.parse(readHeader(header)?.payload).authorization.validBefore) * 1_000;

test('a header that is over, and refused as over, gives way to one more', async () => {
  world.api.verdict = () => 'pending';
  await confirm();
  world.clock.pass(5 * MINUTE_MS);
  const isOld = () => world.api.proofs.at(-1)?.header === world.api.proofs[0]?.header;
  world.api.verdict = () => (isOld() ? { status: 402, error: 'payment_expired' } : 'paid');
  const atMs = world.clock.now();
  await restart();
  const headers = [...new Set(world.api.proofs.map(({ header }) => header))];
  expect(headers.length).toBe(2);
  expect(windowOf(headers[0] ?? '')).toBeLessThan(atMs);
  expect(world.api.charged.map(({ header }) => header)).toEqual([headers[1]]);
});

test('a header that landed after it was refused as over is found paid before there is another', async () => {
  world.api.verdict = () => 'pending';
  await confirm();
  world.clock.pass(5 * MINUTE_MS);
  const before = world.api.proofs.length;
  world.api.verdict = (proofs) => (proofs === before + 1 ? { status: 402, error: 'payment_expired' } : 'paid');
  await restart();
  expect(new Set(world.api.proofs.map(({ header }) => header)).size).toBe(1);
  expect(world.api.charged).toHaveLength(1);
});

test('a header that is over gets no other beside it while the API does not know its end', async () => {
  world.api.verdict = () => 'pending';
  await confirm();
  const header = world.api.proofs[0]?.header ?? '';
  world.clock.pass(5 * MINUTE_MS);
  expect(windowOf(header)).toBeLessThan(world.clock.now() - MINUTE_MS / 2);
  await restart();
  expect((await world.cards())[0]).toMatchObject({ status: 'signed', header });
  world.api.verdict = () => 'paid';
  world.clock.pass(MINUTE_MS);
  await restart();
  expect(world.api.charged.map((paid) => paid.header)).toEqual([header]);
  expect(new Set(world.api.proofs.map((proof) => proof.header)).size).toBe(1);
});

test('a header that is over after a quarter of an hour gives way to none, and the card keeps it', async () => {
  world.api.verdict = () => 'pending';
  await confirm();
  const header = world.api.proofs[0]?.header ?? '';
  world.clock.pass(15 * MINUTE_MS);
  world.api.verdict = () => ({ status: 402, error: 'payment_expired' });
  await restart();
  expect((await world.cards())[0]).toMatchObject({ status: 'failed', failure: 'took_too_long', header });
  expect(new Set(world.api.proofs.map((proof) => proof.header)).size).toBe(1);
  expect(world.api.charged).toEqual([]);
});

test('a header that may still land gets no other beside it, whatever the API says', async () => {
  world.api.verdict = () => ({ status: 402, error: 'payment_expired' });
  await confirm();
  await restart();
  expect(new Set(world.api.proofs.map(({ header }) => header)).size).toBe(1);
  expect((await world.cards())[0]).toMatchObject({ status: 'signed', failure: null });
});

test('the card goes on counting after everything stood still, until everybody has their share; what has not changed is not shown again', async () => {
  world.api.after = 'partial';
  await confirm();
  expect(world.api.reads).toBeGreaterThan(10);
  expect(world.chat.history('card')?.filter((text) => text.includes('45 paid'))).toHaveLength(1);
  expect(world.textOf('card')).toContain('45 paid, 2 wait to be collected');
  const lookAgain = async () => {
    world.clock.pass(10 * MINUTE_MS);
    await restart();
    return (await world.cards())[0]?.nextLookAtMs;
  };
  expect(await lookAgain()).toBeGreaterThan(world.clock.now());
  world.api.waiting = 0;
  for (const one of world.api.all.values()) one.status = 'completed';
  expect(await lookAgain()).toBeNull();
  expect(world.textOf('card')).toContain('47 paid');
  expect(world.api.charged.length).toBe(1);
});

test('a share that is not collected after a day is counted no more', async () => {
  world.api.after = 'partial';
  await confirm();
  world.clock.pass(24 * 60 * MINUTE_MS);
  await restart();
  expect((await world.cards())[0]).toMatchObject({ status: 'paid', nextLookAtMs: null, counts: { waiting: 2 } });
});

test('a press on a card that is over, and told in full, asks the API for nothing', async () => {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} 10`, 'card'), 'Confirm');
  await world.press(MOD, button);
  await world.bot.idle();
  const { reads } = world.api;
  expect(reads).toBeGreaterThan(0);
  expect(await world.press(OTHER_MOD, button)).toBe('That reward is decided already.');
  await world.bot.idle();
  expect(world.api.reads).toBe(reads);
});

test('what a process was counting when it ended is taken up soon, and not only at the next look', async () => {
  world.api.after = 'confirmed';
  vi.spyOn(world.clock, 'sleep').mockImplementation(async () => {
    world.closing.abort();
    throw new Error('the process ends');
  });
  await confirm();
  const [card] = await world.cards();
  expect(card).toMatchObject({ status: 'paid', counts: { onTheWay: 47 } });
  expect((card?.nextLookAtMs ?? Infinity) - world.clock.now()).toBeLessThan(MINUTE_MS);
});

test('a look that is older than the row changes nothing', async () => {
  await confirm();
  const [card] = await world.cards();
  if (!card) throw new Error('no card');
  await showReward(world.deps, { ...card, counts: { paid: 0, waiting: 0, onTheWay: 47, refunded: 0, held: 0 } });
  expect(world.textOf('card')).toContain('45 paid, 2 wait to be collected');
});

test('what was confirmed for a network that is switched off by then fails, and nobody can pay for it', async () => {
  world.dieAt('reward.after-confirm');
  await confirm();
  world.dieAt(null);
  const bot = createBot({ ...world.deps, networks: [] as never });
  await bot.resume();
  await bot.idle();
  expect((await world.cards())[0]).toMatchObject({ status: 'failed', failure: 'network_off' });
  expect(world.signed).toEqual([]);
  expect(world.api.rejected).toHaveLength(1);
});

test('nothing is signed for what was confirmed a quarter of an hour ago', async () => {
  world.dieAt('reward.after-confirm');
  await confirm();
  world.clock.pass(15 * MINUTE_MS);
  await restart();
  expect((await world.cards())[0]).toMatchObject({ status: 'failed', failure: 'took_too_long' });
  expect(world.signed).toEqual([]);
  expect(world.api.rejected.length).toBe(1);
});

test('both moderators at once, before two processes, pay each reward exactly once', async () => {
  const count = stormSize(10);
  const other = createBot(world.deps);
  for (let run = 0; run < count; run++) {
    const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, `card-${run}`), 'Confirm');
    const press = (bot: typeof other, userId: string, eventId: string) =>
      bot.press({
        transport: 'discord',
        eventId: `${run}-${eventId}`,
        chatId: 'chat',
        communityId: '4200',
        userId,
        walletId: userId,
        buttonId: button,
      });
    await Promise.all([
      press(world.bot, MOD, 'a'),
      press(other, OTHER_MOD, 'b'),
      press(other, MOD, 'c'),
      press(world.bot, OTHER_MOD, 'd'),
    ]);
    await Promise.all([world.bot.resume(), other.resume()]);
    await Promise.all([world.bot.idle(), other.idle()]);
  }
  const cards = await world.cards();
  expect(cards.filter(({ status }) => status === 'paid').length).toBe(count);
  expect(new Set(world.api.charged.map(({ id }) => id)).size).toBe(count);
  expect(world.api.charged.length).toBe(count);
  // Whatever both have signed, of each card one header ever left.
  expect(new Set(world.api.proofs.map(({ header }) => header)).size).toBe(count);
  reportFaults({ 'both moderators at once': count });
});
