import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { createRewards } from '../../../bot/requests/rewards.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { startFakeRewards } from '../fake-rewards.ts';
import { runTelegram, startWorld, texts, until, type RunningTelegram } from './telegram-harness.ts';

const POST = 'https://farcaster.xyz/marta/0xb87cf233';

let telegram: FakeTelegram;
let api: Awaited<ReturnType<typeof startFakeRewards>>;
let running: RunningTelegram;
let [owner, admin, alice]: [User, User, User] = [] as never;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeRewards();
  running = await runTelegram({ apiUrl: api.url, telegram });
  const { deps, closing } = running;
  Object.assign(deps, { rewards: createRewards({ baseUrl: api.url, fetch, closing: closing.signal }) });
  owner = telegram.createUser({ firstName: 'Boss' });
  admin = telegram.createUser({ firstName: 'Helper' });
  alice = telegram.createUser({ firstName: 'Alice' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

test('a reward in a group is paid once an administrator who did not ask for it presses the card', async () => {
  const group = telegram.createGroup({ owner, members: [alice], admins: [admin] });
  telegram.say(alice, group, `/reward ${POST} 10`);
  // Their private chat is not open, so that is all that they are told.
  await until(() => expect(texts(telegram, alice, group).join()).toContain('That is for you alone.'));
  expect(api.created).toBe(0);
  telegram.say(admin, group, `/reward ${POST} 10 without @bob`);
  const cardFor = (person: User) =>
    telegram.fromBot(person, group).find(({ text }) => text.includes('has to confirm within'));
  const card = await until(() => {
    const found = cardFor(alice);
    if (!found) throw new Error('there is no card yet');
    return found;
  });
  expect(card.text).toContain('Helper wants to reward');
  expect([...api.all.values()].map(({ exclude }) => exclude)).toEqual([['bob']]);
  telegram.press(alice, card.message, 'Confirm 0/1');
  telegram.press(admin, card.message, 'Confirm 0/1');
  await until(() => expect(telegram.calls('answerCallbackQuery').length).toBeGreaterThanOrEqual(2));
  await running.bot.idle();
  expect(api.charged).toEqual([]);
  telegram.press(owner, card.message, 'Confirm 0/1');
  await until(() => expect(texts(telegram, alice, group).join()).toContain('45 paid, 2 wait to be collected'));
  expect(api.charged).toHaveLength(1);
});
