import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDiscord } from './bot.ts';
import { button, call, openPlace, row } from './careless.ts';

test('an interaction is answered once, within 3 seconds, with its own token', async () => {
  const { discord, channel, alice } = await openPlace();
  const ping = discord.slash(alice, channel, 'ping');
  const path = `/interactions/${ping.id}/${ping.token}/callback`;
  const followUps = `/webhooks/${discord.applicationId}/${ping.token}`;

  expect(await call(discord, 'POST', path.replace(ping.token, 'x'), { type: 5 })).toMatchObject({
    status: 404,
    code: 10062,
  });
  expect(await call(discord, 'POST', followUps, { content: 'a' })).toMatchObject({ status: 404, code: 10015 });
  expect(await call(discord, 'POST', path, { type: 5 })).toMatchObject({ status: 204 });
  expect(await call(discord, 'POST', path, { type: 5 })).toMatchObject({ status: 400, code: 40060 });
  expect(await call(discord, 'PATCH', `${followUps}/messages/@original`, { content: 'a' })).toMatchObject({
    status: 200,
  });
  discord.expire(ping);
  expect(await call(discord, 'PATCH', `${followUps}/messages/@original`, { content: 'b' })).toMatchObject({
    status: 401,
    code: 50027,
  });
  expect(discord.answerTo(ping)?.content).toBe('a');

  const late = discord.slash(alice, channel, 'ping');
  discord.expire(late, 'answer');
  expect(await call(discord, 'POST', `/interactions/${late.id}/${late.token}/callback`, { type: 5 })).toMatchObject({
    status: 404,
    code: 10062,
  });
  await expect(discord.answered(late)).rejects.toThrow('did not respond');
});

test('an answer after 3,000 ms is taken, and after 3,001 ms the interaction is unknown', async () => {
  let now = Date.now();
  const discord = await openDiscord({ now: () => now, rateLimits: 'off' });
  const alice = discord.user('alice');
  await call(discord, 'POST', `/applications/${discord.applicationId}/commands`, {
    name: 'ping',
    description: 'Pings',
  });
  const answerAfter = async (ms: number) => {
    const { id, token } = discord.slash(alice, discord.direct(alice), 'ping');
    now += ms;
    return (await call(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 5 })).status;
  };
  expect(await answerAfter(3000)).toBe(204);
  expect(await answerAfter(3001)).toBe(404);
});

test.each([
  ['a command', 6, 'ping'],
  ['a command', 8, 'ping'],
  ['a request for suggestions', 4, 'find'],
])('%s cannot be answered with type %i', async (_what, type, name) => {
  const { discord, channel, alice } = await openPlace();
  const { id, token } =
    name === 'ping'
      ? discord.slash(alice, channel, name)
      : discord.autocomplete(alice, channel, name, { what: 'a' }, 'what');
  const refused = await call(discord, 'POST', `/interactions/${id}/${token}/callback`, {
    type,
    data: { content: 'a' },
  });
  expect(refused).toMatchObject({ status: 400, code: 50035 });
  expect(refused.errors).toContain('Value must be one of');
});

test('an ephemeral answer exists for one person and for its token only', async () => {
  const { discord, channel, alice, bob } = await openPlace();
  const ping = discord.slash(alice, channel, 'ping');
  const data = { content: `hi <@${bob.id}>`, flags: 64, components: [row(button())] };
  await call(discord, 'POST', `/interactions/${ping.id}/${ping.token}/callback`, { type: 4, data });
  const id = discord.answerTo(ping)?.id ?? '';

  expect(discord.sees(alice, channel)).toMatchObject([{ isEphemeral: true, notifiedIds: [] }]);
  expect(discord.sees(bob, channel)).toEqual([]);
  expect(() => discord.press(bob, { id }, 'OK')).toThrow('does not see');
  const path = `/channels/${channel.id}/messages/${id}`;
  expect(await call(discord, 'GET', path)).toMatchObject({ status: 404, code: 10008 });
  expect(await call(discord, 'PATCH', path, { content: 'b' })).toMatchObject({ code: 10008 });
  expect(await call(discord, 'PUT', `${path}/reactions/%F0%9F%91%8D/@me`)).toMatchObject({ code: 10008 });
  const original = `/webhooks/${discord.applicationId}/${ping.token}/messages/@original`;
  expect(await call(discord, 'PATCH', original, { content: 'b', flags: 0 })).toMatchObject({ status: 200 });
  expect(discord.sees(bob, channel)).toEqual([]);
  expect(await call(discord, 'DELETE', original)).toMatchObject({ status: 204 });
  expect(discord.sees(alice, channel)).toEqual([]);
});

test('the first follow-up of a deferred answer fills it and keeps its visibility', async () => {
  const { discord, channel, alice, bob } = await openPlace();
  const ping = discord.slash(alice, channel, 'ping');
  await call(discord, 'POST', `/interactions/${ping.id}/${ping.token}/callback`, { type: 5, data: { flags: 64 } });
  const followUps = `/webhooks/${discord.applicationId}/${ping.token}`;
  await call(discord, 'POST', followUps, { content: 'first' });
  await call(discord, 'POST', followUps, { content: 'second' });
  expect(discord.sees(alice, channel).map(({ content }) => content)).toEqual(['first', 'second']);
  expect(discord.sees(bob, channel).map(({ content }) => content)).toEqual(['second']);
});

test('mentions reach whom allowed_mentions lets them reach, and edits reach nobody', async () => {
  const { discord, guild, channel, alice, bob } = await openPlace();
  const team = discord.role(guild, 'team', { mentionable: true });
  const carol = discord.user('carol');
  discord.join(guild, carol, [team]);
  const content = `<@${alice.id}> <@${bob.id}> <@&${team.id}> @everyone \`<@${carol.id}>\``;
  const path = `/channels/${channel.id}/messages`;
  const notified = async (allowed_mentions?: object) => {
    await call(discord, 'POST', path, { content, allowed_mentions });
    return discord.everything(channel).at(-1)?.notifiedIds.toSorted();
  };
  expect(await notified()).toEqual([alice.id, bob.id, carol.id]);
  expect(await notified({ parse: [] })).toEqual([]);
  expect(await notified({ users: [bob.id, carol.id] })).toEqual([bob.id]);
  expect(await notified({ parse: ['roles'] })).toEqual([carol.id]);

  await call(discord, 'POST', path, { content: 'nobody' });
  const last = discord.everything(channel).at(-1);
  await call(discord, 'PATCH', `${path}/${last?.id}`, { content });
  expect(discord.everything(channel).at(-1)).toMatchObject({
    notifiedIds: [],
    mentions: { userIds: [alice.id, bob.id] },
  });
});

test('places, people and rights that are missing have their own codes', async () => {
  const { discord, guild, channel, alice, bob } = await openPlace();
  const post = (id: string, body: object = { content: 'a' }) => call(discord, 'POST', `/channels/${id}/messages`, body);
  const everybody = guild.roles.get(guild.id);
  if (!everybody) throw new Error('expected the role of everybody');

  expect(await post('1'.repeat(18))).toMatchObject({ status: 404, code: 10003 });
  discord.overwrite(channel, everybody, PermissionFlagsBits.SendMessages);
  expect(await post(channel.id)).toMatchObject({ status: 403, code: 50013 });
  discord.overwrite(channel, everybody, PermissionFlagsBits.ViewChannel);
  expect(await post(channel.id)).toMatchObject({ status: 403, code: 50001 });
  discord.overwrite(channel, everybody, PermissionFlagsBits.EmbedLinks);
  expect(await post(channel.id, { embeds: [{ title: 'a' }] })).toMatchObject({ status: 403, code: 50013 });
  expect(await post(channel.id)).toMatchObject({ status: 200 });

  const open = async (id: string) => {
    const opened = await call(discord, 'POST', '/users/@me/channels', { recipient_id: id });
    return z.object({ id: z.string() }).parse(opened.body).id;
  };
  alice.acceptsMessages = false;
  expect(await post(await open(alice.id))).toMatchObject({ status: 403, code: 50007 });
  const stranger = discord.user('stranger');
  expect(await post(await open(stranger.id))).toMatchObject({ status: 403, code: 50278 });
  expect(await open(bob.id)).toBe(await open(bob.id));
  expect(await post(await open(bob.id))).toMatchObject({ status: 200 });

  const said = discord.say(bob, channel, 'mine');
  const path = `/channels/${channel.id}/messages/${said.id}`;
  expect(await call(discord, 'PATCH', path, { content: 'b' })).toMatchObject({ status: 403, code: 50005 });
  expect(await call(discord, 'DELETE', path)).toMatchObject({ status: 403, code: 50013 });
  expect(await call(discord, 'PUT', `${path}/reactions/nonsense/@me`)).toMatchObject({ status: 400, code: 10014 });
  expect(await call(discord, 'PUT', `${path}/reactions/%F0%9F%91%8D/@me`)).toMatchObject({ status: 204 });
  expect(await call(discord, 'GET', `/guilds/${guild.id}/members/${stranger.id}`)).toMatchObject({ code: 10007 });
  expect(await call(discord, 'GET', '/users/@me', undefined, { authorization: 'Bot x' })).toMatchObject({
    status: 401,
    code: 0,
  });
  expect(await call(discord, 'GET', '/nothing')).toMatchObject({ status: 404, code: 0 });
  expect(await call(discord, 'PUT', '/users/@me')).toMatchObject({ status: 405, code: 0 });
});
