import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { chooseLanguage } from '../../../db/chats/users.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { pending } from '../fake-api.ts';
import { usdc } from '../harness.ts';
import { openPlace, texts, untilEnd } from './discord-harness.ts';

test('a tip in a guild is seen by all, paid once, and ends where it was typed', async () => {
  const { discord, api, store, channel, alice, bob, guild } = await openPlace();
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1', note: 'for lunch' });
  await untilEnd(discord, tip);

  expect(texts(discord, bob, channel)).toEqual(['Sent **1.00 USDC** to **\\@carol on X**.']);
  expect(api.seen.map(({ path, body }) => [path, body])).toEqual(
    Array(2).fill(['/payments/x/pay', { receiver: 'carol', amount: '1', description: 'for lunch' }]),
  );
  const own = `discord:${alice.id}`;
  const order = await findOrderByEvent(store, 'discord', tip.id);
  const expected = { userId: own, walletId: own, walletName: null, chatId: `guild:${channel.id}`, status: 'answered' };
  expect(order).toMatchObject(expected);
  expect(await walletsSeenBy(store, own)).toMatchObject([{ walletId: own }]);
  expect(discord.acknowledgements()).toMatchObject([{ name: 'tip', type: 5, refused: [] }]);
  expect(discord.refusals()).toEqual([]);
  expect(guild.members.size).toBe(4);
});

describe('a person on Discord', () => {
  test('a chosen person is shown by name, and an answer notifies nobody', async () => {
    const { discord, api, channel, alice, bob } = await openPlace();
    const tip = discord.slash(alice, channel, 'tip', { user: bob, amount: '1' });
    await untilEnd(discord, tip);
    expect(discord.answerTo(tip)?.text).toBe(`Sent **1.00 USDC** to **<@${bob.id}>**.`);
    expect(api.seen[1]).toMatchObject({ path: '/payments/discord/pay', body: { receiver: bob.id } });
    expect(discord.notifications(bob)).toEqual([]);
  });

  test('whose message is tipped by its menu reads one answer under it from the second tip on, which rings no phone', async () => {
    const { discord, store, channel, alice, bob, guild } = await openPlace();
    const carl = discord.user('carl');
    discord.join(guild, carl);
    const message = discord.say(bob, channel, 'I made this');
    const under = () => discord.sees(bob, channel).filter(({ replyToId }) => replyToId === message.id);
    for (const person of [alice, carl]) {
      expect(under()).toEqual([]);
      const opened = await discord.answered(discord.contextMenu(person, channel, 'Tip', message));
      const sent = discord.submitModal(person, opened, { amount: '0.5', note: 'thanks' });
      await untilEnd(discord, sent);
      await expect.poll(async () => (await findOrderByEvent(store, 'discord', sent.id))?.shownAtMs).not.toBeNull();
    }
    await expect
      .poll(() => under().map(({ text }) => text))
      .toEqual([`**<@${bob.id}>** got **1.00 USDC** for this, from 2 people.\n\`/claim\``]);
    expect([alice, bob, carl].flatMap((person) => discord.notifications(person))).toEqual([]);
    expect(discord.refusals()).toEqual([]);
  });

  test('a message that cannot be answered any more does not keep its tip from ending', async () => {
    const { discord, store, guild, channel, alice, bob } = await openPlace();
    const message = discord.say(bob, channel, 'I made this');
    const opened = await discord.answered(discord.contextMenu(alice, channel, 'Tip', message));
    const sent = discord.submitModal(alice, opened, { amount: '0.5', note: '' });
    // Between what Discord said of the channel with the form and the answer to it.
    const everyone = guild.roles.get(guild.id);
    if (everyone) discord.overwrite(channel, everyone, PermissionFlagsBits.SendMessages);
    await untilEnd(discord, sent);
    await expect.poll(async () => (await findOrderByEvent(store, 'discord', sent.id))?.shownAtMs).not.toBeNull();
  });

  test('a person mentioned in the text is meant, once', async () => {
    const { discord, api, channel, alice, bob } = await openPlace();
    const tip = discord.slash(alice, channel, 'tip', { to: `<@${bob.id}>`, user: bob, amount: '1' });
    await untilEnd(discord, tip);
    expect(api.headers()).toHaveLength(1);
    expect(api.seen[1]?.body).toMatchObject({ receiver: bob.id, amount: '1' });
  });

  test.each(['user', 'message'] as const)('gets a tip by the menu on a %s', async (target) => {
    const { discord, api, channel, alice, bob } = await openPlace();
    const on = target === 'user' ? bob : discord.say(bob, channel, 'a good answer');
    const opened = await discord.answered(discord.contextMenu(alice, channel, 'Tip', on));
    expect(opened.modal?.title).toBe('Tip bob');
    const sent = discord.submitModal(alice, opened, { amount: '0.5', note: 'thanks' });
    await untilEnd(discord, sent);
    expect(api.seen[1]?.body).toEqual({ receiver: bob.id, amount: '0.5', description: 'thanks' });
    expect(texts(discord, bob, channel)).toContain(`Sent **0.50 USDC** to **<@${bob.id}>**.`);
    expect(discord.refusals()).toEqual([]);
  });

  test('a program gets nothing: chosen, typed, or from the menu', async () => {
    const { discord, api, guild, channel, alice, bob } = await openPlace();
    const program = discord.user('program', { bot: true });
    discord.join(guild, program);
    const chosen = discord.slash(alice, channel, 'tip', { user: program, amount: '1' });
    const typed = discord.slash(alice, channel, 'tip', { to: `<@${program.id}>`, amount: '1' });
    const own = discord.slash(alice, channel, 'tip', { to: `<@${discord.bot.id}>`, amount: '1' });
    const menu = discord.contextMenu(alice, channel, 'Tip', program);
    await discord.until(() => texts(discord, alice, channel).length === 4, 'four answers');
    await discord.until(() => !texts(discord, alice, channel).some((text) => /^\(|^…/.test(text)), 'four texts');
    for (const text of texts(discord, alice, channel)) expect(text).toMatch(/program|bot|me/);
    expect([chosen, typed, own, menu].map(({ modal }) => modal)).toEqual([null, null, null, null]);
    await discord.until(() => texts(discord, bob, channel).length === 0, 'nothing for others');
    expect(api.seen).toEqual([]);
  });
});

describe('where it is typed', () => {
  test('with the bot alone nothing is hidden, and receipts come there', async () => {
    const { discord, store, alice } = await openPlace();
    const direct = discord.direct(alice);
    const tip = discord.slash(alice, direct, 'tip', { to: 'x:carol', amount: '1' });
    await untilEnd(discord, tip);
    expect(discord.answerTo(tip)).toMatchObject({
      isEphemeral: false,
      text: 'Sent **1.00 USDC** to **\\@carol on X**.',
    });
    expect((await findOrderByEvent(store, 'discord', tip.id))?.chatId).toBe(`direct:${direct.id}`);
  });

  test('where the bot is no member, it answers there and receipts go to the person', async () => {
    const { discord, store, alice, bob } = await openPlace();
    alice.installed = true;
    const stranger = discord.guild({ bot: false });
    discord.join(stranger, alice);
    const places = [discord.channel(stranger), discord.privateChannel([alice, bob])];
    for (const place of places) {
      const tip = discord.slash(alice, place, 'tip', { to: 'x:carol', amount: '1' });
      await untilEnd(discord, tip);
      expect(discord.answerTo(tip)).toMatchObject({
        isEphemeral: false,
        text: 'Sent **1.00 USDC** to **\\@carol on X**.',
      });
      expect((await findOrderByEvent(store, 'discord', tip.id))?.chatId).toBe(`person:${alice.id}`);
    }
    expect(discord.refusals()).toEqual([]);
  });
});

describe('what is for one person', () => {
  test.each([
    ['balance', {}, 'You have'],
    ['deposit', {}, '0x'],
    ['tip', { to: 'carol', amount: '1' }, 'Which "carol"'],
    ['tip', { amount: '1' }, 'Who is it for?'],
    ['help', {}, '/tip'],
    ['tip', { to: 'carol@example.com', amount: '1' }, 'Sent'],
  ])('/%s %j is seen by nobody else', async (name, values, text) => {
    const { discord, channel, alice, bob } = await openPlace();
    const asked = discord.slash(alice, channel, name, values);
    await discord.until(() => discord.answerTo(asked)?.text.includes(text), 'the answer');
    expect(discord.answerTo(asked)?.isEphemeral).toBe(true);
    expect(discord.sees(bob, channel)).toEqual([]);
  });

  test('a tip that cannot be paid vanishes for all others, with what its payer holds', async () => {
    const { discord, api, channel, alice, bob, bot } = await openPlace();
    bot.state.balance = usdc(0.3);
    api.script((request) =>
      request.header === null
        ? { do: 'challenge' }
        : { do: 'answer', status: 402, json: { code: 402, error: 'insufficient_funds' } },
    );
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
    await discord.until(() => discord.followUpsTo(tip).length === 1 && discord.answerTo(tip) === null, 'the end');
    expect(discord.sees(bob, channel)).toEqual([]);
    expect(discord.sees(alice, channel)).toMatchObject([{ isEphemeral: true }]);
    expect(texts(discord, alice, channel)[0]).toContain('0.70 USDC');
    const shown = discord.everything(channel).filter(({ isEphemeral }) => !isEphemeral);
    for (const message of shown)
      for (const { content } of discord.history(message)) expect(content).not.toMatch(/0\.[37]/);
  });

  test('what only the balance decides is between two from the beginning', async () => {
    const { discord, channel, alice, bob, bot } = await openPlace();
    bot.state.balance = usdc(0);
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: 'all' });
    await discord.until(() => discord.answerTo(tip)?.text.startsWith('There is nothing to send yet'), 'the end');
    expect(discord.sees(bob, channel)).toEqual([]);
    expect(discord.everything(channel).filter(({ isEphemeral }) => !isEphemeral)).toEqual([]);
  });

  test('a card for one person shows how its tip ends, well or not, and others never see it', async () => {
    const { discord, api, channel, alice, bob } = await openPlace({}, { harness: { careful: true } });
    const tips = ['x:carol', 'x:dave'].map((to) => discord.slash(alice, channel, 'tip', { to, amount: '1' }));
    for (const [index, tip] of tips.entries()) {
      if (index === 1)
        api.script(() => ({ do: 'answer', status: 400, json: { code: 400, error: 'receiver_opted_out' } }));
      await discord.until(() => discord.answerTo(tip)?.buttons.length === 3, 'the card');
      const card = discord.answerTo(tip);
      await discord.answered(discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? ''));
      const end = index === 0 ? /^Sent/ : /dave/;
      await discord.until(
        () => {
          const { text = '', buttons = [] } = discord.answerTo(tip) ?? {};
          return buttons.every(({ customId }) => !customId) && end.test(text);
        },
        'the end',
        10_000,
      );
    }
    expect(api.headers()).toHaveLength(1);
    expect(discord.sees(bob, channel)).toEqual([]);
    expect(discord.refusals()).toEqual([]);
  });

  test('an order for several is agreed to by its payer only, and ends in its card', async () => {
    const { discord, api, channel, alice, bob } = await openPlace();
    const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol x:dave', amount: '1' });
    await discord.until(() => discord.answerTo(tip)?.buttons.length === 2, 'the card');
    expect(discord.sees(bob, channel)).toEqual([]);
    const card = discord.answerTo(tip);
    const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
    await discord.answered(press);
    await discord.until(() => api.headers().length === 1, 'the payment');
    await discord.until(() => discord.answerTo(tip)?.buttons.every(({ customId }) => customId === null), 'the end');
    expect(discord.sees(alice, channel)).toHaveLength(1);
    expect(discord.refusals()).toEqual([]);
  });
});

test('the payer hears how it ended, also where the message is gone meanwhile, and once', async () => {
  const { discord, api, channel, alice, bot } = await openPlace();
  api.script(({ header }) => (header === null ? { do: 'challenge' } : pending));
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
  await discord.until(() => discord.answerTo(tip)?.isLoading === false, 'a step', 60_000);
  await bot.bot.idle();
  discord.deleteMessage({ id: discord.answerTo(tip)?.id ?? '' });
  api.script(({ header }) => (header === null ? { do: 'challenge' } : { do: 'paid' }));
  await bot.bot.resume();
  await bot.bot.idle();
  await discord.until(() => texts(discord, alice, discord.direct(alice)).length > 0, 'the end', 60_000);
  expect(texts(discord, alice, discord.direct(alice))).toEqual(['Sent **1.00 USDC** to **\\@carol on X**.']);
  expect(discord.sees(alice, channel)).toEqual([]);
});

test.each([
  ['**bold** `code` [a](https://evil.example) <@1> @everyone ~~x~~ ||y||'],
  ['# heading\n> quote\n- item'],
  ['https://evil.example/x and </tip:1> <t:1:R> <#2> <@&3>'],
])('a note stays text: %s', async (note) => {
  const { discord, channel, alice } = await openPlace();
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol x:dave', amount: '1', note });
  await discord.until(() => discord.answerTo(tip)?.buttons.length === 2, 'the card');
  const { content = '', mentions } = discord.answerTo(tip) ?? {};
  expect(mentions).toEqual({ userIds: [], roleIds: [], everyone: false });
  // What Discord would make of it: without code and escapes, no character is left that could begin something.
  const bare = content
    .replace(/(`+)[^`]*\1/g, '')
    .replace(/^-# /gm, '')
    .replace(/\\[\s\S]/g, '')
    .replaceAll('**', '');
  expect(bare).not.toMatch(/[*_~|<>[\]@#`\\]|:\/\//);
});

describe('languages', () => {
  test('answers are in the language of the client, or in the one that the person has chosen', async () => {
    const { discord, guild, channel, bot, store } = await openPlace();
    const [dora, jun] = [discord.user('dora', { locale: 'de' }), discord.user('jun', { locale: 'ja' })];
    for (const person of [dora, jun]) discord.join(guild, person);
    const german = discord.slash(dora, channel, 'balance');
    const japanese = discord.slash(jun, channel, 'balance');
    await discord.until(() => discord.answerTo(german)?.text.startsWith('Du hast'), 'German');
    await discord.until(() => /[ぁ-ん]/.test(discord.answerTo(japanese)?.text ?? ''), 'Japanese');
    await chooseLanguage(store, `discord:${dora.id}`, 'en');
    const english = discord.slash(dora, channel, 'balance');
    await discord.until(() => discord.answerTo(english)?.text.startsWith('You have'), 'English');
    expect(bot.logged).not.toContain('an event of Discord failed');
  });
});
