import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { spentOn } from '../../../db/wallets/spending.ts';
import { refused } from '../fake-api.ts';
import { START_MS, usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

const USER = 'chat:user-1';
const MINUTE = 60_000;
let stage: ChatStage;
beforeEach(async () => void (stage = await openChatStage({ faucet: true, balance: usdc(100) })));
afterEach(() => stage.close());

const spent = () => spentOn(stage.store, USER, stage.clock.now());

/** Confirms the card where there is one. */
async function tip(amount: number, eventId: string): Promise<string> {
  const text = await stage.say(`/tip x:alice ${amount}`, eventId);
  if (!text.startsWith('Send ')) return text;
  await stage.press(eventId, `Send ${amount.toFixed(2)} USDC`);
  return stage.shown(eventId).text;
}

describe('the limit of a day', () => {
  test('lets 25 go, says what is left of it, and begins anew at midnight UTC', async () => {
    expect(await tip(10, 'first')).toContain('Sent 10.00');
    expect(await tip(10, 'second')).toContain('Sent 10.00');
    expect(await tip(6, 'third')).toBe(
      'That is over your 25.00 USDC a day, so nothing was sent. Until midnight UTC 5.00 USDC is left.',
    );
    expect(stage.shown('third').audience).toBe('person');
    expect(stage.labels('third')).toEqual(['/limits']);
    expect(await tip(5, 'fourth')).toContain('Sent 5.00');
    expect(await spent()).toBe(usdc(25));
    stage.pass(12 * 60 * MINUTE);
    expect(await tip(6, 'fifth')).toContain('Sent 6.00');
  });

  test('holds for cards that were shown while there was room', async () => {
    for (const id of ['a', 'b', 'c']) await stage.say('/tip x:alice 10', id);
    for (const id of ['a', 'b', 'c']) await stage.press(id, 'Send 10.00 USDC');
    expect(['a', 'b', 'c'].map((id) => stage.shown(id).text.slice(0, 10))).toEqual([
      'Sent 10.00',
      'Sent 10.00',
      'That is ov',
    ]);
    expect(stage.paid()).toBe(2);
  });

  test('counts all that one tip gives to several', async () => {
    await stage.say('/tip x:a x:b x:c 8', 'first');
    await stage.press('first', 'Send 24.00 USDC');
    expect(await stage.say('/tip x:a x:b 1', 'second')).toContain('1.00 USDC is left');
  });

  test('is not used up by what was never signed', async () => {
    stage.api.script(() => ({ do: 'answer', status: 400, json: { error: 'receiver_not_found' } }));
    for (const id of ['a', 'b', 'c']) await tip(10, id);
    expect(await spent()).toBe(0n);
  });

  test('keeps what a refused header could still take, until that is over', async () => {
    stage.api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await tip(10, 'first');
    expect(await spent()).toBe(usdc(10));
    await stage.bot.resume();
    expect(await spent()).toBe(usdc(10));
    stage.pass(5 * MINUTE);
    await stage.bot.resume();
    await stage.bot.resume();
    expect(await spent()).toBe(0n);
  });

  test('is not touched by a price that the API does not answer', async () => {
    stage.api.script(() => ({ do: 'answer', status: 500, json: { error: 'service_paused' } }));
    await tip(1, 'first');
    expect(await spentOn(stage.store, USER, START_MS)).toBe(0n);
  });
});

test('an order that came over a limit between its card and its price says so, and that it would fit now', async () => {
  await stage.say('/tip x:alice 9', 'first');
  await stage.say('/limits tip 8', 'limits');
  await stage.press('first', 'Send 9.00 USDC');
  expect(stage.shown('first').text).toBe('One person gets at most 8.00 USDC from this wallet, so nothing was sent.');
  expect(await stage.say('/tip x:alice 9', 'second')).toContain('at most 8.00 USDC');
  expect(stage.paid()).toBe(0);
});

describe('more than 50 USDC in a chat', () => {
  test.each(['/balance', '/deposit'])('is warned of by %s, where it is not play money', async (command) => {
    expect(await stage.say(command, 'play')).not.toContain('That is a lot');
    const real = await openChatStage({ balance: usdc(50.01) });
    expect(await real.say(command, 'real')).toContain('better keep no more than 50.00 USDC here');
    real.state.balance = usdc(50);
    expect(await real.say(command, 'less')).not.toContain('That is a lot');
    await real.close();
  });
});
