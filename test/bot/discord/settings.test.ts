import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../core/grammar/command.ts';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { openPlace } from './discord-harness.ts';

/** A guild in which alice may change it, and what the core gets to hear. */
async function openModerated() {
  const events: TextEvent[] = [];
  const core = { handle: async (event: TextEvent) => void events.push(event), press: async () => undefined };
  const place = await openPlace({}, { core });
  const { discord, guild } = place;
  const moderator = discord.user('moderator');
  discord.join(guild, moderator, [discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild })]);
  return { ...place, moderator, events };
}

test('what is chosen is the text that the core reads', async () => {
  const { discord, guild, channel, moderator, bob, events } = await openModerated();
  const role = discord.role(guild, 'rewarders');
  const entered: [string, Parameters<typeof discord.slash>[3], string][] = [
    ['show', {}, '/settings'],
    ['channels', { value: 'add' }, '/settings channels add'],
    ['min', { value: '0.5' }, '/settings min 0.5'],
    ['max', { value: 'off' }, '/settings max off'],
    ['cooldown', { value: '30s' }, '/settings cooldown 30s'],
    ['ban', { value: bob }, `/settings ban <@${bob.id}>`],
    ['unban', { value: bob }, `/settings unban <@${bob.id}>`],
    ['receipts', { value: 'reaction' }, '/settings receipts reaction'],
    ['notes', { value: 'off' }, '/settings notes off'],
    ['language', { value: 'português' }, '/settings language português'],
    ['lifetime', { value: '1h' }, '/settings lifetime 1h'],
    ['log', { value: 'here' }, '/settings log here'],
    ['role', { value: role }, `/settings role <@&${role.id}>`],
    ['role', {}, '/settings role off'],
  ];
  for (const [name, values, text] of entered) {
    const before = events.length;
    discord.slash(moderator, channel, `settings ${name}`, values);
    await discord.until(() => events.length > before, name);
    const event = events.at(-1);
    expect(event).toMatchObject({ text, isModerator: true, communityId: guild.id, chatName: '#general' });
    const command = parseCommand(event?.text ?? '', event?.context);
    expect(command).toMatchObject({ kind: 'settings', wish: name === 'show' ? null : { setting: name } });
  }
  expect(events[5]?.context).toMatchObject({ people: [{ id: `discord:${bob.id}`, name: 'bob' }] });
  expect(events[12]?.context).toMatchObject({ roles: [{ id: role.id, name: 'rewarders' }] });
  expect(discord.refusals()).toEqual([]);
});

describe('it is offered', () => {
  test('to moderators only, and not where there is nothing to moderate', async () => {
    const { discord, channel, moderator, bob } = await openModerated();
    expect(() => discord.slash(bob, channel, 'settings show')).toThrow('is not offered');
    expect(() => discord.slash(moderator, discord.direct(moderator), 'settings show')).toThrow('is not offered');
  });
});

test('it is about the channel also where the bot may not write, and its answer is for the moderator alone', async () => {
  const { discord, guild, channel, moderator, bob, events } = await openModerated();
  const everybody = guild.roles.get(guild.id);
  if (!everybody) throw new Error('expected the role of everybody');
  discord.overwrite(channel, everybody, discord.permissions.SendMessages);
  const asked = discord.slash(moderator, channel, 'settings log', { value: 'here' });
  await discord.until(() => events.length === 1, 'the event');
  expect(events[0]).toMatchObject({ chatId: `guild:${channel.id}` });
  expect(discord.answerTo(asked)?.isEphemeral).toBe(true);
  expect(discord.sees(bob, channel)).toEqual([]);
});
