import { describe, expect, onTestFinished, test } from 'vitest';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { newButton } from '../../../bot/conversation/buttons.ts';
import { publicView, workingView } from '../../../bot/conversation/views.ts';
import { createCalls, type Calls } from '../../../bot/discord/calls.ts';
import { createDiscordMessenger } from '../../../bot/discord/messenger.ts';
import { createDiscordOutbox } from '../../../bot/discord/start.ts';
import { createTokens } from '../../../bot/discord/show.ts';
import { CHATS } from '../../../core/chats/chats.ts';
import { formatAnswer, type Answer } from '../../../core/discord/answer.ts';
import type { View } from '../../../core/view.ts';
import type { Discord } from '../../fakes/discord/server.ts';
import { pending } from '../fake-api.ts';
import { openPlace, startBot, texts, untilEnd } from './discord-harness.ts';

describe('an event that is delivered three times', () => {
  test('to two processes is still one payment', async () => {
    const place = await openPlace({ deliveries: 2 });
    const { discord, api, channel, alice, store } = place;
    await startBot(place);
    const tips = [1, 2, 3].map(() => discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' }));
    for (const tip of tips) await untilEnd(discord, tip);
    for (const tip of tips) {
      await expect.poll(async () => (await findOrderByEvent(store, 'discord', tip.id))?.status).toBe('answered');
    }
    expect(api.headers()).toHaveLength(3);
    expect(discord.everything(channel)).toHaveLength(3);
  });

  test('and is a press counts once', async () => {
    const { discord, channel, alice, bot } = await openPlace({ deliveries: 3 }, { harness: { faucet: true } });
    const asked = discord.slash(alice, channel, 'deposit');
    await discord.until(() => discord.answerTo(asked)?.buttons.length === 1, 'the button');
    const card = discord.answerTo(asked);
    const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
    await discord.until(() => discord.followUpsTo(press)[0]?.text.startsWith('Done'), 'the answer');
    discord.redeliver(press);
    await bot.close();
    expect(bot.state.faucetCalls).toBe(1);
    expect(discord.followUpsTo(press)).toMatchObject([{ isEphemeral: true }]);
  });
});

describe('a lost connection to Discord', () => {
  test.each(['close', 'reset'] as const)('under the acknowledgement changes nothing (%s)', async (how) => {
    const { discord, api, channel, alice } = await openPlace();
    discord.fault({ path: /\/callback$/, what: { kind: 'lose-reply', how } });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await untilEnd(discord, tip);
    expect(api.headers()).toHaveLength(1);
    expect(discord.everything(channel)).toHaveLength(1);
  });

  test('that never lets an answer to the acknowledgement through: what Discord has heard is carried out', async () => {
    const { discord, api, channel, alice, bot } = await openPlace();
    discord.fault({ path: /\/callback$/, what: { kind: 'lose-reply', how: 'reset' } });
    discord.fault({ path: /\/callback$/, what: { kind: 'status', status: 503 }, times: 2 });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await untilEnd(discord, tip);
    expect(bot.logged.join()).toContain('Discord may not have taken the acknowledgement');
    expect(api.headers()).toHaveLength(1);
    expect(discord.everything(channel)).toHaveLength(1);
  });

  test('under an acknowledgement that Discord never hears: nothing comes of the command', async () => {
    const { discord, api, channel, alice, store, bot } = await openPlace();
    discord.fault({ path: /\/callback$/, what: { kind: 'status', status: 503 }, times: 3 });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await expect.poll(() => bot.logged.join()).toContain('the event is dropped');
    expect(await findOrderByEvent(store, 'discord', tip.id)).toBeNull();
    expect(api.seen).toEqual([]);
  });

  test('under an edit ends no order twice, and the end is shown when Discord answers again', async () => {
    const { discord, api, channel, alice, store } = await openPlace();
    const fault = discord.fault({ method: 'PATCH', times: 9, what: { kind: 'status', status: 503 } });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.answered(tip);
    await discord.until(() => fault.fired > 0, 'the edit');
    fault.remove();
    await untilEnd(discord, tip);
    expect(texts(discord, alice, channel)).toEqual(['Sent **1.00 USDC** to **\\@carol on X**.']);
    expect((await findOrderByEvent(store, 'discord', tip.id))?.shownAtMs).not.toBeNull();
    expect(api.headers()).toHaveLength(1);
  });

  test('under an edit that is carried out later leaves the end standing', async () => {
    const place = await openPlace();
    const { discord, channel, alice, store, bot } = place;
    const access = { token: discord.token, applicationId: discord.applicationId, apiUrl: discord.apiUrl };
    const calls = createCalls(access, { timeoutMs: 300 });
    onTestFinished(() => calls.close());
    // The bot of the place is not asked: this one gives up on a call sooner.
    await bot.close();
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    const late = gate();
    const shift = { ms: 0 };
    const now = () => Date.now() + shift.ms;
    const { log } = bot.deps;
    const tokens = createTokens(now);
    const outbox = createDiscordOutbox({ calls, tokens }, { store, clock: { now }, log });
    onTestFinished(() => outbox.close());
    const messenger = createDiscordMessenger({ calls, outbox, rushes: { isMerged: async () => false }, tokens, log });
    const answer = await answerOf(calls, discord, tip);
    const edit = (view: View) => messenger.edit('', formatAnswer(answer), view);
    discord.fault({ method: 'PATCH', what: { kind: 'late', until: late.opened } });
    await edit(workingView([{ text: 'Paying…' }]));
    await expect.poll(() => bot.logged.join()).toContain('may not be shown');
    await edit(publicView('ok', [[{ text: 'Sent' }]]));
    await discord.until(() => discord.answerTo(tip)?.text === 'Sent', 'the end');
    late.open();
    await discord.until(() => discord.answerTo(tip)?.text === 'Paying…', 'the step that comes late');
    expect(outbox.size()).toBe(1);
    shift.ms = CHATS.discord.outbox.lateMs;
    await outbox.look();
    await discord.until(() => discord.answerTo(tip)?.text === 'Sent', 'the end again');
    await expect.poll(() => outbox.size()).toBe(0);
  });

  test('a command that comes after its 3 seconds is not carried out', async () => {
    const { discord, api, channel, alice, store, bot } = await openPlace();
    discord.setLatency({ gatewayMs: 100 });
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    discord.expire(tip, 'answer');
    await expect.poll(() => bot.logged.join()).toContain('the event is dropped');
    expect(await findOrderByEvent(store, 'discord', tip.id)).toBeNull();
    expect(api.seen).toEqual([]);
  });
});

describe('the gateway', () => {
  test('is resumed, and what was typed meanwhile is carried out once', async () => {
    const { discord, api, channel, alice } = await openPlace();
    discord.dropGateway({ resume: true });
    await discord.until(() => discord.gateway.connected() === 0, 'the loss');
    const tips = [1, 2, 3].map(() => discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' }));
    for (const tip of tips) await untilEnd(discord, tip);
    expect(api.headers()).toHaveLength(3);
  });
});

describe('a process that ends', () => {
  test('a quarter of an hour later a public answer is edited, and a private one is a direct message', async () => {
    const place = await openPlace();
    const { discord, api, channel, alice, bot, store } = place;
    api.script((request) => (request.header === null ? { do: 'challenge' } : pending));
    const one = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    const several = discord.slash(alice, channel, 'tip', { to: 'x:carol x:dave', amount: '1' });
    await discord.until(() => discord.answerTo(several)?.buttons.length === 2, 'the card');
    const card = discord.answerTo(several);
    const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
    await discord.answered(press);
    await expect.poll(() => api.headers().length).toBe(2);
    await bot.close();
    for (const interaction of [one, several, press]) discord.expire(interaction);

    api.script((request) => ({ do: request.header === null ? 'challenge' : 'paid' }));
    const next = await startBot(place, { now: () => Date.now() + 16 * 60_000 });
    await next.bot.resume();
    await next.bot.resume();
    await untilEnd(discord, one);
    expect(discord.answerTo(one)?.text).toBe('Sent **1.00 USDC** to **\\@carol on X**.');
    const direct = () => texts(discord, alice, discord.direct(alice));
    await discord.until(() => direct().length > 0, 'the direct message');
    expect(direct()).toMatchObject([expect.stringContaining('Sent **2.00 USDC**')]);
    expect((await findOrderByEvent(store, 'discord', several.id))?.shownAtMs).not.toBeNull();
  });
});

test('another person’s button does nothing, and only the person who pressed it is told', async () => {
  const { discord, channel, alice, bob, bot, store } = await openPlace();
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
  await untilEnd(discord, tip);
  const order = await findOrderByEvent(store, 'discord', tip.id);
  const button = await newButton(bot.deps, `discord:${alice.id}`, { action: 'take_play_money' }, 'More');
  const shown = publicView('ok', [[{ text: 'Here' }]], [button]);
  await bot.deps.messengers['discord']?.edit(order?.chatId ?? '', order?.messageId ?? '', shown);
  await discord.until(() => texts(discord, alice, channel).join() === 'Here', 'the view with the button');
  const press = discord.press(bob, { id: discord.answerTo(tip)?.id ?? '' }, 'More');
  await discord.answered(press);
  await discord.until(() => discord.followUpsTo(press).length === 1, 'the answer');
  expect(discord.followUpsTo(press)).toMatchObject([{ isEphemeral: true }]);
  expect(texts(discord, alice, channel)).toEqual(['Here']);
  expect(bot.state.faucetCalls).toBe(0);
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Acknowledges a command, and answers the message that stands for it from then on. */
async function answerOf(calls: Calls, discord: Discord, tip: ReturnType<Discord['slash']>): Promise<Answer> {
  const outcome = await calls.deferReply(tip, false);
  if (outcome.kind === 'refused') throw new Error(`expected an answer, found ${outcome.code}`);
  const { id: interactionId, token, channelId, userId } = tip;
  const { messageId } = outcome.value;
  await discord.answered(tip);
  return { audience: 'everyone', via: 'reply', interactionId, channelId, messageId, userId, token, communityId: null };
}
