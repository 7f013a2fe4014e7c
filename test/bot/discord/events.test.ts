import { describe, expect, test } from 'vitest';
import { createDiscordTransport } from '../../../bot/discord/start.ts';
import type { PressEvent, TextEvent } from '../../../bot/shared/messenger.ts';
import { storeEvents } from '../../../db/chats/chat-events.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { openPlace, startBot, texts, untilEnd, type Place } from './discord-harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

/** A core that hears and does not end: what it was given is lost when its process dies. Let go, so that tests can end. */
function hangingCore() {
  const heard: (TextEvent | PressEvent)[] = [];
  let letGo = () => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const hang = async (event: TextEvent | PressEvent) => {
    heard.push(event);
    await until;
  };
  return { heard, handle: hang, press: hang, letGo: () => letGo() };
}

/** Discord hands its gateway's address out twice in five seconds, and a third process would wait as long. */
const MANY_STARTS = { gateway: { requests: 10, windowMs: 5_000 } };

async function rowsOf({ store }: Place) {
  return store.read.select().from(store.tables.chatEvents);
}

/** From a start of the test's process on it is the past: what is open then was left by an earlier one. */
async function age({ store }: Place): Promise<void> {
  await store.tx((db) => db.update(store.tables.chatEvents).set({ receivedAtMs: 1 }));
}

describe('an event', () => {
  test('is stored before Discord is told that it was taken, and emptied when it is done', async () => {
    const place = await openPlace();
    const { discord, channel, alice } = place;
    discord.setLatency({ restMs: 1_000 });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.until(() => discord.requests().some(({ path }) => path.endsWith('/callback')), 'the first word');
    expect(await rowsOf(place)).toMatchObject([{ id: tip.id, body: { text: '/tip x:carol 1' }, doneAtMs: null }]);
    discord.setLatency({ restMs: 0 });
    await untilEnd(discord, tip);
    await expect.poll(() => rowsOf(place)).toMatchObject([{ body: null, doneAtMs: expect.any(Number) }]);
  });

  test('that is asked about at once leaves nothing behind', async () => {
    const place = await openPlace();
    const { discord, channel, alice, bob } = place;
    await discord.answered(discord.autocomplete(alice, channel, 'tip', { to: 'x:' }, 'to'));
    await discord.answered(discord.contextMenu(alice, channel, 'Tip', bob));
    expect(await rowsOf(place)).toEqual([]);
  });

  test('that comes three times is heard once, also while the first is under way', async () => {
    const core = hangingCore();
    const { discord, channel, alice } = await openPlace({ deliveries: 3 }, { core });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.until(() => core.heard.length > 0, 'the event');
    discord.redeliver(tip);
    const other = discord.slash(alice, channel, 'balance');
    await discord.until(() => core.heard.some(({ eventId }) => eventId === other.id), 'the next');
    expect(core.heard).toHaveLength(2);
    core.letGo();
  });
});

describe('a process that dies after Discord was told', () => {
  test('leaves a tip that the next one pays, once', async () => {
    const core = hangingCore();
    const place = await openPlace({ buckets: MANY_STARTS }, { core });
    const { discord, api, channel, alice, store } = place;
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.until(() => core.heard.length === 1, 'the event');
    expect(await findOrderByEvent(store, 'discord', tip.id)).toBeNull();
    await age(place);
    await startBot(place);
    await untilEnd(discord, tip);
    expect(api.headers()).toHaveLength(1);
    expect(discord.everything(channel)).toHaveLength(1);
    await expect.poll(() => rowsOf(place)).toMatchObject([{ body: null }]);
    await startBot(place);
    expect(api.headers()).toHaveLength(1);
    core.letGo();
  });

  test('leaves a press that the next one carries out', async () => {
    const place = await openPlace({ buckets: MANY_STARTS }, { harness: { faucet: true } });
    const { discord, channel, alice, bot } = place;
    const asked = discord.slash(alice, channel, 'deposit');
    await discord.until(() => discord.answerTo(asked)?.buttons.length === 1, 'the button');
    await bot.close();
    const core = hangingCore();
    await startBot(place, { core });
    const card = discord.answerTo(asked);
    const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
    await discord.until(() => core.heard.length === 1, 'the press');
    await age(place);
    const next = await startBot(place, { harness: { faucet: true } });
    await discord.until(() => discord.followUpsTo(press)[0]?.text.startsWith('Done'), 'the answer');
    expect(next.state.faucetCalls).toBe(1);
    core.letGo();
  });

  test('before Discord was told leaves nothing that is carried out when nobody waits any more', async () => {
    const place = await openPlace();
    const { discord, api, channel, alice, bot } = place;
    await bot.close();
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    discord.expire(tip, 'answer');
    const asked = { user: { id: alice.id, name: 'alice' }, locale: 'en-US', channelId: channel.id, isDirect: false };
    const where = { chatId: `guild:${channel.id}`, chatName: null, communityId: null, isModerator: false };
    const task = { kind: 'command', text: '/tip x:carol 1', people: [], roles: [] };
    const body = { ...task, asked: { ...asked, ...where, id: tip.id, token: tip.token } };
    await storeEvents(place.store, 'discord', [{ id: tip.id, body }], 1);
    const next = await startBot(place);
    await expect.poll(() => next.logged.join()).toContain('the event is dropped');
    expect(api.seen).toEqual([]);
    await expect.poll(() => rowsOf(place)).toMatchObject([{ body: null }]);
  });

  test('longer ago than anybody waits leaves a line in the log, and is paid by nobody', async () => {
    const core = hangingCore();
    const place = await openPlace({}, { core });
    const { discord, api, channel, alice } = place;
    discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.until(() => core.heard.length === 1, 'the event');
    await age(place);
    const next = await startBot(place, { now: () => Date.now() + 16 * 60_000 });
    await expect.poll(() => next.logged.join()).toContain('too old to be answered');
    await expect.poll(() => rowsOf(place)).toMatchObject([{ body: null }]);
    expect(api.seen).toEqual([]);
    core.letGo();
  });
});

test('a press whose work fails ends with words for its person alone', async () => {
  const press = async () => Promise.reject(new Error('no database'));
  const place = await openPlace();
  const { discord, channel, alice, bob, bot } = place;
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol x:dave', amount: '1' });
  await discord.until(() => discord.answerTo(tip)?.buttons.length === 2, 'the card');
  await bot.close();
  await startBot(place, { core: { handle: async () => undefined, press } });
  const card = discord.answerTo(tip);
  const pressed = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
  await discord.until(() => discord.followUpsTo(pressed).length === 1, 'the words');
  expect(discord.followUpsTo(pressed)).toMatchObject([{ isEphemeral: true }]);
  expect(texts(discord, alice, channel).at(-1)).toMatch(/^Something went wrong/);
  expect(discord.sees(bob, channel)).toEqual([]);
});

test('an event that cannot be stored is not acknowledged, so Discord tells its sender', async () => {
  const place = await openPlace({ answerMs: 300 });
  const { discord, api, channel, alice, store, bot } = place;
  await bot.close();
  const tx: typeof store.tx = async () => Promise.reject(new Error('no room'));
  const broken = { ...store, tx };
  const access = { token: discord.token, applicationId: discord.applicationId, apiUrl: discord.apiUrl };
  const transport = createDiscordTransport({ access, store: broken, clock: bot.clock, log: bot.deps.log });
  const running = transport.start({ ...bot.deps, limits: createRateLimits(bot.clock.now), bot: bot.bot });
  await running.connected;
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
  await expect(discord.answered(tip)).rejects.toThrow('did not respond');
  await running.close();
  await transport.close();
  expect(api.seen).toEqual([]);
});

test('an interaction that no release of ours can read is left, and the next one is taken', async () => {
  const { discord, channel, alice } = await openPlace();
  const known = discord.slash(alice, channel, 'balance');
  await discord.answered(known);
  const { t, d, guildId } = structuredClone(known.event);
  // An option that was a number in another release: the library throws where its text is asked for.
  const data = { id: '1', name: 'tip', type: 1, options: [{ name: 'to', type: 4, value: 5 }] };
  discord.redeliver({ t, d: { ...(d as object), id: '2', token: 'of-another', data }, guildId });
  const next = discord.slash(alice, channel, 'balance');
  await discord.answered(next);
  expect(discord.answerTo(next)).toBeDefined();
});
