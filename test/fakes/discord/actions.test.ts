import {
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  type Client,
  ContainerBuilder,
  DiscordAPIError,
  Events,
  type Interaction,
  MediaGalleryBuilder,
  MessageFlags,
  SectionBuilder,
  SeparatorBuilder,
  TextDisplayBuilder,
} from 'discord.js';
import { expect, test } from 'vitest';
import { connectBot, openDiscord } from './bot.ts';

const COMMANDS = [
  { name: 'ping', description: 'Pings' },
  {
    name: 'settings',
    description: 'Settings',
    default_member_permissions: '32',
    options: [
      {
        type: 1,
        name: 'limit',
        description: 'The most',
        options: [{ type: 4, name: 'most', description: 'Dollars', required: true, min_value: 1, max_value: 10 }],
      },
    ],
  },
];

async function openPlace(handle: (interaction: Interaction) => Promise<unknown>) {
  const discord = await openDiscord();
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob, [discord.role(guild, 'moderators', { permissions: discord.permissions.ManageGuild })]);
  const client = await connectBot(discord);
  await client.application.commands.set(COMMANDS);
  const errors: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    handle(interaction).catch((error: unknown) => errors.push(error));
  });
  return { discord, guild, channel, alice, bob, client, errors };
}

async function textChannel(client: Client, id: string) {
  const found = await client.channels.fetch(id);
  if (found?.type !== ChannelType.GuildText) throw new Error('expected a text channel');
  return found;
}

test('an answer whose reply is lost has its effect; how the line breaks decides whether discord.js repeats it', async () => {
  const { discord, channel, alice, errors } = await openPlace(async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply('pong');
  });
  const path = /\/callback$/;
  discord.fault({ path, what: { kind: 'lose-reply', how: 'close' } });
  const closed = await discord.answered(discord.slash(alice, channel, 'ping'));
  await discord.until(() => errors.length === 1, 'the first error');
  discord.fault({ path, what: { kind: 'lose-reply', how: 'reset' } });
  const reset = await discord.answered(discord.slash(alice, channel, 'ping'));
  await discord.until(() => errors.length === 2, 'the second error');

  expect(errors.map((error) => (error instanceof DiscordAPIError ? error.code : 'connection'))).toEqual([
    'connection',
    40060,
  ]);
  expect([closed, reset].map(({ refusedAnswers }) => refusedAnswers.length)).toEqual([0, 1]);
  expect(discord.sees(alice, channel).map(({ content }) => content)).toEqual(['pong', 'pong']);
});

test('a request that is lost before its effect is repeated by discord.js without harm', async () => {
  const { discord, channel, alice, errors } = await openPlace(async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply('pong');
  });
  discord.fault({ path: /\/callback$/, what: { kind: 'lose-request', how: 'reset' } });
  await discord.answered(discord.slash(alice, channel, 'ping'));
  await discord.until(() => discord.requests().at(-1)?.status === 204, 'the reply');
  expect(errors).toEqual([]);
  expect(discord.sees(alice, channel)).toHaveLength(1);
});

test('an answer with its response names the message that was made', async () => {
  const ids: (string | undefined)[] = [];
  const { discord, channel, alice, errors } = await openPlace(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const response = await interaction.reply({ content: 'pong', flags: MessageFlags.Ephemeral, withResponse: true });
    ids.push(response.resource?.message?.id, (await interaction.fetchReply()).id);
    await interaction.deleteReply();
    ids.push((await interaction.followUp('later')).id);
  });
  discord.slash(alice, channel, 'ping');
  await discord.until(() => ids.length === 3, 'three ids');
  expect(errors).toEqual([]);
  expect(ids[0]).toBe(ids[1]);
  expect(discord.sees(alice, channel).map(({ id }) => id)).toEqual([ids[2]]);
});

test('what a person cannot enter is refused by the client already', async () => {
  const entered: unknown[] = [];
  const { discord, channel, alice, bob } = await openPlace(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    entered.push([interaction.options.getSubcommand(), interaction.options.getInteger('most')]);
    await interaction.deferReply();
  });
  expect(() => discord.slash(alice, channel, 'pong')).toThrow('no command');
  expect(() => discord.slash(alice, channel, 'settings limit', { most: 1 })).toThrow('not offered to alice');
  expect(() => discord.slash(bob, channel, 'settings')).toThrow('needs a subcommand');
  expect(() => discord.slash(bob, channel, 'settings limit')).toThrow('needs its option "most"');
  expect(() => discord.slash(bob, channel, 'settings limit', { most: 11 })).toThrow('takes 1 to 10');
  expect(() => discord.slash(bob, channel, 'settings limit', { most: 1.5 })).toThrow('takes integers');
  expect(() => discord.slash(bob, channel, 'settings limit', { most: 'a' })).toThrow('does not take string');
  expect(() => discord.slash(bob, channel, 'settings limit', { most: 1, least: 1 })).toThrow('no option "least"');
  await discord.answered(discord.slash(bob, channel, 'settings limit', { most: 10 }));
  expect(entered).toEqual([['limit', 10]]);
});

test('a bot replies, reacts, edits, deletes and writes directly', async () => {
  const { discord, channel, alice, client } = await openPlace(async () => undefined);
  const post = discord.say(alice, channel, 'thanks');
  const place = await textChannel(client, channel.id);
  const message = await place.messages.fetch(post.id);
  await message.react('👍');
  const reply = await message.reply({ content: 'ok', allowedMentions: { repliedUser: false } });
  await reply.edit('fine');
  expect(discord.sees(alice, channel)).toMatchObject([
    { content: 'thanks', reactions: [{ emoji: '👍', userIds: [discord.bot.id] }] },
    { content: 'fine', replyToId: post.id, isEdited: true, notifiedIds: [] },
  ]);
  const loud = await message.reply('again');
  expect(discord.notifications(alice).map(({ id }) => id)).toEqual([loud.id]);
  await reply.delete();
  await loud.delete();
  expect(discord.sees(alice, channel)).toHaveLength(1);
  expect(discord.history(reply).map(({ content }) => content)).toEqual(['ok', 'fine']);

  await client.users.send(alice.id, 'hello');
  expect(discord.sees(alice, discord.direct(alice)).map(({ content }) => content)).toEqual(['hello']);
  expect(discord.refusals()).toEqual([]);
});

test('a user install without the guild has five follow-ups', async () => {
  const codes: unknown[] = [];
  const { discord, client } = await openPlace(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.reply('0');
    for (let count = 1; count <= 6; count++) {
      await interaction.followUp(String(count)).catch((error: DiscordAPIError) => codes.push(error.code));
    }
  });
  await client.application.commands.set([{ name: 'ping', description: 'Pings', integration_types: [1] }]);
  const carol = discord.user('carol', { installed: true });
  const place = discord.privateChannel([carol, discord.user('dave')]);
  const ping = discord.slash(carol, place, 'ping');
  await discord.until(() => codes.length === 1, 'the refusal', 60_000);
  expect(codes).toEqual([40094]);
  expect(discord.followUpsTo(ping)).toHaveLength(5);
});

test('a request that gets no reply at all ends with the time limit of the client', async () => {
  const discord = await openDiscord();
  const client = await connectBot(discord, { rest: { timeout: 2_000, retries: 0 } });
  const fault = discord.fault({ path: /^\/users\/@me$/, what: { kind: 'hang' } });
  await expect(client.rest.get('/users/@me')).rejects.toThrow('aborted');
  expect(fault.fired).toBe(1);
});

test('a bot that was added or removed while connected learns of its guild', async () => {
  const { discord, client } = await openPlace(async () => undefined);
  const guild = discord.guild({ name: 'Later' });
  await discord.until(() => client.guilds.cache.has(guild.id), 'the guild');
  const channel = discord.channel(guild);
  await discord.until(() => client.channels.cache.has(channel.id), 'the channel');
  discord.removeBot(guild);
  await discord.until(() => !client.guilds.cache.has(guild.id), 'the loss');
  await expect(client.rest.get(`/channels/${channel.id}`)).rejects.toMatchObject({ code: 50001 });
});

test('a message of new components shows texts, a picture and buttons, and its texts mention people', async () => {
  const { discord, channel, alice, bob, errors } = await openPlace(async (interaction) => {
    if (interaction.isButton()) await interaction.deferUpdate();
    if (!interaction.isChatInputCommand()) return;
    const button = new ButtonBuilder().setCustomId('again').setEmoji('💸').setStyle(ButtonStyle.Success);
    await interaction.reply({
      flags: MessageFlags.IsComponentsV2,
      files: [{ attachment: Buffer.from('picture'), name: 'qr.png' }],
      components: [
        new ContainerBuilder()
          .addSectionComponents(
            new SectionBuilder()
              .addTextDisplayComponents(new TextDisplayBuilder().setContent(`For <@${bob.id}>`))
              .setButtonAccessory(button),
          )
          .addSeparatorComponents(new SeparatorBuilder())
          .addMediaGalleryComponents(
            new MediaGalleryBuilder().addItems((item) => item.setURL('attachment://qr.png').setDescription('A code')),
          ),
      ],
    });
  });
  const ping = await discord.answered(discord.slash(alice, channel, 'ping'));
  const shown = discord.answerTo(ping);
  expect(shown).toMatchObject({ text: `For <@${bob.id}>`, notifiedIds: [bob.id], buttons: [{ customId: 'again' }] });
  await discord.answered(discord.press(bob, { id: shown?.id ?? '' }, 'again'));
  expect(errors).toEqual([]);
});

test('a bot reads members and roles, and registers commands of one guild', async () => {
  const { discord, guild, alice, bob, channel, client } = await openPlace(async () => undefined);
  const found = await client.guilds.fetch(guild.id);
  const member = await found.members.fetch(bob.id);
  expect(member.permissions.has('ManageGuild')).toBe(true);
  expect((await found.roles.fetch()).size).toBe(2);
  expect((await found.members.fetchMe()).id).toBe(discord.bot.id);
  const [own] = await client.application.commands
    .set([{ name: 'ping', description: 'Pings here' }], guild.id)
    .then((saved) => [...saved.values()]);
  const [again] = await client.application.commands
    .set([{ name: 'ping', description: 'Pings still' }], guild.id)
    .then((saved) => [...saved.values()]);
  expect(again?.id).toBe(own?.id);
  // The guild's own command hides the global one.
  expect(discord.slash(alice, channel, 'ping').event.d).toMatchObject({ data: { id: own?.id, guild_id: guild.id } });
  expect(discord.refusals()).toEqual([]);
});
