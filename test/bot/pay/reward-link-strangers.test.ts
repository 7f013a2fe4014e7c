/** What others do to a reward that waits for money: strangers on its page, moderators meanwhile, payers of the API. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createBot } from '../../../bot/commands/bot.ts';
import { LINK_SHOWN_AFTER_MS, showReward } from '../../../bot/rewards/reward-views.ts';
import { noteBalance } from '../../../bot/treasury/treasury-balance.ts';
import { presentByLink } from '../../../db/rewards/reward-links.ts';
import { receiptsOf, rewardsOutOf } from '../../../db/treasury/treasury-deposits.ts';
import { buttonOf, DAY_MS, MEMBER, MINUTE_MS, MOD, OWNER, POST } from '../core/reward-world.ts';
import { usdc } from '../harness.ts';
import {
  call,
  cardOf,
  confirm,
  OTHER,
  pay,
  payersCharged,
  POOR,
  show,
  sign,
  textOf,
  useLinkWorld,
  WALLET,
  world,
} from './reward-link-world.ts';

useLinkWorld();

describe('what strangers do on it', () => {
  test('is nothing that the chat hears of where it is refused at once', async () => {
    await confirm();
    const edits = world.chat.history('card')?.length;
    const wake: (() => void)[] = [];
    vi.spyOn(world.clock, 'sleep').mockImplementation(() => new Promise((resolve) => void wake.push(resolve)));
    world.api.verdict = () => ({ status: 402, error: 'invalid_exact_evm_payload_signature' });
    for (let tries = 0; tries < 5; tries++) expect(await pay()).toBe(200);
    expect([world.api.proofs.length, wake.length]).toEqual([5, 5]);
    for (const resolve of wake) resolve();
    // Long enough for a look at the row and an edit.
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(world.chat.history('card')?.length).toBe(edits);
    expect(await cardOf()).toMatchObject({ status: 'proposed' });
  });

  test('is shown by no press of its first moment, because nothing would show that it was refused', async () => {
    await confirm();
    const open = textOf();
    const { id } = await cardOf();
    const nowMs = world.clock.now();
    await presentByLink(world.store, id, { header: 'a', network: 'base', payerAddress: WALLET, nowMs });
    world.clock.pass(LINK_SHOWN_AFTER_MS - 1);
    await showReward(world.deps, await cardOf());
    expect(textOf()).toBe(open);
    world.clock.pass(1);
    await showReward(world.deps, await cardOf());
    expect(textOf()).toContain('Paying 25.00 USDC');
  });

  test('does not hold the card where the API has heard too much of them', async () => {
    await confirm();
    world.api.verdict = (proofs) => (proofs === 1 ? { status: 429, error: 'rate_limited' } : 'paid');
    expect(await pay()).toBe(200);
    expect(await cardOf()).toMatchObject({ status: 'proposed', refusal: 'rate_limited' });
    expect(await pay(OTHER)).toBe(200);
    expect(payersCharged()).toEqual([OTHER]);
  });

  test('uses up no tries but their own, with however many wallets', async () => {
    await confirm();
    const ask = (index: number, caller: string) => {
      const address = `0x${index.toString(16).padStart(40, '0')}`;
      return call('prepare', { network: 'base', address }, caller);
    };
    // As many as one page takes from all of them.
    for (let tries = 1; tries <= 300; tries++) await ask(tries, 'stranger');
    expect(await (await ask(301, 'stranger')).json()).toMatchObject({ error: 'rate_limited' });
    expect(await pay()).toBe(200);
  });

  test('CONTROL: from as many networks they do, so what a page takes in all bounds its cost alone', async () => {
    await confirm();
    for (let tries = 1; tries <= 300; tries++) await call('prepare', { network: 'base', address: POOR }, `at ${tries}`);
    expect(await pay()).toBe(409);
  });

  test('signs nothing for what it has not, also where it has asked for nothing', async () => {
    await confirm();
    const asked = (await sign(WALLET)) ?? {};
    const forged = await call('signed', { ...asked, address: POOR });
    expect([forged.status, await forged.json()]).toMatchObject([409, { error: 'insufficient_funds' }]);
    expect(await cardOf()).toMatchObject({ status: 'proposed', header: null });
  });
});

describe('while a wallet pays', () => {
  beforeEach(async () => {
    await confirm();
    world.api.verdict = () => 'pending';
    if ((await pay()) !== 200) throw new Error('the payment was not taken');
  });

  test('those who moderate are told so, and nobody pays beside it; once it came to nothing, also under a process that ends then, the card can be pressed again', async () => {
    world.state.balance = usdc(100);
    expect(textOf()).toContain('Paying 25.00 USDC');
    const { chatButtons } = world.store.tables;
    const buttons = await world.store.read.select().from(chatButtons);
    for (const { id } of buttons) {
      expect(await world.press(MOD, id)).toContain('Somebody is paying it with a wallet right now.');
    }
    expect(buttons.length).toBeGreaterThan(1);
    expect(await show()).toContain('It is being paid');
    expect(await pay(OTHER)).toBe(409);
    expect(world.signed).toEqual([]);
    world.state.balance = usdc(1);
    world.api.verdict = () => ({ status: 402, error: 'insufficient_funds' });
    world.dieAt('reward.after-reopen');
    world.clock.pass(MINUTE_MS);
    await world.bot.resume();
    await world.bot.idle();
    expect([world.deaths(), textOf()]).toEqual([1, expect.stringContaining('Paying 25.00 USDC')]);
    world.dieAt(null);
    world.clock.pass(MINUTE_MS);
    const next = createBot(world.deps);
    await next.resume();
    await next.idle();
    expect(textOf()).toContain('It is confirmed, but');
    const { nextLookAtMs, expiresAtMs } = await cardOf();
    expect(nextLookAtMs).toBe(expiresAtMs);
  });

  test('and comes to nothing after another card was made, that one stays the only one', async () => {
    await world.say(OWNER, `/reward ${POST} 25`, 'other');
    world.api.verdict = () => ({ status: 402, error: 'insufficient_funds' });
    world.clock.pass(MINUTE_MS);
    await world.bot.resume();
    await world.bot.idle();
    expect((await world.cards()).map(({ status }) => status)).toEqual(['replaced', 'proposed']);
    expect(textOf()).toContain('another card for the post by marta stands in the place of this one');
    expect(world.api.rejected.length).toBe(1);
  });
});

test('what a wallet paid is not the treasury’s money, neither in nor out', async () => {
  await confirm();
  await pay();
  const card = await cardOf();
  const place = { walletId: card.walletId, network: 'base' } as const;
  expect(await rewardsOutOf(world.store, card.walletId, 10)).toEqual([]);
  await noteBalance(world.deps, world.deps.networks[0], card.walletId);
  expect((await receiptsOf(world.store, place)).at(-1)?.totalMicroUsdc).toBe(usdc(1));
});

test('nobody signs for another price than the page says', async () => {
  await confirm();
  const { rewardCards } = world.store.tables;
  await world.store.tx((db) => db.update(rewardCards).set({ totalMicroUsdc: 26_000_000n }));
  const refused = await call('prepare', { network: 'base', address: WALLET });
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: 'price_not_agreed' }]);
});

test('a list with a recipient who no longer wants payments says so', async () => {
  await confirm();
  world.api.price = { status: 400, error: 'receiver_opted_out' };
  const refused = await call('prepare', { network: 'base', address: WALLET });
  expect(await refused.json()).toMatchObject({
    said: expect.stringContaining('Somebody on the list wants no payments'),
  });
});

describe('a payer who uses the API directly', () => {
  test.each([
    ['Confirm', 'confirmed by all who have to'],
    ['Reject', 'rejected'],
    ['', 'over'],
  ])('is told of on the card (%s)', async (label) => {
    const button = await confirm();
    const one = world.api.all.get((await cardOf()).distributionId);
    if (!one) throw new Error('the API does not know it');
    Object.assign(one, { status: 'completed', paidBy: OTHER });
    world.state.balance = usdc(100);
    if (label === '') world.clock.pass(DAY_MS);
    else await world.press(MOD, label === 'Reject' ? buttonOf(world.shown('card'), label) : button);
    await world.bot.resume();
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'paid', header: null });
    expect(textOf()).toContain('Somebody else has paid for it: nothing left the treasury.');
    expect(world.signed).toEqual([]);
  });

  test.each(['a press', 'a wallet'])('is reported at %s, also while the treasury has too little', async (by) => {
    const button = await confirm();
    const one = world.api.all.get((await cardOf()).distributionId);
    if (!one) throw new Error('the API does not know it');
    Object.assign(one, { status: 'completed', paidBy: OTHER });
    if (by === 'a press') expect(await world.press(MOD, button)).toBeNull();
    else expect(await pay()).toBe(409);
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'paid', header: null });
    expect(textOf()).toContain('Somebody else has paid for it');
  });

  test('and whose payment may still fail: what was rejected is asked about again, until nobody can pay', async () => {
    await confirm();
    const one = world.api.all.get((await cardOf()).distributionId);
    if (!one) throw new Error('the API does not know it');
    one.status = 'confirming';
    await world.press(MOD, buttonOf(world.shown('card'), 'Reject'));
    await world.bot.idle();
    expect((await cardOf()).nextLookAtMs).toBeGreaterThan(world.clock.now());
    one.status = 'pending';
    world.clock.pass(2 * MINUTE_MS);
    await world.bot.resume();
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'rejected', nextLookAtMs: null });
    expect(one.status).toBe('rejected');
  });
});

test('a member who does not moderate learns nothing about the treasury, and no network is asked', async () => {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, 'card'), 'Confirm');
  world.state.down.add('base').add('solana');
  expect(await world.press(MEMBER, button)).toContain('for those who moderate');
  expect(await world.press(MOD, button)).toContain('can’t find out what the treasury has');
});
