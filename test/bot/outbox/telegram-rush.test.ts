/** More tips in a group than the bot may have messages there: they share one, and everyone hears what is theirs. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import type { PaceLimits } from '../../../core/chats/chats.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { listening, runTelegram, startWorld, until, type RunningTelegram } from '../telegram/telegram-harness.ts';

/** Telegram's limits, and a pace within them, in a world where time passes sixty times as fast. */
const FASTER = 60;
const LIMITS = {
  burstPerChat: 3,
  perChatPerSecond: FASTER,
  perGroupPerMinute: 20 * FASTER,
  overallPerSecond: 30 * FASTER,
};
/** Three tips of two messages each are a fifth of a minute's, and of eight each they still fit. */
const PACE: PaceLimits = {
  burstPerChat: 2,
  perChatPerSecond: 0.9 * FASTER,
  perGroupPerMinute: 30,
  keptPerGroupPerMinute: 4,
  overallPerSecond: 27 * FASTER,
  overallBurst: 14 * FASTER,
};
const TIPS = 12;
const OWN = 3;

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
beforeEach(async () => {
  telegram = await startWorld({ limits: LIMITS });
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram, pace: PACE });
  await listening(telegram);
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const inPublic = (group: { id: number }) =>
  telegram.history(group).filter(({ fromBot, onlyFor }) => fromBot && onlyFor === null);

/** Reactions on this message, the newest last. */
const signsOn = (group: { id: number }, message: number) =>
  telegram
    .calls('setMessageReaction')
    .filter(({ parameters }) => parameters['chat_id'] === group.id && parameters['message_id'] === message)
    .map(({ parameters }) => JSON.stringify(parameters['reaction']));

/** The first ones are over before the others begin. */
async function rush(givers: readonly User[], group: ReturnType<FakeTelegram['createGroup']>) {
  const tip = (user: User, at: number) => telegram.say(user, group, `/tip x:jack${at} 0.1`).message.message_id;
  const said: number[] = [];
  for (const [at, user] of givers.slice(0, OWN).entries()) {
    said.push(tip(user, at));
    await until(
      () => expect(inPublic(group).filter(({ text }) => text.startsWith('Sent'))).toHaveLength(at + 1),
      60_000,
    );
  }
  return [...said, ...givers.slice(OWN).map((user, at) => tip(user, at + OWN))];
}

test('the first tips have a message each, the others a sign and a line in one, and each is paid once', async () => {
  const givers = Array.from({ length: TIPS }, () => telegram.createUser({ started: true }));
  const group = telegram.createGroup({ members: givers, bot: 'administrator' });
  const said = await rush(givers, group);
  const texts = () => inPublic(group).map(({ text }) => text);
  const shared = () => texts().find((text) => /tips from/.test(text)) ?? '';
  await until(() => expect(shared()).toMatch(/^9 tips from 9 people, 0\.90 USDC in all:/), 150_000);
  const lines = shared().split('\n').slice(1);
  expect(new Set(lines).size).toBe(TIPS - OWN);
  expect(texts()).toHaveLength(OWN + 1);
  // One sign when it was seen, one when it was paid.
  for (const message of said.slice(OWN)) {
    await until(() => expect(signsOn(group, message).at(-1)).toContain('🎉'), 60_000);
  }
  expect(new Set(api.seen.map(({ key }) => key)).size).toBe(TIPS);
  expect(telegram.refused()).toEqual([]);
}, 400_000);

test('what goes wrong in it is said to its payer alone', async () => {
  const givers = Array.from({ length: OWN }, () => telegram.createUser({ started: true }));
  const [poor, other] = [telegram.createUser({ started: true }), telegram.createUser({ started: true })];
  const group = telegram.createGroup({ members: [...givers, poor, other], bot: 'administrator' });
  await rush(givers, group);
  const json = { code: 400, error: 'receiver_not_found' };
  api.script(() => ({ do: 'answer', status: 400, json }));
  telegram.say(poor, group, '/tip x:nobody 0.1');
  const readBy = (user: User) => [group, user].flatMap((chat) => telegram.fromBot(user, chat)).map(({ text }) => text);
  await until(() => expect(readBy(poor).join()).toContain('I couldn’t find @\u2060nobody on X'), 60_000);
  expect(readBy(other).join()).not.toContain('nobody');
  expect(inPublic(group)).toHaveLength(OWN);
}, 400_000);
