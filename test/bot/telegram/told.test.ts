/** What the worker learns of words for one person: whether Telegram has them, over the real bot. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import type { View } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { openTestStore } from '../harness.ts';
import { runTelegram, startWorld, texts, until, type RunningTelegram } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let store: Store;
let running: RunningTelegram;
let alice: User;
beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  store = await openTestStore();
  running = await runTelegram({ apiUrl: api.url, telegram, store });
  alice = telegram.createUser({ firstName: 'Alice', started: true });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const view: View = { state: 'ok', audience: 'person', paragraphs: [[{ text: 'It leaves.' }]], actions: [] };
const tell = ({ id }: User) => running.sender.tell?.({ userId: `telegram:${id}`, onceKey: `leaves:1:${id}`, view });

test('a person is told once: when the message is in their chat', async () => {
  expect(await tell(alice)).toBe('under-way');
  await until(async () => expect(await tell(alice)).toBe('told'));
  expect(texts(telegram, alice, alice)).toEqual(['It leaves.']);
});

test('not while Telegram takes nothing', async () => {
  telegram.fail('sendMessage', { kind: 'flood', retryAfterSeconds: 300 }, 1);
  await tell(alice);
  await until(() => expect(telegram.calls('sendMessage')).toHaveLength(1));
  expect(await tell(alice)).toBe('under-way');
});

test('a member who has blocked the bot, or never spoken to it, cannot be told', async () => {
  const bob = telegram.createUser({ firstName: 'Bob' });
  telegram.block(alice);
  for (const one of [alice, bob]) await until(async () => expect(await tell(one)).toBe('unreachable'));
});
