import { once } from 'node:events';
import { Events, GatewayIntentBits, Partials } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import { connectBot, openDiscord } from './bot.ts';
import type { Discord } from './server.ts';

const PING = { name: 'ping', description: 'Pings' };

async function openPlace(chosen: Parameters<typeof openDiscord>[0] = {}) {
  const discord = await openDiscord(chosen);
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const alice = discord.user('alice');
  discord.join(guild, alice);
  const client = await connectBot(discord);
  await client.application.commands.set([PING]);
  const seen: string[] = [];
  client.on(Events.InteractionCreate, (interaction) => seen.push(interaction.id));
  return { discord, client, channel, alice, seen };
}

test('a lost gateway is resumed, also when it asks for that, and what happened meanwhile arrives once and in order', async () => {
  const { discord, channel, alice, seen } = await openPlace();
  const ids = [discord.slash(alice, channel, 'ping').id];
  await discord.until(() => seen.length === 1, 'the first event');

  discord.dropGateway({ resume: true });
  await discord.until(() => discord.gateway.connected() === 0, 'the loss');
  for (let count = 0; count < 20; count++) ids.push(discord.slash(alice, channel, 'ping').id);
  await discord.until(() => seen.length === 21, 'the missed events');
  ids.push(discord.slash(alice, channel, 'ping').id);
  await discord.until(() => seen.length === 22, 'the next event');

  discord.gateway.askToReconnect();
  await discord.until(() => discord.gateway.connected() === 0, 'the second loss');
  ids.push(discord.slash(alice, channel, 'ping').id);
  await discord.until(() => seen.length === 23, 'the event of the second loss');

  expect(seen).toEqual(ids);
});

test('events that were on their way when the line broke are sent again', async () => {
  const { discord, channel, alice, seen } = await openPlace();
  discord.setLatency({ gatewayMs: 200 });
  const ids = [1, 2, 3].map(() => discord.slash(alice, channel, 'ping').id);
  discord.dropGateway({ resume: true });

  await discord.until(() => seen.length === 3, 'the events');
  expect(seen).toEqual(ids);
});

test('a session that cannot be resumed loses its events, and the bot identifies anew', async () => {
  const { discord, channel, alice, seen } = await openPlace();
  discord.dropGateway({ resume: false });
  await discord.until(() => discord.gateway.connected() === 0, 'the loss');
  discord.slash(alice, channel, 'ping');
  // discord.js waits up to 6.5 seconds between two identifications.
  await discord.until(() => discord.gateway.connected() === 1, 'the new session', 60_000);
  const { id } = discord.slash(alice, channel, 'ping');
  await discord.until(() => seen.length === 1, 'the event');
  expect(seen).toEqual([id]);
});

test('a gateway that stops to acknowledge heartbeats is left by the bot, which then resumes', async () => {
  const { discord, channel, alice, seen } = await openPlace({ heartbeatIntervalMs: 200 });
  discord.gateway.silence(true);
  await discord.until(() => discord.gateway.connected() === 0, 'the bot leaving');
  discord.gateway.silence(false);
  const { id } = discord.slash(alice, channel, 'ping');
  await discord.until(() => seen.length === 1, 'the event');
  expect(seen).toEqual([id]);
});

test('a bot learns of messages without their text, but for its own and those that name it', async () => {
  const { discord, channel, alice } = await openPlace();
  // discord.js overlooks direct channels that it has not met, unless it is told to take them as they come.
  const client = await connectBot(discord, { partials: [Partials.Channel] });
  const texts: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => texts.push(content));
  discord.say(alice, channel, 'secret');
  discord.say(alice, channel, `hello <@${discord.bot.id}>`);
  discord.say(alice, discord.direct(alice), 'directly');
  await discord.until(() => texts.length === 3, 'three messages');
  expect(texts).toEqual(['', `hello <@${discord.bot.id}>`, 'directly']);
});

test('privileged intents are refused unless they were granted', async () => {
  const discord = await openDiscord();
  const intents = GatewayIntentBits.Guilds | GatewayIntentBits.MessageContent;
  await expect(identify(discord, { intents })).resolves.toBe(4014);
  const granting = await openDiscord({ privilegedIntents: GatewayIntentBits.MessageContent });
  await expect(identify(granting, { intents })).resolves.toBe('READY');
});

test.each([
  ['a wrong token', { token: 'nobody' }, 4004],
  ['unknown intents', { intents: 1 << 30 }, 4013],
  ['a shard that does not exist', { shard: [1, 1] }, 4010],
  ['an unknown field', { guild_subscriptions: true }, 4002],
])('identifying with %s closes the connection', async (_what, wrong, code) => {
  const discord = await openDiscord();
  await expect(identify(discord, wrong)).resolves.toBe(code);
});

test.each([
  ['no JSON', 'hello', 4002],
  ['an unknown opcode', '{"op":99,"d":null}', 4001],
  ['a frame over 4096 bytes', JSON.stringify({ op: 1, d: 1, pad: 'x'.repeat(4096) }), 4002],
  ['an update before identifying', '{"op":3,"d":{}}', 4003],
])('%s closes the connection', async (_what, frame, code) => {
  const discord = await openDiscord();
  const { socket } = await connect(discord);
  socket.send(frame);
  expect((await once(socket, 'close'))[0]).toBe(code);
});

test('the 121st frame within a minute closes the connection', async () => {
  const discord = await openDiscord();
  const { socket } = await connect(discord);
  for (let count = 0; count < 121; count++) socket.send('{"op":1,"d":null}');
  expect((await once(socket, 'close'))[0]).toBe(4008);
});

const incoming = z.looseObject({ op: z.number(), t: z.string().nullish() });

async function connect(discord: Discord) {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'message');
  return { socket };
}

/** The event that answers an identification, or the code with which it is refused. */
async function identify(discord: Discord, changed: object): Promise<unknown> {
  const { socket } = await connect(discord);
  const properties = { os: 'linux', browser: 'test', device: 'test' };
  socket.send(JSON.stringify({ op: 2, d: { token: discord.token, intents: 1, properties, ...changed } }));
  return await new Promise((resolve) => {
    socket.on('close', resolve);
    socket.on('message', (data: Buffer) => resolve(incoming.parse(JSON.parse(data.toString('utf8'))).t));
  });
}
