import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { isForCommunity, parseTreasury } from '../../../core/grammar/treasury.ts';
import { chatAccountOf } from '../../../bot/commands/claim.ts';
import { findWallet } from '../../../bot/shared/wallets.ts';
import { treasuryStatement } from '../../../bot/files/treasury-statement.ts';
import { findPlatform } from '../../../core/platforms/platforms.ts';
import { isTreasuryWallet, treasuryWalletOf } from '../../../core/treasury/treasury.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { markPaid } from '../../../db/withdrawals/end.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { START_MS, usdc } from '../harness.ts';
import {
  buttonOf,
  DAY_MS,
  HOUR_MS,
  MEMBER,
  MOD,
  openTreasuryWorld,
  OTHER_MOD,
  OWNER,
  SAFE,
  WALLET,
  wordsOf,
  type TreasuryWorld,
} from '../core/treasury-world.ts';

const OTHER = `0x${'ef'.repeat(20)}`;
const MINUTE_MS = 60_000;

let world: TreasuryWorld;
beforeEach(async () => {
  world = await openTreasuryWorld();
});
afterEach(() => world.close());

describe('the wallet of a community', () => {
  test.each([
    [{ transport: 'discord', communityId: '4200' }, 'discord-guild:4200'],
    [{ transport: 'telegram', communityId: '-1001234567890' }, 'telegram-group:-1001234567890'],
    // Smaller groups get another number when they grow.
    [{ transport: 'telegram', communityId: '-123456' }, null],
    [{ transport: 'telegram', communityId: '-1000000000000' }, null],
    [{ transport: 'telegram', communityId: '77' }, null],
    [{ transport: 'discord', communityId: '0' }, null],
    [{ transport: 'discord', communityId: '1:2' }, null],
    [{ transport: 'discord', communityId: '' }, null],
    [{ transport: 'web', communityId: '4200' }, null],
  ])('of %j is %s', (community, walletId) => {
    expect(treasuryWalletOf(community)).toBe(walletId);
  });

  test('no person, platform or claim can have such an id, and no row lets a person spend from it', async () => {
    expect([findPlatform('discord-guild'), findPlatform('telegram-group')]).toEqual([null, null]);
    expect([chatAccountOf(WALLET), chatAccountOf('telegram-group:-1001234567890')]).toEqual([null, null]);
    for (const id of ['discord:4200', 'telegram:-1001234567890', 'chat:discord-guild:4200', 'x:discord-guild:4200']) {
      expect([id, isTreasuryWallet(id)]).toEqual([id, false]);
    }
    const { store } = world;
    const forged = { holderId: MEMBER, walletId: WALLET, identityId: 'p', name: 'x:mallory' };
    await store.tx((db) => addHolder(db, store.tables, forged, 1));
    expect(await findWallet(store, { userId: MEMBER, walletId: WALLET }, START_MS)).toBeNull();
    expect(await findWallet(store, { userId: WALLET, walletId: WALLET }, START_MS)).toBeNull();
  });
});

test.each([
  ['', { do: 'show' }],
  ['balance', { do: 'show' }],
  ['deposit', { do: 'deposit' }],
  ['give 5', { do: 'give', amount: { kind: 'exact', amount: usdc(5) }, network: null }],
  ['give all solana', { do: 'give', amount: { kind: 'all' }, network: 'solana' }],
  ['statement', { do: 'statement' }],
  [`address ${SAFE}`, { do: 'set_address', to: { family: 'evm', network: null, address: SAFE } }],
  [`address base ${SAFE}`, { do: 'set_address', to: { family: 'evm', network: 'base', address: SAFE } }],
  [`address solana ${SAFE}`, { do: 'unreadable' }],
  ['address off base', { do: 'drop_address', network: 'base' }],
  ['address off', { do: 'unreadable' }],
  [`address ${SAFE} ${OTHER}`, { do: 'unreadable' }],
  ['withdraw 50 base', { do: 'withdraw', amount: { kind: 'exact', amount: usdc(50) }, network: 'base' }],
  ['withdraw all', { do: 'withdraw', amount: { kind: 'all' }, network: null }],
  ['withdraw 5 on sol', { do: 'withdraw', network: 'solana' }],
  ['withdraw', { do: 'unreadable' }],
  ['withdraw 1,000 base', { do: 'unreadable' }],
  [`withdraw 5 ${SAFE}`, { do: 'unreadable' }],
  ['burn', { do: 'unreadable', found: 'burn' }],
])('/treasury %s', (text, wish) => {
  const parsed = parseTreasury(text);
  expect(parsed).toMatchObject(wish);
  expect(isForCommunity(parsed)).toBe(['set_address', 'withdraw'].includes(parsed.do));
});

describe('what everybody sees', () => {
  test('a member sees balance, addresses to pay in to, and a statement, which no other member sees', async () => {
    const overview = await world.say(MEMBER, '/treasury');
    expect(wordsOf(overview)).toContain('On Base: 100.00 USDC');
    expect(wordsOf(overview)).toContain('No address to withdraw to on Base');
    const deposit = await world.say(MEMBER, '/treasury deposit');
    const { networks } = world.deps;
    for (const { addressOf } of networks) expect(wordsOf(deposit)).toContain(shownAddress(await addressOf(WALLET)));
    expect(deposit.actions[0]).toMatchObject({ kind: 'link', url: expect.stringContaining('/purse/deposit/') });
    const statement = await world.say(MEMBER, '/treasury statement');
    expect(statement.actions[0]).toMatchObject({ kind: 'link', url: expect.stringContaining('/purse/files/') });
    expect([overview, deposit, statement].map(({ audience }) => audience)).toEqual(['person', 'person', 'person']);
  });

  test('a member gives what is theirs, seen by them alone, and withdraws to a first address at once after it', async () => {
    const card = await world.say(MEMBER, '/treasury give 5');
    expect(wordsOf(card)).toContain('Give 5.00 USDC on Base to this community?');
    expect(card.audience).toBe('person');
    await world.press(MEMBER, buttonOf(card, 'Give 5.00 USDC'));
    await world.bot.idle();
    const [gift] = await withdrawalsOfWallet(world.store, MEMBER, 10);
    const { addressOf } = world.deps.networks[0];
    expect(gift).toMatchObject({ toTreasury: WALLET, toAddress: await addressOf(WALLET), amountMicroUsdc: usdc(5) });
    expect(gift?.notBeforeMs).toBe(gift?.createdAtMs);
    const own = await world.say(MEMBER, `/withdraw 1 ${OTHER}`);
    expect(wordsOf(own)).not.toContain('new to this wallet');
  });

  test('alone with the bot there is none, and in a small group of Telegram it says why', async () => {
    const event = { transport: 'discord', chatId: 'chat', userId: MEMBER, walletId: MEMBER, text: '/treasury' };
    await world.bot.handle({ ...event, eventId: 'direct' });
    expect(world.chat.textOf('direct')).toContain('server or group');
    const bot = { ...world.deps.messengers, telegram: world.chat.messenger };
    Object.assign(world.deps, { messengers: bot });
    await world.bot.handle({ ...event, eventId: 'small', transport: 'telegram', communityId: '-4200' });
    expect(world.chat.textOf('small')).toContain('another number');
  });

  test('the statement has what came in as the balance showed it, and what went out, and adds up', async () => {
    const { store, state, clock } = world;
    const lines = async () => (await treasuryStatement(store, WALLET, ['base', 'solana'])).trim().split('\r\n');
    await world.say(MEMBER, '/treasury statement');
    clock.pass(2 * HOUR_MS);
    state.balance = usdc(130);
    // Nobody has asked: the bot looks by itself.
    await world.bot.resume();
    await world.bot.idle();
    expect((await lines()).map((line) => line.split(',').slice(1, 6).join())).toEqual([
      'network,direction,amount_usdc,what,status',
      'base,in,100,seen in the balance,received',
      'base,in,30,seen in the balance,received',
    ]);
    await world.fixAddress();
    const card = await world.say(MOD, '/treasury withdraw 50 base');
    await world.press(OWNER, buttonOf(card, 'Confirm'));
    await world.press(MOD, buttonOf(card, 'Confirm'));
    await world.bot.idle();
    // Gone from the balance, and not yet known to have arrived: nobody may take that for money that came in or not.
    state.balance = usdc(80);
    await world.say(MEMBER, '/treasury statement');
    const [row] = await world.withdrawals();
    await markPaid(store, row ?? { id: '', generation: 0 }, '0xabc', clock.now());
    // A node that is behind still shows what has left: nobody may take that for money that came in.
    state.balance = usdc(130);
    await world.say(MEMBER, '/treasury statement');
    clock.pass(2 * MINUTE_MS);
    state.balance = usdc(80);
    await world.say(MEMBER, '/treasury statement');
    expect((await lines()).slice(3)).toEqual([expect.stringMatching(`base,out,50,withdrawal,paid,${SAFE},0xabc$`)]);
    state.balance = usdc(81);
    await world.say(MEMBER, '/treasury statement');
    expect((await lines()).at(-1)).toContain('base,in,1,');
  });
});

describe('the address', () => {
  test('is set by the owner alone, before all, and counts after 24 hours', async () => {
    for (const userId of [MOD, MEMBER]) {
      const refused = await world.say(userId, `/treasury address ${SAFE}`);
      expect([wordsOf(refused), refused.audience]).toEqual([
        'Only the owner can set where the community’s money goes.',
        'person',
      ]);
    }
    const told = await world.say(OWNER, `/treasury address ${SAFE}`);
    expect([told.audience, wordsOf(told)]).toEqual(['everyone', expect.stringContaining(shownAddress(SAFE))]);
    world.clock.pass(DAY_MS - 1);
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 5 base'))).toContain('Until then nothing can leave');
    world.clock.pass(1);
    expect((await world.say(MOD, '/treasury withdraw 5 base')).audience).toBe('everyone');
    expect(wordsOf(await world.say(MEMBER, '/treasury'))).toContain(`Withdrawals on Base go to ${shownAddress(SAFE)}`);
  });

  test('that waits can be stopped by every moderator, and by nobody else', async () => {
    const told = await world.say(OWNER, `/treasury address ${SAFE}`, 'told');
    const stop = buttonOf(told, 'Stop');
    expect(await world.press(MEMBER, stop)).toContain('those who moderate');
    expect(await world.press(OTHER_MOD, stop)).toContain('does not count');
    expect(wordsOf(world.shown('told'))).toContain(`${OTHER_MOD} has stopped it`);
    world.clock.pass(2 * DAY_MS);
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 5 base'))).toContain('There is no address');
    // The command delivered once more says what has become of it, and sets nothing.
    await world.say(OWNER, `/treasury address ${SAFE}`, 'told');
    expect(wordsOf(world.shown('told'))).toContain('has stopped it');
  });

  test('that replaces another waits again, and until then the old one counts', async () => {
    await world.fixAddress();
    const told = await world.say(OWNER, `/treasury address ${OTHER}`);
    const card = await world.say(MOD, '/treasury withdraw 5 base', 'card');
    expect(wordsOf(card)).toContain(shownAddress(SAFE));
    world.clock.pass(DAY_MS - 1);
    expect(await world.press(MOD, buttonOf(told, 'Stop'))).toContain('does not count');
    // Were it not stopped, the card for the old address would be over.
    await world.say(OWNER, `/treasury address ${OTHER}`);
    world.clock.pass(DAY_MS);
    const next = await world.say(MOD, '/treasury withdraw 5 base', 'next');
    expect(wordsOf(next)).toContain(shownAddress(OTHER));
    expect(await world.press(MOD, buttonOf(told, 'Stop'))).toContain('Nothing to stop');
  });

  test('that counts only the owner can end, and nothing older comes back', async () => {
    await world.fixAddress();
    await world.fixAddress(OTHER);
    expect(wordsOf(await world.say(MOD, '/treasury address off base'))).toContain('Nothing to stop');
    expect(wordsOf(await world.say(OWNER, '/treasury address off base'))).toContain('counts no more');
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 5 base'))).toContain('There is no address');
  });

  test('that nobody could read never counts', async () => {
    const { messenger } = world.chat;
    const { edit } = messenger;
    messenger.edit = () => Promise.reject(new Error('the chat is gone'));
    const discord = { ...world.deps.messengers['discord'], ...messenger };
    Object.assign(world.deps, { messengers: { discord } });
    await expect(world.say(OWNER, `/treasury address ${SAFE}`)).rejects.toThrow('the chat is gone');
    Object.assign(world.deps, { messengers: { discord: { ...discord, edit } } });
    world.clock.pass(5 * DAY_MS);
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 5 base'))).toContain('There is no address');
  });

  test('waits anew when the bot was away meanwhile', async () => {
    await world.fixAddress();
    world.run.botSinceMs = world.clock.now() - HOUR_MS;
    expect(wordsOf(await world.say(MOD, '/treasury withdraw 5 base'))).toContain('Until then nothing can leave');
    world.clock.pass(23 * HOUR_MS);
    expect((await world.say(MOD, '/treasury withdraw 5 base')).audience).toBe('everyone');
  });

  test.each([
    ['of ours', `0x${'ab'.repeat(20)}`, 'belongs to this service'],
    ['that is none', '0x12', 'not an address'],
  ])('%s is refused', async (_title, address, answer) => {
    expect(wordsOf(await world.say(OWNER, `/treasury address ${address}`))).toContain(answer);
  });
});
