import { afterEach, describe, expect, test } from 'vitest';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { START_MS } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

const MINUTE = 60_000;
let stage: ChatStage;
afterEach(() => stage.close());

const NEVER = 'You have never tipped this name from here.';

describe('a typed name', () => {
  test('is shown in full with a way to look at it, before the first tip, to the payer alone', async () => {
    stage = await openChatStage();
    expect(await stage.say('/tip @x:Alice 1 thanks', 'first')).toBe(
      [
        'Send 1.00 USDC to @alice on X?',
        'With the note thanks',
        `${NEVER} Is it really who you mean? Have a look before you send.`,
        'Nothing is sent before you confirm, within 10 minutes.',
      ].join('\n'),
    );
    expect(stage.shown('first').audience).toBe('person');
    expect(stage.labels('first')).toEqual(['Send 1.00 USDC', 'Cancel', 'See @alice on X']);
    expect(stage.links('first')).toEqual(['https://x.com/alice']);
    expect(stage.api.seen).toEqual([]);
  });

  test('goes at once the next time, however it is written', async () => {
    stage = await openChatStage();
    await stage.say('/tip @x:alice 1', 'first');
    await stage.press('first', 'Send 1.00 USDC');
    expect(stage.shown('first').text).toBe('Sent 1.00 USDC to @alice on X.');
    expect(await stage.say('/tip https://x.com/ALICE 2', 'second')).toBe('Sent 2.00 USDC to @alice on X.');
    expect(await stage.say('/tip x:alicia 1', 'third')).toContain(NEVER);
  });

  test('is still unknown after a tip that was cancelled, that ran out, or that failed', async () => {
    stage = await openChatStage();
    await stage.say('/tip x:alice 1', 'first');
    await stage.press('first', 'Cancel');
    expect(stage.shown('first').text).toBe('Cancelled. Nothing was charged.');
    await stage.say('/tip x:alice 1', 'second');
    stage.pass(10 * MINUTE);
    await stage.bot.resume();
    await stage.bot.idle();
    expect(stage.shown('second').text).toContain('You did not confirm within 10 minutes');
    expect(stage.labels('second')).toEqual(['/tip x:alice 1']);
    stage.api.script(() => ({ do: 'answer', status: 400, json: { error: 'receiver_not_found' } }));
    await stage.say('/tip x:alice 1', 'third');
    await stage.press('third', 'Send 1.00 USDC');
    expect(stage.shown('third').text).toContain('I couldn’t find @alice on X');
    expect(await stage.say('/tip x:alice 1', 'fourth')).toContain(NEVER);
    expect(stage.paid()).toBe(0);
  });

  test('is known to a payer who tipped it among several, and to nobody else', async () => {
    stage = await openChatStage();
    await stage.say('/tip x:alice github:bob 1', 'first');
    await stage.press('first', 'Send 2.00 USDC');
    expect(await stage.say('/tip github:bob 1', 'second')).toBe('Sent 1.00 USDC to bob on GitHub.');
    const other = { userId: 'chat:user-2', walletId: 'chat:user-2' };
    expect(await stage.say('/tip github:bob 1', 'third', other)).toContain(NEVER);
  });

  test('is shown in full also where its receipt masks it, and an address with the same mask is another one', async () => {
    stage = await openChatStage();
    const guild = { communityId: 'guild' };
    expect(await stage.say('/tip carol@example.com 1', 'first', guild)).toContain('to carol@example.com?');
    await stage.press('first', 'Send 1.00 USDC');
    expect(await stage.say('/tip carol@example.com 1', 'second', guild)).toContain('Sent');
    expect(await stage.say('/tip cyrol@example.com 1', 'third', guild)).toContain(NEVER);
  });

  test('is asked about again once its tips were erased', async () => {
    stage = await openChatStage();
    await stage.say('/tip x:alice 1', 'first');
    await stage.press('first', 'Send 1.00 USDC');
    await eraseChatUser(stage.store, 'chat:user-1', START_MS);
    expect(await stage.say('/tip x:alice 1', 'second')).toContain(NEVER);
  });

  test('pressed many times is paid once, and by its payer only', async () => {
    stage = await openChatStage();
    await stage.say('/tip x:alice 1', 'first');
    expect(await stage.press('first', 'Send 1.00 USDC', 'chat:mallory')).toContain('Only whoever asked for this');
    expect(stage.paid()).toBe(0);
    const press = () => stage.press('first', 'Send 1.00 USDC');
    await Promise.all([press(), press(), press()]);
    expect(stage.paid()).toBe(1);
  });

  test('with play money goes at once: a slip costs nothing there', async () => {
    stage = await openChatStage({ faucet: true });
    expect(await stage.say('/tip @x:alice 1', 'first')).toBe('Sent 1.00 USDC to @alice on X.');
  });
});

describe('a tip above 2 USDC', () => {
  test('is shown first, also to a name that is known and with play money', async () => {
    stage = await openChatStage({ faucet: true });
    expect(await stage.say('/tip x:alice 2', 'first')).toBe('Sent 2.00 USDC to @alice on X.');
    expect(await stage.say('/tip x:alice 2.000001', 'second')).toBe(
      'Send 2.000001 USDC to @alice on X?\nNothing is sent before you confirm, within 10 minutes.',
    );
  });

  test('is shown first where the balance says how much it is', async () => {
    stage = await openChatStage({ faucet: true, balance: 5_000_000n as never });
    expect(await stage.say('/tip x:alice half', 'first')).toContain('Send 2.50 USDC to @alice on X?');
  });
});

describe('a person of the same chat', () => {
  const repliesTo = { platform: 'discord', key: '17', display: '17' } as const;
  const native: Partial<TextEvent> = { context: { repliesTo } };

  test('is paid at once up to 2 USDC by a reply, and asked about above', async () => {
    stage = await openChatStage();
    expect(await stage.say('/tip 2', 'first', native)).toBe('Sent 2.00 USDC to discord:17.');
    expect(await stage.say('/tip 3', 'second', native)).toContain('Send 3.00 USDC to discord:17?');
  });

  test('does not make another name known', async () => {
    stage = await openChatStage();
    expect(await stage.say('/tip x:alice 1', 'first', native)).toContain(NEVER);
  });
});
