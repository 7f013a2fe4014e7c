import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  type Client,
  DiscordAPIError,
  EmbedBuilder,
  Events,
  type Interaction,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, test } from 'vitest';
import { connectBot, openDiscord } from './bot.ts';

/** Runs a handler for each interaction; what it throws is kept, so that a test can look at it. */
function onInteraction(client: Client, handle: (interaction: Interaction) => Promise<unknown>): unknown[] {
  const errors: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    handle(interaction).catch((error: unknown) => errors.push(error));
  });
  return errors;
}

function codeOf(error: unknown): unknown {
  return error instanceof DiscordAPIError ? error.code : error;
}

const TIP = new SlashCommandBuilder()
  .setName('tip')
  .setNameLocalizations({ de: 'trinkgeld' })
  .setDescription('Sends a tip')
  .addStringOption((option) =>
    option.setName('to').setDescription('Whom').setRequired(true).setAutocomplete(true).setMaxLength(100),
  )
  .addUserOption((option) => option.setName('user').setDescription('Or a person'));

async function openPlace(chosen: Parameters<typeof openDiscord>[0] = {}) {
  const discord = await openDiscord(chosen);
  const guild = discord.guild({ name: 'Tippers' });
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice', { locale: 'de' }), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob);
  return { discord, guild, channel, alice, bob };
}

test('a bot registers commands, defers, edits and follows up', async () => {
  const { discord, channel, alice, bob } = await openPlace();
  const client = await connectBot(discord);
  expect(client.guilds.cache.map(({ name }) => name)).toEqual(['Tippers']);
  await client.application.commands.set([TIP.toJSON()]);
  const errors = onInteraction(client, async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply();
    await interaction.editReply(`Sending to ${interaction.options.getString('to')}`);
    await interaction.editReply({ embeds: [new EmbedBuilder().setTitle('Sent')] });
    await interaction.followUp({ content: 'Only you see this', flags: MessageFlags.Ephemeral });
  });

  const tip = discord.slash(alice, channel, 'trinkgeld', { to: 'x:carol', user: bob });
  await discord.answered(tip);
  await discord.until(() => discord.followUpsTo(tip).length === 1, 'the follow-up');

  expect(errors).toEqual([]);
  const answer = discord.answerTo(tip);
  expect(discord.history({ id: answer?.id ?? '' }).map(({ content, embeds }) => [content, embeds.length])).toEqual([
    ['', 0],
    ['Sending to x:carol', 0],
    ['Sending to x:carol', 1],
  ]);
  expect(discord.sees(alice, channel).map(({ text }) => text)).toEqual([
    'Sending to x:carol\nSent',
    'Only you see this',
  ]);
  expect(discord.sees(bob, channel).map(({ text }) => text)).toEqual(['Sending to x:carol\nSent']);
  expect(discord.acknowledgements()).toMatchObject([{ name: 'tip', type: 5, refused: [] }]);
  expect(discord.refusals()).toEqual([]);
});

test('the same nonce is one message, and another nonce is another one', async () => {
  const { discord, channel } = await openPlace();
  const client = await connectBot(discord);
  const found = await client.channels.fetch(channel.id);
  if (found?.type !== ChannelType.GuildText) throw new Error('expected a text channel');

  const first = await found.send({ content: 'Receipt', nonce: 'receipt-1', enforceNonce: true });
  const second = await found.send({ content: 'Receipt', nonce: 'receipt-1', enforceNonce: true });
  const other = await found.send({ content: 'Receipt', nonce: 'receipt-2', enforceNonce: true });

  expect(second.id).toBe(first.id);
  expect(other.id).not.toBe(first.id);
  expect(discord.everything(channel)).toHaveLength(2);
  discord.forgetNonces();
  expect((await found.send({ content: 'Receipt', nonce: 'receipt-1', enforceNonce: true })).id).not.toBe(first.id);
});

test('a reply that is lost after its effect makes discord.js repeat it, and a nonce keeps it one message', async () => {
  const { discord, channel } = await openPlace();
  const client = await connectBot(discord);
  const found = await client.channels.fetch(channel.id);
  if (found?.type !== ChannelType.GuildText) throw new Error('expected a text channel');
  const fault = discord.fault({
    method: 'POST',
    path: /\/messages$/,
    what: { kind: 'status', status: 502, after: true },
  });

  await found.send({ content: 'Receipt', nonce: 'once', enforceNonce: true });

  expect(fault.fired).toBe(1);
  expect(discord.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))).toHaveLength(
    2,
  );
  expect(discord.everything(channel)).toHaveLength(1);
});

test('buttons, selects and modals lead from one to the next', async () => {
  const { discord, channel, alice, bob } = await openPlace();
  const client = await connectBot(discord);
  await client.application.commands.set([TIP.toJSON()]);
  const button = new ButtonBuilder().setCustomId('b1').setLabel('Note').setStyle(ButtonStyle.Primary);
  const select = new StringSelectMenuBuilder().setCustomId('s1').addOptions({ label: 'One', value: '1' });
  const modal = new ModalBuilder()
    .setCustomId('m1')
    .setTitle('A note')
    .addLabelComponents(
      new LabelBuilder()
        .setLabel('Text')
        .setTextInputComponent(
          new TextInputBuilder().setCustomId('t1').setStyle(TextInputStyle.Short).setMaxLength(20),
        ),
    );
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isChatInputCommand()) {
      await interaction.reply({
        content: 'Confirm?',
        components: [
          new ActionRowBuilder<ButtonBuilder>().addComponents(button),
          new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(select),
        ],
      });
    } else if (interaction.isButton()) await interaction.showModal(modal);
    else if (interaction.isStringSelectMenu()) await interaction.update(`Chose ${interaction.values.join()}`);
    else if (interaction.isModalSubmit() && interaction.isFromMessage()) {
      await interaction.update({ content: interaction.fields.getTextInputValue('t1'), components: [] });
    }
  });

  const tip = await discord.answered(discord.slash(alice, channel, 'tip', { to: 'x:carol' }));
  const card = discord.answerTo(tip);
  if (card === null) throw new Error('expected a card');
  await discord.answered(discord.select(bob, card, 's1', ['1']));
  expect(discord.answerTo(tip)?.content).toBe('Chose 1');
  const pressed = await discord.answered(discord.press(bob, card, 'Note'));
  expect(pressed.modal?.title).toBe('A note');
  expect(() => discord.submitModal(bob, pressed, { t1: 'x'.repeat(21) })).toThrow('does not take 21');
  expect(() => discord.submitModal(alice, pressed, { t1: 'hi' })).toThrow('not open for alice');
  await discord.answered(discord.submitModal(bob, pressed, { t1: 'thanks' }));

  expect(errors).toEqual([]);
  expect(discord.answerTo(tip)).toMatchObject({ content: 'thanks', buttons: [] });
  expect(() => discord.press(bob, card, 'Note')).toThrow('no button');
});

test('autocomplete brings suggestions, and menus name their user or message', async () => {
  const { discord, channel, alice, bob } = await openPlace();
  const client = await connectBot(discord);
  await client.application.commands.set([TIP.toJSON(), { name: 'Tip', type: 2 }, { name: 'Tip', type: 3 }]);
  const said: string[] = [];
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isAutocomplete()) {
      await interaction.respond([{ name: 'Carol', value: `${interaction.options.getFocused()}:carol` }]);
    } else if (interaction.isUserContextMenuCommand()) {
      said.push(interaction.targetUser.username);
      await interaction.reply({ content: 'ok', flags: MessageFlags.Ephemeral });
    } else if (interaction.isMessageContextMenuCommand()) {
      said.push(interaction.targetMessage.content);
      await interaction.reply({ content: 'ok', flags: MessageFlags.Ephemeral });
    }
  });

  const typing = await discord.answered(discord.autocomplete(alice, channel, 'tip', { to: 'x' }, 'to'));
  expect(typing.choices).toMatchObject([{ name: 'Carol', value: 'x:carol' }]);
  await discord.answered(discord.contextMenu(alice, channel, 'Tip', bob));
  const post = discord.say(bob, channel, 'a good answer');
  await discord.answered(discord.contextMenu(alice, channel, 'Tip', post));

  expect(errors).toEqual([]);
  expect(said).toEqual(['bob', 'a good answer']);
  expect(discord.sees(bob, channel).map(({ content }) => content)).toEqual(['a good answer']);
});

test('a user install works in a guild without the bot and in direct messages of others', async () => {
  const { discord } = await openPlace();
  const stranger = discord.guild({ bot: false });
  const channel = discord.channel(stranger);
  const [carol, dave] = [discord.user('carol', { installed: true }), discord.user('dave')];
  discord.join(stranger, carol);
  discord.join(stranger, dave);
  const client = await connectBot(discord);
  await client.application.commands.set([{ ...TIP.toJSON(), integration_types: [0, 1], contexts: [0, 1, 2] }]);
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply(`context ${interaction.context}`);
  });

  const places = [channel, discord.direct(carol), discord.privateChannel([carol, dave])];
  for (const place of places) await discord.answered(discord.slash(carol, place, 'tip', { to: 'x:a' }));

  expect(errors).toEqual([]);
  expect(places.flatMap((place) => discord.sees(carol, place)).map(({ content }) => content)).toEqual([
    'context 0',
    'context 1',
    'context 2',
  ]);
  expect(() => discord.slash(dave, channel, 'tip', { to: 'x:a' })).toThrow('installed neither');
  // The answer went through the token; the channel itself stays closed to the bot.
  await expect(client.rest.post(`/channels/${channel.id}/messages`, { body: { content: 'hi' } })).rejects.toMatchObject(
    {
      code: 50001,
    },
  );
});

test('a picture arrives with its bytes, and an embed shows it', async () => {
  const { discord, channel, alice } = await openPlace();
  const client = await connectBot(discord);
  await client.application.commands.set([TIP.toJSON()]);
  const bytes = Buffer.from('89504e470d0a1a0a', 'hex');
  const errors = onInteraction(client, async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const embed = new EmbedBuilder().setImage('attachment://qr.png');
    await interaction.reply({ embeds: [embed], files: [new AttachmentBuilder(bytes, { name: 'qr.png' })] });
  });

  const tip = await discord.answered(discord.slash(alice, channel, 'tip', { to: 'x:a' }));

  expect(errors).toEqual([]);
  const [picture] = discord.answerTo(tip)?.attachments ?? [];
  expect(picture).toMatchObject({ filename: 'qr.png', bytes });
  expect(Buffer.from(await (await fetch(picture?.url ?? '')).arrayBuffer())).toEqual(bytes);
});

test('an event that is delivered three times can be answered once', async () => {
  const { discord, channel, alice } = await openPlace({ deliveries: 3 });
  const client = await connectBot(discord);
  await client.application.commands.set([TIP.toJSON()]);
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply('once');
  });

  const tip = await discord.answered(discord.slash(alice, channel, 'tip', { to: 'x:a' }));
  await discord.until(() => errors.length === 2, 'two refusals');
  discord.redeliver(tip);
  await discord.until(() => errors.length === 3, 'the third refusal');

  expect(errors.map(codeOf)).toEqual([40060, 40060, 40060]);
  expect(discord.sees(alice, channel)).toHaveLength(1);
  expect(tip.refusedAnswers.map(({ code }) => code)).toEqual([40060, 40060, 40060]);
});
