import { afterEach, beforeEach, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import type { User } from 'grammy/types';
import { treasuryWalletOf } from '../../../core/treasury/treasury.ts';
import { addressesOf } from '../../../db/treasury/treasury-addresses.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { hasCome } from '../../../bot/telegram/update.ts';
import { runTelegram, startWorld, texts, until, type RunningTelegram } from './telegram-harness.ts';

const DAY_MS = 24 * 3_600_000;
const SAFE = `0x${'cd'.repeat(20)}`;

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let owner: User;
let admin: User;
let alice: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram });
  owner = telegram.createUser({ firstName: 'Boss' });
  admin = telegram.createUser({ firstName: 'Helper' });
  alice = telegram.createUser({ firstName: 'Alice' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

test('a group’s money leaves once its owner and an administrator press the card that all of them see', async () => {
  const group = telegram.createGroup({ owner, members: [alice], admins: [admin] });
  const { store, clock } = running;
  const wallet = treasuryWalletOf({ transport: 'telegram', communityId: String(group.id) }) ?? '';
  telegram.say(admin, group, `/treasury address ${SAFE}`);
  await until(() => expect(telegram.calls('getChatAdministrators').length).toBe(1));
  telegram.say(owner, group, `/treasury address ${SAFE}`);
  await until(() => expect(texts(telegram, alice, group).join()).toContain(shownAddress(SAFE)));
  const addresses = () =>
    addressesOf(store, { walletId: wallet, network: 'base' }, { nowMs: clock.now(), botSinceMs: null });
  await until(async () => expect((await addresses()).waiting?.setBy).toBe(`telegram:${owner.id}`));
  clock.pass(DAY_MS);

  telegram.say(admin, group, '/treasury withdraw 5 base');
  const cardFor = (person: User) =>
    telegram.fromBot(person, group).find(({ text }) => text.includes('have to confirm within'));
  const card = await until(() => {
    const found = cardFor(alice);
    if (!found) throw new Error('there is no card yet');
    return found;
  });
  telegram.press(alice, card.message, 'Confirm 5.00 USDC');
  telegram.press(admin, card.message, 'Confirm 5.00 USDC');
  await until(() => expect(cardFor(alice)?.text).toContain('Confirmed by Helper'));
  expect(await withdrawalsOfWallet(store, wallet)).toEqual([]);
  telegram.press(owner, (cardFor(owner) ?? card).message, 'Confirm 5.00 USDC');
  await until(() => expect(texts(telegram, alice, group).join()).toContain('Sending 5.00 USDC'));
  expect(await withdrawalsOfWallet(store, wallet)).toMatchObject([{ toAddress: SAFE, status: 'signed' }]);
});

test('Telegram says now who runs a group', async () => {
  const group = telegram.createGroup({ owner, members: [alice], admins: [admin] });
  const { standing } = running.adapter.messenger;
  const ask = () =>
    standing?.(
      String(group.id),
      [owner, admin, alice].map(({ id }) => `telegram:${id}`),
    );
  const said = { ownerId: `telegram:${owner.id}`, botSinceMs: null };
  await until(async () =>
    expect(await ask()).toEqual({ ...said, moderatorIds: [`telegram:${admin.id}`], isOwnerAlone: false }),
  );
  telegram.leave(admin, group);
  expect(await ask()).toEqual({ ...said, moderatorIds: [], isOwnerAlone: true });
  telegram.removeBot(group, owner);
  await expect(ask()).rejects.toThrow();
});

test('an address waits again when the bot was removed and is back: nobody could stop it meanwhile', async () => {
  const group = telegram.createGroup({ owner, members: [alice], admins: [admin] });
  const { store } = running;
  const { treasuryAddresses } = store.tables;
  const walletId = treasuryWalletOf({ transport: 'telegram', communityId: String(group.id) }) ?? '';
  const announcedAtMs = async () => (await store.read.select().from(treasuryAddresses))[0]?.announcedAtMs ?? null;
  telegram.say(owner, group, `/treasury address ${SAFE}`);
  await until(async () => expect(await announcedAtMs()).not.toBeNull());
  // So long ago that it counts.
  await store.tx((db) => db.update(treasuryAddresses).set({ announcedAtMs: 1 }));
  telegram.removeBot(group, owner);
  telegram.addBot(group, owner);
  await until(async () => expect(await announcedAtMs()).toBeGreaterThan(1));
  const backAtMs = (await announcedAtMs()) ?? 0;
  const at = (nowMs: number) => addressesOf(store, { walletId, network: 'base' }, { nowMs, botSinceMs: null });
  expect(await at(backAtMs + DAY_MS - 1)).toMatchObject({ active: null, waiting: { address: SAFE } });
  expect(await at(backAtMs + DAY_MS)).toMatchObject({ active: { address: SAFE }, waiting: null });
});

test.each([
  ['left', 'member', true],
  ['kicked', 'administrator', true],
  ['restricted', 'member', true],
  ['member', 'administrator', false],
  ['administrator', 'member', false],
  ['member', 'kicked', false],
  ['kicked', 'left', false],
])('a bot that was %s and is %s: that it has come is %s', (before, now, expected) => {
  const chat = { id: -100_200_300_400_500, type: 'supergroup' as const };
  const change = { chat, date: 1, old_chat_member: { status: before }, new_chat_member: { status: now } };
  expect(hasCome({ update_id: 1, my_chat_member: change })).toBe(expected);
});
