import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addHolder } from '../../../db/wallets/holders.ts';
import { usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

const HOUR = 3_600_000;
let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage({ faucet: true, balance: usdc(100) })));
afterEach(() => stage.close());

const HINT = 'Lower limits hold at once, higher ones after 24 hours. Withdrawing is never limited by them.';
const TODAY = 'Used today: 0.00 USDC. A day begins at midnight UTC.';

test('/limits says what holds, what is used up, and how to change it', async () => {
  await stage.say('/tip x:alice 1.5', 'tip');
  expect(await stage.say('/limits', 'limits')).toBe(
    [
      'What your tips may take out of your wallet here:',
      'For one person, at most: 10.00 USDC · /limits tip 5',
      'I ask you first above: 2.00 USDC · /limits ask 1',
      'In one day, at most: 25.00 USDC · /limits day 20',
      'Used today: 1.50 USDC. A day begins at midnight UTC.',
      HINT,
    ].join('\n'),
  );
  expect(stage.shown('limits').audience).toBe('person');
});

test('a lower limit holds at once, for cards too', async () => {
  expect(await stage.say('/limits day 3', 'limits')).toBe(
    [
      'Done. From now on:',
      'For one person, at most: 10.00 USDC · /limits tip 5',
      'I ask you first above: 2.00 USDC · /limits ask 1',
      'In one day, at most: 3.00 USDC · /limits day 20',
      TODAY,
      HINT,
    ].join('\n'),
  );
  expect(await stage.say('/tip x:alice 4', 'tip')).toContain('over your 3.00 USDC a day');
});

test('a higher limit holds after 24 hours', async () => {
  const text = await stage.say('/limits day 40', 'limits');
  expect(text).toContain('Noted. It changes in 24 hours');
  expect(text).toContain('In one day, at most: 25.00 USDC · from 21 Nov, 12:00 UTC: 40.00 USDC');
  expect(stage.labels('limits')).toEqual(['Keep the limits as they are']);
  stage.pass(24 * HOUR - 1);
  expect(await stage.say('/limits', 'later')).toContain('In one day, at most: 25.00 USDC');
  stage.pass(1);
  expect(await stage.say('/limits', 'now')).toContain('In one day, at most: 40.00 USDC · /limits');
  expect(stage.labels('now')).toEqual([]);
});

test('a raise is seen by everybody who holds the wallet, where they look anyhow', async () => {
  const [before, locked] = [await stage.say('/balance', 'before'), await stage.say('/lock', 'lock-before')];
  await stage.say('/limits day 40', 'limits');
  const raise = 'In one day, at most: 25.00 USDC · from 21 Nov, 12:00 UTC: 40.00 USDC';
  expect([before, locked].filter((text) => text.includes('at most'))).toEqual([]);
  const { store } = stage;
  const other = { holderId: 'telegram:5', walletId: 'chat:user-1', identityId: 'x:7', name: 'x:alice' };
  await store.tx((db) => addHolder(db, store.tables, other, 1));
  const there = { userId: other.holderId, walletId: other.walletId };
  expect(await stage.say('/balance', 'balance', there)).toContain(raise);
  expect(stage.labels('balance')).toContain('/limits');
  expect(await stage.say('/lock', 'lock')).toContain(raise);
  expect(stage.labels('lock')).toContain('/limits cancel');
  await stage.say('/limits cancel', 'cancel');
  expect(await stage.say('/balance', 'after')).not.toContain('at most');
  expect(stage.labels('after')).not.toContain('/limits');
});

test.each(['the button', '/limits cancel'])('a raise is taken back by %s', async (how) => {
  await stage.say('/limits ask 5', 'limits');
  const answer =
    how === 'the button' ? await stage.press('limits', 'Keep the limits as they are') : await stage.say(how, 'cancel');
  expect(answer).toContain('Done. No limit will rise.');
  stage.pass(25 * HOUR);
  expect(await stage.say('/limits', 'later')).toContain('I ask you first above: 2.00 USDC');
  expect(await stage.say('/limits cancel', 'again')).toContain('No limit was about to rise.');
});

test('to ask always is possible', async () => {
  expect(await stage.say('/limits ask always', 'limits')).toContain('I ask you first: always');
  expect(await stage.say('/tip x:alice 0.01', 'tip')).toContain('Send 0.01 USDC to @alice on X?');
});

test.each([
  ['/limits tip 10.01', 'More than 10.00 USDC is not possible there.'],
  ['/limits day 101', 'More than 100.00 USDC is not possible there.'],
  ['/limits day 0', 'At least 0.01 USDC. /lock stops all spending.'],
  ['/limits tip 0.001', 'At least 0.01 USDC.'],
  ['/limits week 5', 'I can’t read week 5 as a limit.'],
  ['/limits day', 'I can’t read day as a limit.'],
  ['/limits day lots', 'I can’t read day lots as a limit.'],
  ['/limits day all', 'I can’t read day all as a limit.'],
  ['/limits day 1,000', 'I can’t read day 1,000 as a limit.'],
])('%s changes nothing and says why', async (command, reason) => {
  expect(await stage.say(command, 'limits')).toContain(reason);
  expect(stage.shown('limits').state).toBe('error');
  expect(await stage.say('/limits', 'after')).toContain('In one day, at most: 25.00 USDC · /limits');
  expect(stage.labels('after')).toEqual([]);
});

describe('in a community', () => {
  const guild = { communityId: 'guild' };

  test.each(['/limits day 3', '/limits day 40'])('%s changes nothing, and says where it would', async (command) => {
    expect(await stage.say(command, 'limits', guild)).toContain('write to me directly');
    expect(stage.shown('limits').audience).toBe('person');
    expect(await stage.say('/limits', 'after')).toContain('In one day, at most: 25.00 USDC · /limits');
  });

  test('what holds is shown to the person alone, and a raise can be taken back', async () => {
    await stage.say('/limits day 40', 'raise');
    expect(await stage.say('/limits', 'limits', guild)).toContain('In one day, at most: 25.00 USDC · from');
    expect(stage.shown('limits').audience).toBe('person');
    expect(await stage.say('/limits cancel', 'cancel', guild)).toContain('Done. No limit will rise.');
  });
});

test('two changes at once are both kept', async () => {
  await Promise.all([
    stage.say('/limits day 20', 'a'),
    stage.say('/limits tip 5', 'b'),
    stage.say('/limits ask 1', 'c'),
  ]);
  const text = await stage.say('/limits', 'after');
  expect(text).toContain('at most: 5.00 USDC');
  expect(text).toContain('above: 1.00 USDC');
  expect(text).toContain('at most: 20.00 USDC');
});
