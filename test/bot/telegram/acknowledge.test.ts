import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { createAcknowledge } from '../../../bot/telegram/acknowledge.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { NO_LIMITS, runTelegram, startWorld, until, type RunningTelegram, listening } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let alice: User;
let bob: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({
    apiUrl: api.url,
    telegram,
    pace: { ...NO_LIMITS, burstPerChat: 1, perChatPerSecond: 0.01 },
  });
  alice = telegram.createUser({ started: true });
  bob = telegram.createUser({ started: true });
  await listening(telegram);
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

test('in a group whose limit is reached, a command gets a reaction at once, and is paid without waiting', async () => {
  const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
  telegram.say(alice, group, '/tip x:jack 1');
  await until(() => expect(telegram.fromBot(alice, group)).toHaveLength(1));
  const { message } = telegram.say(bob, group, '/tip x:jill 1');
  await until(() => expect(telegram.look(message).reactions).toEqual(new Map([[telegram.bot.id, '👀']])));
  await until(() => expect(new Set(api.seen.filter(({ header }) => header).map(({ key }) => key)).size).toBe(2));
  expect(telegram.fromBot(alice, group)).toHaveLength(1);
});

test('in private the bot is seen typing, once for several commands', async () => {
  telegram.say(alice, alice, '/balance');
  for (let number = 0; number < 5; number++) telegram.say(alice, alice, '/balance');
  telegram.say(bob, bob, '/balance');
  telegram.say(bob, bob, '/balance');
  const typing = () => telegram.calls('sendChatAction').map(({ parameters }) => Number(parameters['chat_id']));
  await until(() => expect(typing().toSorted((one, other) => one - other)).toEqual([alice.id, bob.id]));
  expect(telegram.fromBot(alice, alice).length).toBeLessThanOrEqual(1);
});

test('in private typing is shown once in four seconds to each, and in a group each command has its reaction', () => {
  let now = 1_000_000;
  const said: number[] = [];
  const noteChat = async (chat: number) => {
    said.push(chat);
    return { kind: 'done', result: null } as const;
  };
  const acknowledge = createAcknowledge({
    calls: { typing: ({ chat }) => noteChat(chat), react: noteChat },
    waitMs: () => 5_000,
    nowMs: () => now,
    log: running.deps.log,
  });
  const command = (chat: number) =>
    acknowledge({
      transport: 'telegram',
      chatId: `${chat}`,
      eventId: `${chat}:1`,
      userId: 'telegram:5',
      walletId: '5',
    });
  for (const chat of [5, 5, 6, 5, -7, -7]) command(chat);
  expect(said).toEqual([5, 6, -7, -7]);
  now += 3_999;
  command(5);
  expect(said).toHaveLength(4);
  now += 1;
  command(5);
  command(5);
  expect(said.slice(4)).toEqual([5]);
});
