import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { button, call, openPlace, row } from './careless.ts';

const input = (changed: object = {}) => ({ type: 4, custom_id: 't', style: 1, ...changed });
const labelled = (component: object, label = 'Text') => ({ type: 18, label, component });
const modal = (changed: object = {}) => ({
  custom_id: 'm',
  title: 'A note',
  components: [labelled(input())],
  ...changed,
});

test.each([
  ['no title', modal({ title: undefined }), '"title"'],
  ['a title of 46', modal({ title: 'x'.repeat(46) }), '"title"'],
  ['no components', modal({ components: [] }), '"components"'],
  [
    'six components',
    modal({ components: [1, 2, 3, 4, 5, 6].map((n) => labelled(input({ custom_id: `t${n}` }))) }),
    '"components"',
  ],
  ['a button', modal({ components: [row(button())] }), '"type"'],
  ['a label of 46', modal({ components: [labelled(input(), 'x'.repeat(46))] }), '"label"'],
  ['a label inside the new style', modal({ components: [labelled(input({ label: 'Text' }))] }), 'UNKNOWN_FIELD'],
  ['no label in the old style', modal({ components: [row(input())] }), '"label"'],
  ['the same input twice', modal({ components: [labelled(input()), labelled(input())] }), 'CUSTOM_ID_DUPLICATED'],
  ['a value beyond its limit', modal({ components: [labelled(input({ max_length: 2, value: 'abc' }))] }), 'BAD_LENGTH'],
  ['a placeholder of 101', modal({ components: [labelled(input({ placeholder: 'x'.repeat(101) }))] }), '"placeholder"'],
])('a modal with %s is refused', async (_what, data, part) => {
  const { discord, channel, alice } = await openPlace();
  const ping = discord.slash(alice, channel, 'ping');
  const refused = await call(discord, 'POST', `/interactions/${ping.id}/${ping.token}/callback`, { type: 9, data });
  expect(refused).toMatchObject({ status: 400, code: 50035 });
  expect(refused.errors).toContain(part);
  expect(ping).toMatchObject({ answer: null, modal: null });
});

test.each([
  ['26 suggestions', { type: 8, data: { choices: Array.from({ length: 26 }, () => ({ name: 'a', value: 'a' })) } }],
  ['a suggestion of 101', { type: 8, data: { choices: [{ name: 'x'.repeat(101), value: 'a' }] } }],
])('%s are refused', async (_what, body) => {
  const { discord, channel, alice } = await openPlace();
  const typing = discord.autocomplete(alice, channel, 'find', { what: 'a' }, 'what');
  const refused = await call(discord, 'POST', `/interactions/${typing.id}/${typing.token}/callback`, body);
  expect(refused).toMatchObject({ status: 400, code: 50035 });
});

test('a button that updates later edits its own message', async () => {
  const { discord, channel, alice } = await openPlace();
  await call(discord, 'POST', `/channels/${channel.id}/messages`, { content: 'card', components: [row(button())] });
  const [card] = discord.sees(alice, channel);
  if (!card) throw new Error('expected the card');
  const pressed = discord.press(alice, card, 'OK');
  const callback = `/interactions/${pressed.id}/${pressed.token}/callback`;
  expect(await call(discord, 'POST', callback, { type: 6 })).toMatchObject({ status: 204 });
  const original = `/webhooks/${discord.applicationId}/${pressed.token}/messages/@original`;
  const emptied = await call(discord, 'PATCH', original, { content: '', components: [] });
  expect(emptied).toMatchObject({ status: 400, code: 50006 });
  await call(discord, 'PATCH', original, { content: 'done', components: [] });
  expect(discord.sees(alice, channel)).toMatchObject([{ id: card.id, content: 'done', buttons: [] }]);
});

test('a form with a file needs its place in the list, and nothing else than files and JSON', async () => {
  const { discord, channel } = await openPlace();
  const send = async (parts: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    const response = await fetch(`${discord.apiUrl}/v10/channels/${channel.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${discord.token}` },
      body: form,
    });
    return response.status;
  };
  const file = new Blob(['hello']);
  expect(await send({ 'files[0]': file, payload_json: '{"attachments":[{"id":"1"}]}' })).toBe(400);
  expect(await send({ 'files[0]': file, payload_json: '{' })).toBe(400);
  expect(await send({ picture: file, payload_json: '{"content":"a"}' })).toBe(400);
  expect(await send({ 'files[0]': file, payload_json: '{"attachments":[{"id":"0"}]}' })).toBe(200);
  expect(discord.everything(channel).map(({ attachments }) => attachments[0]?.bytes.toString())).toEqual(['hello']);
});

test('a bot gives roles below its own only', async () => {
  const { discord } = await openPlace();
  const guild = discord.guild({ botPermissions: PermissionFlagsBits.ManageRoles });
  const carol = discord.user('carol');
  discord.join(guild, carol);
  const [low, high] = [discord.role(guild, 'giver'), discord.role(guild, 'boss', { position: 101 })];
  const path = (id: string) => `/guilds/${guild.id}/members/${carol.id}/roles/${id}`;
  expect(await call(discord, 'PUT', path(low.id))).toMatchObject({ status: 204 });
  expect(await call(discord, 'PUT', path(high.id))).toMatchObject({ status: 403, code: 50013 });
  expect(await call(discord, 'PUT', path('1'.repeat(18)))).toMatchObject({ status: 404, code: 10011 });
  expect([...(guild.members.get(carol.id)?.roleIds ?? [])]).toEqual([low.id]);
  expect(await call(discord, 'DELETE', path(low.id))).toMatchObject({ status: 204 });
  expect(guild.members.get(carol.id)?.roleIds.size).toBe(0);
});
