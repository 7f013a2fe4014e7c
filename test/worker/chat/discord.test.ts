import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { line, strong, type View } from '../../../core/view.ts';
import { createDiscordSender } from '../../../worker/chat/discord.ts';
import { openDiscord } from '../../fakes/discord/bot.ts';

async function openPlace(chosen: Parameters<typeof openDiscord>[0] = {}) {
  const discord = await openDiscord(chosen);
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob);
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (text) => void logged.push(text) });
  const send = createDiscordSender({ token: discord.token, apiUrl: discord.apiUrl, log });
  return { discord, guild, channel, alice, bob, send, logged };
}

const receipt = (recipient: string, chosen: Partial<View> = {}): View => ({
  state: 'ok',
  audience: 'everyone',
  paragraphs: [line`${strong(recipient)} received ${strong('1.00 USDC')}.`, line`${'not discord:1 nor @everyone'}`],
  actions: [{ kind: 'link', label: 'Open the receipt', url: 'https://pay.example/receipts/a' }],
  ...chosen,
});

test('the first receipt rings its recipient and nobody else; what comes later rings nobody', async () => {
  const { discord, channel, alice, bob, send } = await openPlace();
  const chatId = `guild:${channel.id}`;
  const view = receipt(`discord:${bob.id}`);
  await send({ chatId, onceKey: 'settled:p1', view });
  await send({ chatId, onceKey: 'paid:p1:1', view: receipt(`discord:${bob.id}`) });
  expect(discord.sees(alice, channel)).toMatchObject([
    { notifiedIds: [bob.id], buttons: [{ label: 'Open the receipt', url: 'https://pay.example/receipts/a' }] },
    { notifiedIds: [] },
  ]);
  expect(discord.sees(alice, channel)[0]?.text).toContain(`**<@${bob.id}>** received **1.00 USDC**.`);
});

test('the same key is one message, however often, and another key another', async () => {
  const { discord, channel, send } = await openPlace();
  const chatId = `guild:${channel.id}`;
  const all = ['settled:p1', 'settled:p1', 'settled:p1', 'settled:p2'];
  await Promise.all(all.map((onceKey) => send({ chatId, onceKey, view: receipt('x:carol') })));
  expect(discord.everything(channel)).toHaveLength(2);
});

test.each([
  ['closed', { kind: 'lose-reply', how: 'close' }],
  ['reset', { kind: 'lose-reply', how: 'reset' }],
  ['answered by a proxy', { kind: 'status', status: 502, after: true }],
] as const)('a reply that is lost (%s) is asked for again without a second message', async (_how, what) => {
  const { discord, channel, send } = await openPlace();
  discord.fault({ method: 'POST', path: /\/messages$/, what });
  const message = { chatId: `guild:${channel.id}`, onceKey: 'settled:p1', view: receipt('x:carol') };
  await expect(send(message)).rejects.toThrow();
  await send(message);
  expect(discord.everything(channel)).toHaveLength(1);
});

test('who can be reached directly only gets it there', async () => {
  const { discord, alice, send } = await openPlace();
  await send({ chatId: `person:${alice.id}`, onceKey: 'settled:p1', view: receipt('x:carol') });
  await send({ chatId: `direct:${discord.direct(alice).id}`, onceKey: 'paid:p1', view: receipt('x:carol') });
  expect(discord.sees(alice, discord.direct(alice))).toHaveLength(2);
});

describe('where nobody can be told', () => {
  test('it is logged and given up, without a token in the log', async () => {
    const { discord, guild, channel, alice, send, logged } = await openPlace();
    const everybody = guild.roles.get(guild.id);
    if (!everybody) throw new Error('expected the role of everybody');
    discord.overwrite(channel, everybody, discord.permissions.SendMessages);
    await send({ chatId: `guild:${channel.id}`, onceKey: 'settled:p1', view: receipt('x:carol') });
    discord.deleteChannel(channel);
    await send({ chatId: `guild:${channel.id}`, onceKey: 'settled:p2', view: receipt('x:carol') });
    alice.acceptsMessages = false;
    await send({ chatId: `person:${alice.id}`, onceKey: 'settled:p3', view: receipt('x:carol') });
    expect(discord.everything(channel)).toEqual([]);
    expect(logged).toHaveLength(3);
    expect(logged.join()).not.toContain(discord.token);
  });

  test('what is for one person is never posted where others read along', async () => {
    const { discord, channel, send } = await openPlace();
    const view = receipt('x:carol', { audience: 'person' });
    await send({ chatId: `guild:${channel.id}`, onceKey: 'settled:p1', view });
    expect(discord.everything(channel)).toEqual([]);
  });
});

describe('limits of Discord', () => {
  test('a short wait is waited for', async () => {
    const { discord, channel, send } = await openPlace();
    const what = { kind: 'rate-limit', retryAfterMs: 50, scope: 'shared' } as const;
    discord.fault({ method: 'POST', path: /\/messages$/, times: 2, what });
    await send({ chatId: `guild:${channel.id}`, onceKey: 'settled:p1', view: receipt('x:carol') });
    expect(discord.everything(channel)).toHaveLength(1);
  });

  test('a long one is left to the outbox, which comes again', async () => {
    const { discord, channel, send } = await openPlace();
    const what = { kind: 'rate-limit', retryAfterMs: 60_000, scope: 'shared' } as const;
    discord.fault({ method: 'POST', path: /\/messages$/, what });
    const message = { chatId: `guild:${channel.id}`, onceKey: 'settled:p1', view: receipt('x:carol') };
    await expect(send(message)).rejects.toThrow('60000');
    await send(message);
    expect(discord.everything(channel)).toHaveLength(1);
  });
});
