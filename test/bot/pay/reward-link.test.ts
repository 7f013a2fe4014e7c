/** How a reward that a treasury cannot pay is paid by anybody's wallet. */
import { beforeEach, describe, expect, test } from 'vitest';
import { buttonOf, DAY_MS, MOD, OTHER_MOD, OWNER, POST } from '../core/reward-world.ts';
import { PINNED, usdc } from '../harness.ts';
import {
  call,
  cardOf,
  confirm,
  OTHER,
  PAID,
  pages,
  pathOf,
  pay,
  payersCharged,
  show,
  textOf,
  useLinkWorld,
  WALLET,
  world,
} from './reward-link-world.ts';

useLinkWorld();

describe('a reward that is confirmed and that the treasury cannot pay', () => {
  test('says so to all, tells the moderator who pressed what is missing, and links to its page', async () => {
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
    expect(textOf()).toContain('it was confirmed, and nobody has paid it in time');
    expect(await show()).toContain('This reward is over');
    expect(await show()).toContain('Ask in the chat for a new reward.');
    expect(await pay(OTHER)).toBe(409);
    expect(world.api.charged).toEqual([]);
  });
});
