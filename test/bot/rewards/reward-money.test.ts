/** Where a reward is paid from, when it is, and whose money it was. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { View } from '../../../core/view.ts';
import { PINNED, usdc } from '../harness.ts';
import { formatUsdcForPeople, microUsdc } from '../../../core/money.ts';
import {
  buttonOf,
  MEMBER,
  MINUTE_MS,
  MOD,
  openRewardWorld,
  OTHER_MOD,
  OWNER,
  POST,
  type RewardWorld,
} from '../core/reward-world.ts';

let world: RewardWorld;
beforeEach(async () => void (world = await openRewardWorld()));
afterEach(() => world.close());

const ask = (by = OWNER, budget = '25', eventId = 'card') => world.say(by, `/reward ${POST} ${budget}`, eventId);
const confirm = (view: View, by: string) => world.press(by, buttonOf(view, 'Confirm'));
const status = async () => (await world.cards()).map((card) => card.status);

test('only the moderator who confirms last is told what a treasury lacks', async () => {
  world.state.balance = usdc(24.99);
  const card = await ask();
  expect(await confirm(card, MEMBER)).toBe('That is for those who moderate here.');
  expect(await confirm(card, MOD)).toBeNull();
  const told = await confirm(card, OTHER_MOD);
  expect(told).toContain('The treasury has 24.99 USDC, and this needs 25.00 USDC on one network.');
  expect(world.textOf('card')).not.toContain('24.99');
  expect(await status()).toEqual(['proposed']);
});

test('it is paid on the network that has enough', async () => {
  const two = await openRewardWorld({ solanaBalance: 30 });
  two.state.balance = usdc(1);
  const card = await two.say(OWNER, `/reward ${POST} 10`, 'card');
  await two.press(MOD, buttonOf(card, 'Confirm'));
  await two.bot.idle();
  expect((await two.cards())[0]).toMatchObject({ status: 'paid', network: 'solana', lastValidHeight: 1_150 });
  // Where nobody says whose money it was, it was what the header has paid.
  expect((await two.cards())[0]?.header).toEqual(two.api.charged[0]?.header);
  expect(two.textOf('card')).not.toContain('Somebody else');
  expect(two.api.charged).toHaveLength(1);
  await two.close();
});

test('a line for the cost that the card has named is paid, and a larger one is not', async () => {
  for (const [asked, end] of [
    [1, 'paid'],
    [2, 'failed'],
  ] as const) {
    const asking = await openRewardWorld({ pinned: { ...PINNED, costLine: usdc(0.01) } });
    const card = await asking.say(OWNER, `/reward ${POST} 10`, 'card');
    const [row] = await asking.cards();
    const line = row?.costMaxMicroUsdc ?? 0n;
    expect(asking.textOf('card')).toContain(
      `up to ${formatUsdcForPeople(microUsdc(line))} USDC more pays for their cost`,
    );
    asking.api.change = ({ accepts }) => {
      for (const terms of accepts) terms.amount = `${BigInt(terms.amount) + line * BigInt(asked)}`;
    };
    await asking.press(MOD, buttonOf(card, 'Confirm'));
    await asking.bot.idle();
    const [after] = await asking.cards();
    expect([after?.status, asking.signed.length]).toEqual([end, end === 'paid' ? 1 : 0]);
    if (end === 'paid') expect(asking.signed).toMatchObject([{ authorization: { value: usdc(10) + line } }]);
    await asking.close();
  }
});

test('what another payer has paid for is not paid again', async () => {
  const card = await ask(OWNER, '10');
  const [one] = [...world.api.all.values()];
  if (one) [one.paidBy, one.status] = ['somebody', 'completed'];
  await confirm(card, MOD);
  await world.bot.idle();
  expect(world.textOf('card')).toContain('Somebody else has paid for it: nothing left the treasury.');
  expect(world.signed).toEqual([]);
});

test('of two payers at once one is charged, and the card says whose money it was', async () => {
  world.api.verdict = () => 'pending';
  const card = await ask(OWNER, '10');
  await confirm(card, MOD);
  await world.bot.idle();
  const [one] = [...world.api.all.values()];
  if (one) [one.paidBy, one.status] = [`0x${'cd'.repeat(20)}`, 'completed'];
  world.clock.pass(MINUTE_MS);
  await world.bot.resume();
  await world.bot.idle();
  expect(await world.cards()).toMatchObject([{ status: 'paid', header: null }]);
  expect(world.textOf('card')).toContain('Somebody else has paid for it: nothing left the treasury.');
  expect(world.api.charged).toEqual([]);
});

test('while another payer is paying, nothing is signed; where that fails, it is paid', async () => {
  world.api.price = { status: 400, error: 'order_in_progress' };
  await confirm(await ask(OWNER, '10'), MOD);
  await world.bot.idle();
  expect(world.signed).toEqual([]);
  world.api.price = null;
  world.clock.pass(MINUTE_MS);
  await world.bot.resume();
  await world.bot.idle();
  expect(world.api.charged).toHaveLength(1);
});

test.each([
  ['another sum', (terms: { amount: string }) => void (terms.amount = '10000001')],
  ['another payee', (terms: { payTo: string }) => void (terms.payTo = `0x${'cd'.repeat(20)}`)],
  ['another request', ({ extra }: { extra: Record<string, string> }) => void (extra['requestHash'] = '5a'.repeat(32))],
  ['another token', (terms: { asset: string }) => void (terms.asset = `0x${'cd'.repeat(20)}`)],
])('a challenge for %s is not paid', async (_what, change) => {
  world.api.change = ({ accepts }) => accepts.forEach(change);
  await confirm(await ask(OWNER, '10'), MOD);
  await world.bot.idle();
  expect((await world.cards())[0]).toMatchObject({ status: 'failed', failure: 'price_not_agreed' });
  expect(world.signed).toEqual([]);
  expect(world.api.rejected).toHaveLength(1);
});

test('a payment that the API refuses for good is reported, and nobody is asked to pay again', async () => {
  world.api.verdict = () => ({ status: 402, error: 'insufficient_funds' });
  await confirm(await ask(OWNER, '10'), MOD);
  await world.bot.idle();
  expect(world.textOf('card')).toContain('The treasury has not enough.');
  expect(world.api.proofs).toHaveLength(1);
});
