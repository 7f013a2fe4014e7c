import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBot } from '../../../bot/commands/bot.ts';
import { newButtonId } from '../../../bot/conversation/buttons.ts';
import type { Action } from '../../../core/view.ts';
import { RATE_HOLDS_MS } from '../../../core/grammar/rates.ts';
import { COMMAND_FRESH_MS } from '../../../bot/shared/card-time.ts';
import { ban } from '../../../db/communities/community-bans.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';
import { pressEvent, START_MS, textEvent, usdc } from '../harness.ts';

let stage: ChatStage;

beforeEach(async () => {
  stage = await openChatStage({ faucet: true });
});
afterEach(() => stage.close());

const actionsOf = (eventId: string): readonly Action[] => stage.chat.last(eventId)?.actions ?? [];
/** The id of the first button, whether it says a command or has a label of its own. */
function firstButton(eventId: string): { id: string; label: string } {
  const [action] = actionsOf(eventId);
  const button = action?.kind === 'command' ? action.button : action;
  if (!button || !('id' in button)) throw new Error(`no button under ${eventId}`);
  return button;
}

const buttonsLeft = () => stage.store.read.select().from(stage.store.tables.chatButtons);
const idsLeft = async () => (await buttonsLeft()).map(({ id }) => id);

async function press(id: string, eventId: string, userId?: string): Promise<string | undefined> {
  await stage.bot.press(pressEvent(id, eventId, userId));
  await stage.bot.idle();
  return stage.chat.textOf(eventId);
}

describe('a correction', () => {
  test('is pressed once, by the person who was corrected, and then pays', async () => {
    await stage.say('/tpi x:alice 1', 'slip');
    const { id } = firstButton('slip');
    expect(await press(id, 'stranger', 'chat:mallory')).toContain('Only whoever asked for this');
    expect(await press(id, 'press')).toContain('Sent 1.00 USDC to @alice on X');
    expect(stage.paid()).toBe(1);
    expect(await press(id, 'again')).toBe('That button no longer works. Type the command again for a new one.');
    expect(stage.paid()).toBe(1);
  });

  test('speaks of people by name, and says them by number', async () => {
    const people = [{ id: 'discord:1574', name: 'bo' }];
    await stage.bot.handle({ ...textEvent('/tip discord:1574 20', 'large'), context: { people } });
    const [action] = actionsOf('large');
    expect(action).toMatchObject({ command: '/tip discord:1574 10', button: { label: '/tip @bo 10' } });
  });

  test('is over with the time in which a typed command is taken', async () => {
    await stage.say('/tpi x:alice 1', 'slip');
    const { id } = firstButton('slip');
    stage.pass(COMMAND_FRESH_MS);
    expect(await press(id, 'press')).toBe('That button no longer works. Type the command again for a new one.');
    expect(stage.paid()).toBe(0);
  });

  test('is the same button when its event is worked again, also once it was pressed', async () => {
    const typeIt = async () => {
      await stage.say('/tpi x:alice 1', 'slip');
      return firstButton('slip').id;
    };
    const id = await typeIt();
    stage.pass(COMMAND_FRESH_MS - 1);
    expect(await typeIt()).toBe(id);
    expect(await buttonsLeft()).toHaveLength(actionsOf('slip').length);
    stage.pass(1);
    expect(await press(id, 'press')).toContain('Sent 1.00 USDC to @alice on X');
    expect(await typeIt()).toBe(id);
    expect(await press(id, 'again')).toContain('no longer works');
    expect(stage.paid()).toBe(1);
  });

  test('is deleted once it is over, and any other button after a month', async () => {
    await stage.say('/tpi x:alice 1', 'slip');
    await newButtonId(stage.deps, 'chat:user-1', { action: 'erase' });
    stage.pass(COMMAND_FRESH_MS - 1);
    await stage.say('/tpi x:bob 1', 'later');
    const later = firstButton('later').id;
    const lookUntil = async (check: () => Promise<void>) => {
      const closing = new AbortController();
      const bot = createBot({ ...stage.deps, closing: closing.signal });
      bot.start();
      await vi.waitFor(check);
      closing.abort();
      await bot.idle();
    };
    stage.pass(1);
    await lookUntil(async () => expect(await idsLeft()).not.toContain(firstButton('slip').id));
    expect(await idsLeft()).toContain(later);
    expect(await buttonsLeft()).toContainEqual(expect.objectContaining({ action: 'erase' }));
    stage.pass(30 * 24 * 3_600_000);
    await lookUntil(async () => expect(await buttonsLeft()).toEqual([]));
  });

  test('is forgotten with the person, also unpressed', async () => {
    await stage.say('/tpi x:alice 1 secret', 'slip');
    const { id } = firstButton('slip');
    await eraseChatUser(stage.store, 'chat:user-1', START_MS);
    await press(id, 'press');
    expect(stage.paid()).toBe(0);
  });
});

describe('other money', () => {
  const otherMoney = { rates: new Map([['EUR', usdc(1.08)]]), source: 'the bank' };

  test('is refused where no rate is known', async () => {
    expect(await stage.say('/tip x:alice 5 €', 'tip')).toContain('I only send USDC');
  });

  test('is asked about with sum, rate and source, and paid as shown', async () => {
    stage.deps.otherMoney = otherMoney;
    const asked = await stage.say('/tip x:alice 1 € for lunch', 'tip');
    expect(asked).toContain('1.00 EUR is 1.08 USDC now: one EUR is 1.08 USDC (the bank).');
    expect(asked).toContain('/tip x:alice 1.08 for lunch');
    expect(asked).toContain('60 seconds');
    expect(stage.paid()).toBe(0);
    stage.deps.otherMoney = { ...otherMoney, rates: new Map([['EUR', usdc(2)]]) };
    expect(await press(firstButton('tip').id, 'press')).toContain('Sent 1.08 USDC to @alice on X');
    expect(stage.paid()).toBe(1);
  });

  test('pressed elsewhere is of the place where it was typed, and its rules are asked again', async () => {
    stage.deps.otherMoney = otherMoney;
    const where = { chatId: 'chat', communityId: 'guild', chatName: 'lunch' };
    const ask = async (eventId: string) => {
      await stage.bot.handle({ ...textEvent('/tip x:alice 1 €', eventId), ...where });
      return firstButton(eventId).id;
    };
    const [first, second] = [await ask('tip'), await ask('tip-2')];
    const pressIn = async (id: string, eventId: string) => {
      await stage.bot.press({ ...pressEvent(id, eventId), chatId: 'alone', communityId: 'another', isModerator: true });
      await stage.bot.idle();
    };
    await pressIn(first, 'press');
    expect(await stage.orderOf('press')).toMatchObject({ chatId: 'chat', communityId: 'guild' });
    expect(stage.chat.textOf('press')).toContain('Sent 1.08 USDC to @alice on X');
    const member = { transport: 'test', communityId: 'guild', userId: 'chat:user-1' };
    await ban(stage.store, member, { bannedBy: 'chat:moderator', nowMs: START_MS });
    await pressIn(second, 'press-2');
    expect(await stage.orderOf('press-2')).toBeNull();
    expect(stage.paid()).toBe(1);
  });

  test('is not paid at a rate that is over', async () => {
    stage.deps.otherMoney = otherMoney;
    await stage.say('/tip x:alice 5 €', 'tip');
    stage.pass(RATE_HOLDS_MS);
    expect(await press(firstButton('tip').id, 'press')).toContain('That rate is over');
    expect(stage.paid()).toBe(0);
  });

  test('for a link stays a link', async () => {
    stage.deps.otherMoney = otherMoney;
    expect(await stage.say('/pay x:alice 5 €', 'tip')).toContain('/pay x:alice 5.4');
  });

  test('is in the range of tips by what it is worth', async () => {
    stage.deps.otherMoney = otherMoney;
    expect(await stage.say('/tip x:alice 9.5 €', 'tip')).toContain('too much at once');
  });
});
