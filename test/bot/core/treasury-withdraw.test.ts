import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { markPaid } from '../../../db/withdrawals/end.ts';
import { usdc } from '../harness.ts';
import {
  buttonOf,
  DAY_MS,
  MEMBER,
  MOD,
  openTreasuryWorld,
  OTHER_MOD,
  OWNER,
  SAFE,
  WALLET,
  wordsOf,
  type TreasuryWorld,
} from './treasury-world.ts';

/** Each of the two who propose with each set of those who confirm, twice. */
const CARDS = 12;

let world: TreasuryWorld;
beforeEach(async () => {
  world = await openTreasuryWorld();
  await world.fixAddress();
});
afterEach(() => world.close());

describe('a withdrawal', () => {
  const propose = async (text = '/treasury withdraw 50 base') => {
    const card = await world.say(MOD, text, 'card');
    return { confirm: buttonOf(card, 'Confirm'), reject: buttonOf(card, 'Reject') };
  };

  test('leaves with the words of the owner and one other, and the card tells how it ends', async () => {
    const { confirm } = await propose();
    expect(await world.press(MOD, confirm)).toBeNull();
    expect(wordsOf(world.shown('card'))).toContain(`Confirmed by ${MOD}`);
    expect(await world.withdrawals()).toEqual([]);
    expect(await world.press(OWNER, confirm)).toBeNull();
    await world.bot.idle();
    const [row, ...more] = await world.withdrawals();
    expect([row, more]).toMatchObject([{ status: 'signed', toAddress: SAFE, amountMicroUsdc: usdc(50) }, []]);
    expect(world.signed).toMatchObject([{ walletId: WALLET, authorization: { to: SAFE, value: usdc(50) } }]);
    expect(world.shown('card').audience).toBe('everyone');
    await markPaid(world.store, row ?? { id: '', generation: 0 }, `0x${'4f'.repeat(32)}`, 1);
    await world.bot.resume();
    await world.bot.idle();
    expect(wordsOf(world.shown('card'))).toContain(`50.00 USDC arrived on Base at ${shownAddress(SAFE)}`);
    expect(world.shown('card').audience).toBe('everyone');
  });

  test('does not leave by two moderators, or by a member', async () => {
    const { confirm } = await propose();
    await world.press(MOD, confirm);
    await world.press(OTHER_MOD, confirm);
    expect(await world.press(MEMBER, confirm)).toContain('those who moderate');
    expect(await world.withdrawals()).toEqual([]);
  });

  test('does not leave by the owner twice', async () => {
    const { confirm } = await propose();
    await world.press(OWNER, confirm);
    await world.press(OWNER, confirm);
    expect(await world.withdrawals()).toEqual([]);
  });

  test('leaves, and the card says so, where who shows the first of two words was stopped until the second was shown', async () => {
    const { confirm } = await propose();
    const { discord } = world.deps.messengers;
    if (discord === undefined) throw new Error('the world has a chat');
    const { edit } = discord;
    discord.edit = async (chatId, messageId, view) => {
      discord.edit = edit;
      await world.press(OWNER, confirm);
      await world.bot.idle();
      expect(wordsOf(world.shown('card'))).not.toContain('Confirmed by');
      await edit(chatId, messageId, view);
    };
    await world.press(MOD, confirm);
    expect(await world.withdrawals()).toMatchObject([{ status: 'signed' }]);
    expect(wordsOf(world.shown('card'))).not.toContain('Confirmed by');
  });

  test('leaves by the owner alone where nobody else could confirm', async () => {
    world.run.moderatorIds = [];
    world.run.isOwnerAlone = true;
    const card = await world.say(OWNER, '/treasury withdraw 50 base', 'card');
    await world.press(OWNER, buttonOf(card, 'Confirm'));
    await world.bot.idle();
    expect(await world.withdrawals()).toMatchObject([{ status: 'signed' }]);
  });

  test('does not count who has confirmed and moderates no more', async () => {
    const { confirm } = await propose();
    await world.press(MOD, confirm);
    world.run.moderatorIds = [OTHER_MOD];
    await world.press(OWNER, confirm);
    expect(await world.withdrawals()).toEqual([]);
    expect(wordsOf(world.shown('card'))).toContain(`Confirmed by ${OWNER}`);
    await world.press(OTHER_MOD, confirm);
    expect(await world.withdrawals()).toHaveLength(1);
  });

  test('does not count an owner who has given the guild away', async () => {
    const { confirm } = await propose();
    await world.press(OWNER, confirm);
    world.run.ownerId = OTHER_MOD;
    world.run.moderatorIds = [MOD, OTHER_MOD];
    await world.press(MOD, confirm);
    expect(await world.withdrawals()).toEqual([]);
    await world.press(OTHER_MOD, confirm);
    expect(await world.withdrawals()).toHaveLength(1);
  });

  test('ends with one Reject, of any moderator', async () => {
    const { confirm, reject } = await propose();
    await world.press(OWNER, confirm);
    expect(await world.press(MEMBER, reject)).toContain('those who moderate');
    await world.press(OTHER_MOD, reject);
    expect(wordsOf(world.shown('card'))).toContain(`${OTHER_MOD} has rejected`);
    expect(await world.press(MOD, confirm)).toContain('decided already');
    expect(await world.withdrawals()).toEqual([]);
  });

  test('is over after 24 hours, and its card says so', async () => {
    const { confirm } = await propose();
    await world.press(OWNER, confirm);
    world.clock.pass(DAY_MS);
    expect(await world.press(MOD, confirm)).toContain('decided already');
    await world.bot.resume();
    await world.bot.idle();
    expect(wordsOf(world.shown('card'))).toContain('not enough have confirmed it in time');
    expect(await world.withdrawals()).toEqual([]);
  });

  test('does not leave to an address that was ended or replaced meanwhile', async () => {
    const { confirm } = await propose();
    await world.press(OWNER, confirm);
    await world.say(OWNER, '/treasury address off base');
    expect(await world.press(MOD, confirm)).toBeNull();
    expect(wordsOf(world.shown('card'))).toContain('its address counts no more');
    expect(await world.withdrawals()).toEqual([]);
  });

  test('moves nothing while the bot is away, and everything is as before when it is back', async () => {
    const { confirm } = await propose();
    await world.press(MOD, confirm);
    world.run.isBotThere = false;
    expect(await world.press(OWNER, confirm)).toContain('I have to be a member');
    expect(wordsOf(await world.say(OWNER, '/treasury withdraw 1 base'))).toContain('I have to be a member');
    expect(wordsOf(await world.say(MEMBER, '/treasury'))).toContain('100.00 USDC');
    expect(await world.withdrawals()).toEqual([]);
    world.run.isBotThere = true;
    await world.press(OWNER, confirm);
    expect(await world.withdrawals()).toHaveLength(1);
  });

  test('waits for the one before, and is refused beyond what there is', async () => {
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 500 base'))).toContain('There are only');
    await propose();
    expect(wordsOf(await world.say(OTHER_MOD, '/treasury withdraw 1 base'))).toContain('Another withdrawal waits');
    // And the overview leads to it, wherever its card has got to.
    expect(buttonOf(await world.say(OWNER, '/treasury'), 'Confirm')).toBeTruthy();
  });

  test('is not asked for by a member, nor confirmed from another guild where one moderates', async () => {
    expect(wordsOf(await world.say(MEMBER, '/treasury withdraw 1 base'))).toContain('those who moderate');
    const { confirm } = await propose();
    const elsewhere = { transport: 'discord', chatId: 'chat', communityId: '77', userId: MOD, walletId: MOD };
    await world.bot.press({ ...elsewhere, eventId: 'elsewhere', buttonId: confirm });
    expect(world.chat.textOf('elsewhere')).toContain('those who moderate');
    expect(await world.withdrawals()).toEqual([]);
  });

  test(`is one, of ${CARDS} cards that owner and moderator confirm at once`, async () => {
    for (let run = 0; run < CARDS; run++) {
      const card = await world.say(run % 2 === 0 ? MOD : OWNER, '/treasury withdraw 0.01 base', `card-${run}`);
      const confirm = buttonOf(card, 'Confirm');
      const people = run % 3 === 0 ? [OWNER, MOD, OTHER_MOD] : run % 3 === 1 ? [MOD, OWNER] : [OWNER, OWNER, MOD];
      await Promise.all(people.map((userId) => world.press(userId, confirm)));
      const made = await world.withdrawals();
      expect([run, made.length]).toEqual([run, run + 1]);
      await world.bot.idle();
      const [newest] = made;
      await markPaid(world.store, newest ?? { id: '', generation: 0 }, null, 1);
    }
    expect(new Set(world.signed.map(({ authorization }) => authorization.nonce)).size).toBe(CARDS);
  });
});
