import { expect, test } from 'vitest';
import { z } from 'zod';
import { commandList } from '../../../bot/discord/command-list.ts';
import { composeTip, peopleIn } from '../../../bot/discord/command-text.ts';
import { COMMAND_NAMES } from '../../../texts/discord/words.ts';
import { parseCommand } from '../../../core/grammar/command.ts';
import { call } from '../../fakes/discord/careless.ts';
import { openPlace } from './discord-harness.ts';
import { openDiscord } from '../../fakes/discord/bot.ts';

test('Discord takes the commands, for guilds and people, everywhere', async () => {
  const discord = await openDiscord();
  const path = `/applications/${discord.applicationId}/commands`;
  const { status, errors } = await call(
    discord,
    'PUT',
    path,
    commandList(['base', 'solana'], () => true),
  );
  expect({ status, errors }).toEqual({ status: 200, errors: '{}' });
  const ofGuilds = ['settings', 'treasury', 'reward', 'drop', 'top'];
  expect(discord.commands().map(({ name }) => name)).toEqual([...COMMAND_NAMES, ...ofGuilds, 'Tip', 'Tip']);
  for (const { name, contexts, integration_types } of discord.commands()) {
    if (ofGuilds.includes(name)) continue;
    expect([contexts, integration_types]).toEqual([
      [0, 1, 2],
      [0, 1],
    ]);
  }
});

test('Discord is told of no command that this installation does not offer', async () => {
  const { discord } = await openPlace({}, { equipment: { readsPosts: false } });
  const names = discord.commands().map(({ name }) => name);
  expect(names).not.toContain('reward');
  expect(names).toEqual(expect.arrayContaining(['tip', 'drop', 'treasury', 'settings']));
});

test('in a guild that has not let the bot in, help names nothing that needs it', async () => {
  const { discord, alice } = await openPlace();
  alice.installed = true;
  const stranger = discord.guild({ bot: false });
  discord.join(stranger, alice);
  const asked = discord.slash(alice, discord.channel(stranger), 'help');
  await discord.until(() => discord.answerTo(asked)?.text.includes('/privacy'), 'help');
  expect(discord.answerTo(asked)?.text).not.toMatch(/\/(?:drop|request|top|settings|treasury|reward)\b/);
});

test.each(COMMAND_NAMES)('the core knows /%s', (name) => {
  expect(parseCommand(`/${name}`).kind).not.toBe('unknown');
});

test('a command is called the same in all languages, as every text names it', async () => {
  const localized = z.array(z.looseObject({ type: z.int(), name_localizations: z.unknown().optional() }));
  const named = localized
    .parse(commandList(['base', 'solana'], () => true))
    .filter(({ name_localizations: names }) => names !== undefined);
  // Only the entries of the menu, which nobody types.
  expect(named.map(({ type }) => type)).toEqual([2, 3]);
});

test.each([
  [{ to: 'x:carol', people: [], amount: '1', note: 'hi' }, '/tip x:carol 1 note: hi'],
  [{ to: null, people: ['7'], amount: '50c', note: null }, '/tip discord:7 50c'],
  [{ to: '<@7> <@!8>', people: ['7'], amount: '1 each', note: null }, '/tip discord:7 discord:8 1 each'],
  [{ to: 'a@b.example,', people: ['9'], amount: 'all', note: null }, '/tip a@b.example, discord:9 all'],
  [{ to: null, people: [], amount: '1', note: 'x:mallory' }, '/tip 1'],
])('%j is %s', (entered, text) => {
  expect(composeTip({ command: 'tip', ...entered })).toBe(text);
  expect(composeTip({ command: 'pay', ...entered })).toBe(text.replace('/tip', '/pay'));
});

test('a note that looks like names and an amount stays a note', () => {
  const text = composeTip({ command: 'tip', to: 'x:carol', people: [], amount: '1', note: 'x:mallory 9' });
  expect(parseCommand(text)).toMatchObject({ recipients: [{ key: 'carol' }], note: 'x:mallory 9' });
});

test('people are found wherever they are named by number', () => {
  expect(peopleIn('/tip discord:7 @discord/8 discord:7 xdiscord:9 1')).toEqual(['7', '8']);
});
