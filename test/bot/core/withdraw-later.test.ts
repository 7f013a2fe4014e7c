import { afterEach, beforeEach, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { markPaid } from '../../../db/withdrawals/end.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { tellAll } from '../../support/told.ts';
import { START_MS, usdc } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { openChatStage, type ChatStage } from './chat-stage.ts';

const USER = 'chat:user-1';
const DAY = 24 * 3_600_000;
const OTHER = `0x${'ef'.repeat(20)}`;
const WAITS = `15.00 USDC leave on 21 Nov, 12:00 UTC, on Base for ${shownAddress(STRANGER)}. Until then they stay where they are.`;
const NOT_YOU = 'If that was not you, cancel it with /withdraw cancel and stop all spending with /lock.';
let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage({ faucet: true, balance: usdc(20) })));
afterEach(() => stage.close());

const rows = (walletId = USER) => withdrawalsOfWallet(stage.store, walletId);
const hold = (holderId: string, walletId: string) =>
  stage.store.tx((db) =>
    addHolder(db, stage.store.tables, { holderId, walletId, identityId: walletId, name: walletId }, START_MS),
  );

/** Asks, presses, and answers what the press shows. */
async function withdraw(amount: string, address = STRANGER, eventId = 'ask'): Promise<string | undefined> {
  await stage.say(`/withdraw ${amount} ${address}`, eventId);
  return stage.press(eventId, `Send ${amount}.00 USDC`);
}

test('ten USDC to the first address leave at once, and the card says nothing of a wait', async () => {
  expect(await stage.say(`/withdraw 10 ${STRANGER}`, 'ask')).not.toContain('leaves on');
  expect(await stage.press('ask', 'Send 10.00 USDC')).toContain('Sending 10.00 USDC');
  expect(await rows()).toMatchObject([{ status: 'signed' }]);
});

test('more than that is told to leave in a day, before the press and after it, to the person alone', async () => {
  expect(await stage.say(`/withdraw 15 ${STRANGER}`, 'ask')).toContain(
    'This address is new to this wallet, so the money leaves on 21 Nov, 12:00 UTC,',
  );
  expect(await stage.press('ask', 'Send 15.00 USDC')).toBe(`${WAITS}\n${NOT_YOU}`);
  expect([stage.shown('press-1').audience, stage.labels('press-1')]).toEqual(['person', ['Cancel it', '/lock']]);
  await stage.bot.resume();
  await stage.bot.idle();
  expect([await rows(), stage.signed]).toMatchObject([[{ status: 'requested', notBeforeMs: START_MS + DAY }], []]);
});

test('it leaves by itself when its time has come, and its message tells the end', async () => {
  await withdraw('15');
  await tellAll(stage.store, START_MS);
  stage.pass(DAY);
  await stage.bot.resume();
  await stage.bot.idle();
  const [row] = await rows();
  expect(row).toMatchObject({ status: 'signed' });
  if (row) await markPaid(stage.store, row, `0x${'4f'.repeat(32)}`, START_MS);
  await stage.bot.resume();
  await stage.bot.idle();
  expect(stage.shown('press-1').text).toContain(`15.00 USDC arrived on Base at ${shownAddress(STRANGER)}`);
  // From then on the address is known.
  expect(await stage.say(`/withdraw 20 ${STRANGER}`, 'again')).not.toContain('leaves on');
});

test('it waits on where nobody was told of it, and says the new time', async () => {
  await withdraw('15');
  stage.pass(DAY);
  await stage.bot.resume();
  await stage.bot.idle();
  expect([await rows(), stage.signed]).toMatchObject([[{ status: 'requested' }], []]);
  expect(await stage.say('/balance', 'balance')).toContain('15.00 USDC leave on 22 Nov, 12:0');
  await tellAll(stage.store, START_MS + DAY);
  stage.pass(DAY);
  await stage.bot.resume();
  expect(await rows()).toMatchObject([{ status: 'signed' }]);
});

test('a second address waits with any amount', async () => {
  await withdraw('1');
  stage.pass(1);
  await withdraw('1', OTHER, 'second');
  const statuses = Object.fromEntries((await rows()).map(({ toAddress, status }) => [toAddress, status]));
  expect(statuses).toEqual({ [STRANGER]: 'signed', [OTHER]: 'requested' });
});

test('the button calls it off, in its own message too, and cannot do so twice', async () => {
  await withdraw('15');
  const label = 'Cancel it';
  expect(await stage.press('press-1', label)).toBe(
    `Cancelled: 15.00 USDC for ${shownAddress(STRANGER)} on Base stay where they are.`,
  );
  expect(stage.shown('press-1').text).toBe('Your 15.00 USDC stayed where it was. It was cancelled.');
  expect(await stage.say('/withdraw cancel', 'cancel')).toBe(
    'No withdrawal is waiting, so there is nothing to cancel.',
  );
  stage.pass(2 * DAY);
  await stage.bot.resume();
  await stage.bot.idle();
  expect([await rows(), stage.signed]).toMatchObject([[{ status: 'failed', failure: 'cancelled' }], []]);
});

test('/balance and /lock show what waits, no matter who has asked for it, and how to end it', async () => {
  await withdraw('15');
  expect(await stage.say('/balance', 'balance')).toContain(`${WAITS}\n${NOT_YOU}`);
  expect(stage.labels('balance')).toContain('/withdraw cancel');
  expect(await stage.say('/lock', 'lock')).toContain(WAITS);
  expect(await stage.say('/withdraw cancel', 'cancel')).toContain('Cancelled: 15.00 USDC');
  expect(await stage.say('/balance', 'balance-2')).not.toContain('leave on');
  expect(stage.labels('lock')).toEqual(['/withdraw cancel', '/withdraw', '/unlock']);
});

test('another holder of the wallet sees it and can call it off, and nobody else can', async () => {
  const thief = { userId: 'discord:17', walletId: 'x:7' };
  const owner = { userId: 'telegram:5', walletId: 'x:7' };
  for (const { userId, walletId } of [thief, owner]) await hold(userId, walletId);
  await hold('telegram:6', 'telegram:6');
  await stage.say(`/withdraw 15 ${STRANGER}`, 'ask', thief);
  await stage.press('ask', 'Send 15.00 USDC', thief.userId);
  const stranger = { userId: 'telegram:6', walletId: 'telegram:6' };
  expect(await stage.say('/withdraw cancel', 'cancel-6', stranger)).toContain('No withdrawal is waiting');
  expect(await stage.say('/balance', 'balance-5', owner)).toContain(WAITS);
  expect(await stage.say('/withdraw cancel', 'cancel-5', owner)).toContain('Cancelled: 15.00 USDC');
  expect(await rows('x:7')).toMatchObject([{ failure: 'cancelled' }]);
});

test('what waits can still be spent, and is not kept from anybody', async () => {
  await withdraw('15');
  expect(await stage.say('/tip x:alice 1', 'tip')).toContain('@alice on X');
  expect(await stage.say(`/withdraw 20 ${STRANGER}`, 'again')).toContain('Send 20.00 USDC');
});

test('an address that something has left for at once is shown until it is known, and can be made new again', async () => {
  await withdraw('1');
  await tellAll(stage.store, START_MS);
  const known = `1.00 USDC went to ${shownAddress(STRANGER)} on Base. From 21 Nov, 12:00 UTC any amount can leave for that address at once.`;
  expect(await stage.say('/balance', 'balance')).toContain(`${known}\n${NOT_YOU}`);
  stage.pass(DAY / 2);
  expect(await stage.say('/withdraw cancel', 'cancel')).toBe(
    `Nothing leaves for ${shownAddress(STRANGER)} on Base at once any more: it counts as a new address. 1.00 USDC had left for it.`,
  );
  expect(await stage.say('/balance', 'balance-2')).not.toContain('any amount');
  stage.pass(DAY);
  expect(await stage.say(`/withdraw 15 ${STRANGER}`, 'again')).toContain('the money leaves on');
});

test('a press delivered again after a crash shows the same withdrawal and its button', async () => {
  await stage.say(`/withdraw 15 ${STRANGER}`, 'ask');
  const button = stage.chat.last('ask')?.actions.find((action) => action.kind === 'button');
  if (button?.kind !== 'button') throw new Error('there is no button');
  const press = {
    transport: 'test',
    eventId: 'press',
    chatId: 'chat',
    userId: USER,
    walletId: USER,
    buttonId: button.id,
  };
  await stage.bot.press(press);
  await stage.bot.press(press);
  await stage.bot.idle();
  expect([stage.shown('press').text, (await rows()).length]).toEqual([`${WAITS}\n${NOT_YOU}`, 1]);
});
