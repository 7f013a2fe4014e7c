import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInbox } from '../../../bot/inbox/inbox.ts';
import type { ChatName } from '../../../core/chats/chats.ts';
import { openEvents } from '../../../db/chats/chat-events.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../harness.ts';

type Event = { id: string };
const [ONE, TWO] = [{ id: '9' }, { id: '10' }];

let store: Store;
beforeEach(async () => void (store = await openTestStore()));
afterEach(() => store.close());

/** One process that listens to a chat. What it handles is noted, with whether that was begun before. */
function listen(chat: ChatName, handle: (event: Event) => Promise<void> = async () => {}) {
  const handled: [string, boolean][] = [];
  const dropped: string[] = [];
  const quiet = () => {};
  const inbox = createInbox<Event>({
    chat,
    store,
    idOf: ({ id }) => id,
    personOf: () => 'alice',
    drop: async ({ id }) => void dropped.push(id),
    read: ({ id }) => (typeof id === 'string' ? { id } : null),
    isOver: ({ id }) => id === 'old',
    handle: async (event, isAgain) => {
      handled.push([event.id, isAgain]);
      await handle(event);
    },
    now: () => 1_000,
    log: { info: quiet, warn: quiet, error: quiet },
  });
  return { inbox, handled, dropped };
}

const open = async (chat: ChatName) => (await openEvents(store, chat, 1_000, 10)).map(({ id }) => id);

test('what is delivered three times, to two processes, is handled once', async () => {
  const [here, there] = [listen('telegram'), listen('telegram')];
  await Promise.all([here, there, here].map(({ inbox }) => inbox.store([ONE, TWO])));
  for (const { inbox } of [here, there, here]) await Promise.all([inbox.work('9'), inbox.work('10')]);
  await here.inbox.store([ONE]);
  await here.inbox.work('9');
  const all = [...here.handled, ...there.handled].map(([id]) => id);
  expect(all.toSorted()).toEqual(['10', '9']);
  expect(await open('telegram')).toEqual([]);
});

test('what a process has stored and not done, the next start does', async () => {
  const dead = listen('telegram', () => new Promise(() => {}));
  await dead.inbox.store([ONE, TWO]);
  void dead.inbox.work('9');
  const next = listen('telegram');
  await next.inbox.retry(0);
  await next.inbox.idle();
  expect(next.handled).toEqual([
    ['9', true],
    ['10', true],
  ]);
  expect(await open('telegram')).toEqual([]);
});

test('a failed event is worked on again, but not where its person has read that it failed', async () => {
  for (const chat of ['telegram', 'discord'] as const) {
    const { inbox } = listen(chat, async () => Promise.reject(new Error('no database')));
    await inbox.store([ONE]);
    await inbox.work('9');
  }
  expect([await open('telegram'), await open('discord')]).toEqual([['9'], []]);
});

test('what nobody waits for any more, and what cannot be read, is dropped', async () => {
  const before = listen('discord');
  await before.inbox.store([{ id: 'old' }]);
  await store.tx((db) => db.insert(store.tables.chatEvents).values({ transport: 'discord', id: '1', receivedAtMs: 1 }));
  const next = listen('discord');
  await next.inbox.retry(0);
  await next.inbox.idle();
  expect([next.handled, next.dropped, await open('discord')]).toEqual([[], ['old'], []]);
});

test('what one person said is taken up in its order, and what they say now comes after that', async () => {
  const dead = listen('telegram', () => new Promise(() => {}));
  await dead.inbox.store([ONE, TWO]);
  const letGo: (() => void)[] = [];
  const next = listen('telegram', () => new Promise((resolve) => void letGo.push(resolve)));
  await next.inbox.retry(0);
  // Asked to take them up again meanwhile, it takes up each once.
  await next.inbox.retry(0);
  await next.inbox.store([{ id: '11' }]);
  const said = next.inbox.work('11');
  for (const [index, id] of ['9', '10', '11'].entries()) {
    await expect.poll(() => next.handled.map(([handled]) => handled)).toEqual(['9', '10', '11'].slice(0, index + 1));
    expect(await open('telegram')).toContain(id);
    letGo[index]?.();
  }
  await said;
  await next.inbox.idle();
  expect([next.handled.length, await open('telegram')]).toEqual([3, []]);
});
