/** A reward that a community has confirmed and cannot pay, and the page on which anybody's wallet can. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBot } from '../../../bot/core/bot.ts';
import { createPayPages } from '../../../bot/pay/app.ts';
import { REWARD_LINK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { exactEvmPayloadSchema, readHeader } from '../../../core/x402.ts';
import {
  buttonOf,
  DAY_MS,
  MEMBER,
  MINUTE_MS,
  MOD,
  openRewardWorld,
  OTHER_MOD,
  OWNER,
  POST,
  type RewardWorld,
} from '../core/reward-world.ts';
import { OPERATOR, PINNED, usdc } from '../harness.ts';
import { runUntilSeen } from '../../support/seen.ts';
import { fakeSolana } from './world.ts';

const WALLET = `0x${'c0'.repeat(20)}`;
const OTHER = `0x${'d0'.repeat(20)}`;
const HEADERS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

let world: RewardWorld;
let pages: ReturnType<typeof createPayPages>;
beforeEach(async () => {
  world = await openRewardWorld();
  world.state.balance = usdc(1);
  for (const address of [WALLET, OTHER]) world.state.balances.set(address, usdc(50));
  pages = pagesOf(world.bot);
});
afterEach(() => world.close());

const pagesOf = (bot: RewardWorld['bot']) =>
  createPayPages({
    ...world.deps,
    payLinks: bot.links,
    rewardWork: bot.rewards,
    solana: fakeSolana,
    operator: OPERATOR,
  });

const cardOf = async () => {
  const card = (await world.cards()).at(-1);
  if (!card) throw new Error('there is no card');
  return card;
};

/** A card for 25 USDC that two have confirmed. */
async function confirm(eventId = 'card'): Promise<string> {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, eventId), 'Confirm');
  await world.press(MOD, button);
  await world.press(OTHER_MOD, button);
  await world.bot.idle();
  return button;
}

const pathOf = async () => `/reward/${(await cardOf()).distributionId}`;
const show = async () => (await pages.request(await pathOf())).text();
const call = async (step: string, body: object) =>
  pages.request(`${await pathOf()}/${step}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });

/** What the wallet at this address sends back; null where nothing is asked of it. */
async function sign(address: string): Promise<object | null> {
  const prepared = await call('prepare', { network: 'base', address });
  if (prepared.status !== 200) return null;
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  return { network: 'base', address, nonce, validBefore, signature: `0x${'22'.repeat(65)}` };
}

async function pay(address = WALLET): Promise<number> {
  const signed = await sign(address);
  if (signed === null) return 409;
  const { status } = await call('signed', signed);
  await world.bot.idle();
  return status;
}

const payersCharged = () =>
  world.api.charged.map(({ header }) => exactEvmPayloadSchema.parse(readHeader(header)?.payload).authorization.from);
const textOf = () => world.textOf('card');
const PAID = /^Rewarded: 25\.00 USDC for a post by marta\.\n45 paid, 2 wait to be collected/;

describe('a reward that is confirmed and that the treasury cannot pay', () => {
  test('says so to all, tells whoever pressed what is missing, and links to its page', async () => {
    const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, 'card'), 'Confirm');
    expect(await world.press(MOD, button)).toBeNull();
    expect(textOf()).not.toContain('has enough');
    expect(await world.press(OTHER_MOD, button)).toContain('The treasury has 1.00 USDC, and this needs 25.00 USDC');
    expect(textOf()).toContain('It is confirmed, but no network of the treasury has enough for it.');
    expect(textOf()).not.toContain('1.00 USDC, and');
    const url = `https://pay.test/pay${await pathOf()}`;
    expect(world.shown('card').actions).toContainEqual({ kind: 'link', label: 'Pay 25.00 USDC', url });
    expect([world.signed, world.api.proofs]).toEqual([[], []]);
  });

  test('is paid by a wallet, once, and the card says that nothing left the treasury', async () => {
    await confirm();
    expect(await pay()).toBe(200);
    const card = await cardOf();
    expect(card).toMatchObject({ status: 'paid', viaLink: true, payerAddress: WALLET, network: 'base' });
    expect(world.api.charged).toEqual([{ id: card.distributionId, header: card.header }]);
    expect(world.api.proofs.map(({ key, value }) => [key, value])).toEqual([[card.id, '25000000']]);
    expect(payersCharged()).toEqual([WALLET]);
    expect(textOf()).toMatch(PAID);
    expect(textOf()).toContain('Paid by the link: nothing left the treasury.');
    expect(world.signed).toEqual([]);
    expect(await pay(OTHER)).toBe(409);
    expect(world.api.charged.length).toBe(1);
  });

  test('asks a wallet for exactly the price, to our address, bound to this distribution', async () => {
    await confirm();
    const prepared = (await (await call('prepare', { network: 'base', address: WALLET })).json()) as {
      typedData: { message: Record<string, string> };
    };
    expect(prepared.typedData.message).toMatchObject({ from: WALLET, to: PINNED.payTo, value: '25000000' });
  });

  test('is paid by the treasury as soon as it has enough and one more confirms', async () => {
    const button = await confirm();
    world.state.balance = usdc(100);
    await world.press(MOD, button);
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'paid', viaLink: null });
    expect(textOf()).toMatch(/collected$/);
    expect(world.signed.length).toBe(1);
    expect(await pay()).toBe(409);
    expect(world.api.charged.length).toBe(1);
  });

  test('can still be rejected by one', async () => {
    await confirm();
    await world.press(MOD, buttonOf(world.shown('card'), 'Reject'));
    await world.bot.idle();
    expect(await pay()).toBe(409);
    expect(await show()).toContain('data-state="expired"');
    expect(world.api.proofs).toEqual([]);
  });
});

describe('its page', () => {
  test('takes nothing before enough have confirmed, and what was prepared for another card is refused', async () => {
    await world.say(OWNER, `/reward ${POST} 25`, 'card');
    expect(await show()).toContain('It is not confirmed yet');
    const refused = await call('prepare', { network: 'base', address: WALLET });
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: 'not_confirmed' }]);
    const forged = { network: 'base', address: WALLET, nonce: 'a'.repeat(64), validBefore: 2_000_000_000 };
    expect((await call('signed', { ...forged, signature: '0x22' })).status).toBe(409);
    await world.press(MOD, buttonOf(world.shown('card'), 'Confirm'));
    expect(await pay()).toBe(409);
    expect(world.api.proofs).toEqual([]);
  });

  test('names the first who get something, how many more there are, and where all stand', async () => {
    await confirm();
    const page = await show();
    expect(page).toContain('data-state="open"');
    expect(page).toContain('A reward for a post by marta');
    expect(page).toContain('person1 gets');
    expect(page).toContain('and 37 more');
    expect(page).toContain(`https://pay.test/rewards/${(await cardOf()).distributionId}`);
    expect(page).not.toContain('Pay from any app');
  });

  test('takes no plain transfer', async () => {
    await confirm();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const response = await pages.request(`${await pathOf()}/transfer`, { method: 'POST', headers });
    expect([response.status, response.headers.get('location')]).toEqual([303, `/pay${await pathOf()}?refused=other`]);
  });

  test('of what no card stands for is not there', async () => {
    await confirm();
    for (const path of [`/reward/dist_${'9'.repeat(22)}`, '/reward/x', '/reward/..%2f']) {
      expect((await pages.request(path)).status).toBe(404);
    }
  });

  test.each([
    ['a higher price', (one: Accepted) => void (one.amount = '25000001')],
    ['another payee', (one: Accepted) => void (one.payTo = OTHER)],
    ['another request', (one: Accepted) => void (one.extra['requestHash'] = 'f'.repeat(64))],
  ])('asks nobody to sign for %s', async (_what, change) => {
    await confirm();
    world.api.change = ({ accepts }) => accepts.forEach((one) => change(one as Accepted));
    const refused = await call('prepare', { network: 'base', address: WALLET });
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: 'price_not_agreed' }]);
  });
});

type Accepted = { amount: string; payTo: string; extra: Record<string, unknown> };

describe('a payment by the link that comes to nothing', () => {
  beforeEach(async () => {
    await confirm();
    world.api.verdict = (proofs) => (proofs === 1 ? { status: 402, error: 'insufficient_funds' } : 'paid');
    if ((await pay()) !== 200) throw new Error('the payment was not taken');
  });

  test('leaves the card waiting as before, and its page says why', async () => {
    expect(await cardOf()).toMatchObject({ status: 'proposed', header: null, viaLink: null });
    expect(textOf()).toContain('It is confirmed, but');
    expect(await show()).toContain('There is not enough USDC in that wallet');
    expect(await show()).toContain('data-state="open"');
  });

  test('lets another wallet pay', async () => {
    expect(await pay(OTHER)).toBe(200);
    expect(payersCharged()).toEqual([OTHER]);
    expect(await cardOf()).toMatchObject({ status: 'paid', viaLink: true, refusal: null });
  });

  test('lets the treasury pay', async () => {
    world.state.balance = usdc(100);
    await world.press(MOD, buttonOf(world.shown('card'), 'Confirm'));
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'paid', viaLink: null });
    expect(payersCharged()).toHaveLength(1);
    expect(payersCharged()).not.toContain(WALLET);
  });

  test('does not keep the card past its day', async () => {
    world.clock.pass(DAY_MS);
    await world.bot.resume();
    await world.bot.idle();
    expect(await cardOf()).toMatchObject({ status: 'expired' });
    expect(await pay(OTHER)).toBe(409);
    expect(world.api.charged).toEqual([]);
  });
});

test('two wallets and the treasury at once: one of them pays, 50 times and more', async () => {
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
  for (let run = 0; run < 50; run++) await race(run);
  await runUntilSeen(
    500,
    (run) => race(50 + run),
    () => ['a wallet', 'the treasury'].filter((way) => !ways.has(way)),
  );
});

describe('somebody who pays the API itself', () => {
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
  pages = pagesOf(next);
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

test('who does not moderate learns nothing of the treasury, and no network is asked', async () => {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, 'card'), 'Confirm');
  world.state.down.add('base').add('solana');
  expect(await world.press(MEMBER, button)).toContain('for those who moderate');
  expect(await world.press(MOD, button)).toContain('can’t find out what the treasury has');
});
