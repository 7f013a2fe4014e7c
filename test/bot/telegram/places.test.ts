import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { publicView } from '../../../bot/conversation/views.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import {
  lastText,
  quiet,
  runTelegram,
  startWorld,
  texts,
  until,
  type RunningTelegram,
  listening,
} from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let alice: User;
let bob: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram });
  alice = telegram.createUser({ firstName: 'Alice', started: true });
  bob = telegram.createUser({ firstName: 'Bob' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const everSeenBy = (user: User, group: { id: number }) =>
  telegram
    .history(group)
    .filter(({ fromBot, onlyFor }) => fromBot && (onlyFor === null || onlyFor === user.id))
    .flatMap(({ versions }) => versions.map(({ text }) => text))
    .join('\n');

describe('what is for one person of a group', () => {
  test('stands in the group for that person alone, where the bot is an admin', async () => {
    const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
    telegram.say(alice, group, '/balance');
    await until(() => expect(lastText(telegram, alice, group)).toContain('20.00'));
    await quiet(running);
    expect(texts(telegram, bob, group)).toEqual([]);
    expect(texts(telegram, alice, alice)).toEqual([]);
    expect(everSeenBy(bob, group)).toBe('');
  });

  test('goes to the private chat else, and the group learns only that it did', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    telegram.say(alice, group, '/balance');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('20.00'));
    await until(() => expect(lastText(telegram, bob, group)).toContain('in our private chat'));
    await quiet(running);
    expect(everSeenBy(bob, group)).not.toContain('20.00');
    expect(texts(telegram, bob, group)).toHaveLength(1);
  });

  test('is not said where the bot may not write to the person, who gets the way there', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    telegram.say(bob, group, '/balance');
    await until(() => expect(lastText(telegram, alice, group)).toContain('press Start'));
    const [[button] = []] = telegram.fromBot(alice, group).at(-1)?.message.reply_markup?.inline_keyboard ?? [];
    const [, payload = ''] =
      /^https:\/\/t\.me\/penny_bot\?start=(a_[\w-]{22})$/.exec(button && 'url' in button ? button.url : '') ?? [];
    // Everyone in the group sees the link; what it opens is for the person who asked.
    telegram.start(alice, payload);
    await until(() => expect(lastText(telegram, alice, alice)).toContain('/help tip'));
    telegram.start(bob, payload);
    await until(() => expect(lastText(telegram, bob, bob)).toContain('20.00'));
    expect(lastText(telegram, bob, bob)).not.toContain('/help tip');
    telegram.start(bob, payload);
    await until(() => expect(lastText(telegram, bob, bob)).toContain('/help tip'));
    await quiet(running);
    expect(everSeenBy(alice, group)).not.toContain('20.00');
  });

  test('answers a command that nobody else saw in the same way, without any rights', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    await listening(telegram);
    telegram.say(alice, group, '/balance', { ephemeral: true });
    await until(() => expect(lastText(telegram, alice, group)).toContain('20.00'));
    expect(telegram.screen(bob, group)).toEqual([]);
  });

  test('after a press that Telegram has forgotten stands in the group all the same, where the bot is an admin', async () => {
    const forgetful = await startWorld({ timing: { ephemeralWindowMs: -1 } });
    const itsBot = await runTelegram({ apiUrl: api.url, telegram: forgetful });
    const anna = forgetful.createUser({ firstName: 'Anna', started: true });
    const group = forgetful.createGroup({ members: [anna], bot: 'administrator' });
    forgetful.say(anna, group, '/language');
    await until(() => expect(forgetful.fromBot(anna, group).at(-1)?.buttons.flat()).toContain('Deutsch'));
    forgetful.press(anna, forgetful.fromBot(anna, group).at(-1)!.message, 'Deutsch');
    await until(() => expect(lastText(forgetful, anna, group)).toContain('Ab jetzt'));
    await quiet(itsBot);
    expect(forgetful.refused().length).toBeGreaterThan(0);
    expect(texts(forgetful, anna, anna)).toEqual([]);
    expect(forgetful.history(group).filter(({ fromBot, onlyFor }) => fromBot && onlyFor === null)).toEqual([]);
    await itsBot.close();
    await forgetful.close();
  });

  test('is taken back when all may see what comes of it: once, and again where nobody knows whether it was', async () => {
    const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
    const { message } = telegram.say(alice, group, '/balance');
    await until(() => expect(lastText(telegram, alice, group)).toContain('20.00'));
    await quiet(running);
    const lost = telegram.fail('deleteEphemeralMessage', { kind: 'drop' }, 1);
    const forAlone = () => telegram.fromBot(alice, group).filter(({ ephemeral }) => ephemeral);
    const tellAll = async (text: string, left: number) => {
      const view = publicView('ok', [[{ text }]]);
      await running.adapter.messenger.edit(String(group.id), `answer:${group.id}:${message.message_id}`, view);
      await until(() => expect(lastText(telegram, bob, group)).toBe(text));
      await until(() => expect(forAlone()).toHaveLength(left));
      await quiet(running);
    };
    await tellAll('One has confirmed.', 1);
    expect(lost.fired()).toBe(1);
    await tellAll('Two have confirmed.', 0);
    const asked = telegram.calls('deleteEphemeralMessage').length;
    await tellAll('It is paid.', 0);
    expect(telegram.calls('deleteEphemeralMessage')).toHaveLength(asked);
  });

  test('a failed tip takes back what all saw of it', async () => {
    const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
    telegram.say(alice, group, '/tip x:jack 11');
    await until(() => expect(lastText(telegram, alice, group)).toContain('too much at once'));
    await quiet(running);
    expect(texts(telegram, bob, group)).toEqual([]);
  });
});

describe('a card', () => {
  test('obeys its payer alone; a stranger is told so, alone, and each press is answered at once', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    telegram.say(alice, group, '/tip x:jack x:jill 1');
    await until(() => expect(telegram.fromBot(alice, alice)[0]?.buttons.flat().length).toBe(2));
    await until(() => expect(texts(telegram, bob, group)).toEqual([expect.stringContaining('private chat')]));
    const [card] = telegram.fromBot(alice, alice);
    const [inGroup] = telegram.fromBot(alice, group);
    const button = card?.message.reply_markup?.inline_keyboard[0]?.[0];
    if (!card || !inGroup || !button || !('callback_data' in button)) throw new Error('no card');

    const stranger = telegram.press(bob, inGroup.message, button.callback_data, { forged: true });
    await until(() => expect(stranger.answer).not.toBeNull());
    await until(() => expect(texts(telegram, bob, group)).toHaveLength(2));
    expect(telegram.fromBot(bob, group).at(-1)?.ephemeral).toBe(true);
    expect(texts(telegram, alice, group)).toHaveLength(1);
    expect(api.seen).toEqual([]);

    const payer = telegram.press(alice, card.message, button.callback_data);
    telegram.press(alice, card.message, button.callback_data, { forged: true });
    await until(() => expect(payer.answer).not.toBeNull());
    await until(() => expect(lastText(telegram, alice, group)).toMatch(/Sent/));
    await until(() => expect(telegram.look(card.message).text).toMatch(/Sent/));
    expect(telegram.look(card.message).buttons.flat()).toEqual(['@jack on X', '@jill on X']);
    expect(new Set(api.seen.filter(({ header }) => header !== null).map(({ key }) => key)).size).toBe(1);
  });

  test('a button that never was says nothing of itself', async () => {
    telegram.say(alice, alice, '/language');
    await until(() => expect(telegram.fromBot(alice, alice)[0]?.buttons.flat().length).toBeGreaterThan(2));
    const [card] = telegram.fromBot(alice, alice);
    if (!card) throw new Error('no card');
    telegram.press(alice, card.message, 'forged', { forged: true });
    await until(() => expect(texts(telegram, alice, alice)).toHaveLength(2));
    telegram.press(alice, card.message, card.buttons.flat().find((label) => /deutsch/i.test(label)) ?? '');
    await until(() => expect(texts(telegram, alice, alice)).toHaveLength(3));
    telegram.say(alice, alice, '/balance');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('Du hast'));
  });
});

test('the menu names every command, and calls personal ones ephemeral in groups', async () => {
  const group = telegram.createGroup({ members: [alice] });
  const inGroup = (name: string) => telegram.menu(alice, group).find(({ command }) => command === name);
  // The list for all chats comes first, and stands there too until the one for groups has come.
  await until(() => expect(inGroup('balance')?.is_ephemeral).toBe(true));
  expect(inGroup('tip')).toBeDefined();
  expect(inGroup('tip')?.is_ephemeral).toBeUndefined();
  await until(() => expect(telegram.menu(alice, alice).map(({ command }) => command)).toContain('help'));
});
