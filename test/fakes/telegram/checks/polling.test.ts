import { type Bot, InlineKeyboard, InputFile } from 'grammy';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RunningBot, createBot, runBot } from './grammy-bot.ts';
import { type FakeTelegram, startFakeTelegram } from '../start.ts';

const SOON = { timeout: 60_000, interval: 10 };

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let telegram: FakeTelegram;
let bot: Bot;
let running: RunningBot[];

beforeEach(async () => {
  telegram = await startFakeTelegram();
  bot = createBot(telegram);
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await telegram.close();
});

const go = () => void running.push(runBot(bot));

describe('an unmodified grammY with runner and sequentialize', () => {
  test('gets a message, and its answer is on the screen', async () => {
    bot.command('start', (context) =>
      context.reply(`Hello ${context.from?.first_name}, <b>you</b>: ${context.match}`, { parse_mode: 'HTML' }),
    );
    go();
    const alice = telegram.createUser({ firstName: 'Alice' });
    telegram.start(alice, 'claim_7');
    await vi.waitFor(() => expect(telegram.fromBot(alice, alice)).toHaveLength(1), SOON);
    const [shown] = telegram.fromBot(alice, alice);
    expect(shown?.text).toBe('Hello Alice, you: claim_7');
    expect(shown?.entities).toEqual([{ type: 'bold', offset: 13, length: 3 }]);
    expect(telegram.refused()).toEqual([]);
  });

  test('edits its message and answers the press, and every version is kept in order', async () => {
    bot.command('tip', (context) =>
      context.reply('Pay 1?', {
        reply_markup: new InlineKeyboard().text('Pay', 'pay:1').url('Help', 'https://example.com'),
      }),
    );
    bot.callbackQuery('pay:1', async (context) => {
      await context.answerCallbackQuery({ text: 'On its way', show_alert: true });
      await context.editMessageText('Paying');
      await context.editMessageText('Paid');
    });
    go();
    const alice = telegram.createUser();
    telegram.say(alice, alice, '/tip');
    await vi.waitFor(() => expect(telegram.fromBot(alice, alice)).toHaveLength(1), SOON);
    const [card] = telegram.fromBot(alice, alice);
    expect(card?.buttons).toEqual([['Pay', 'Help']]);
    const press = telegram.press(alice, card!.message, 'Pay');
    await vi.waitFor(() => expect(telegram.look(card!.message).text).toBe('Paid'), SOON);
    expect(press.answer).toMatchObject({ text: 'On its way', showAlert: true });
    expect(telegram.look(card!.message).versions.map(({ text }) => text)).toEqual(['Pay 1?', 'Paying', 'Paid']);
    expect(telegram.look(card!.message).buttons).toEqual([]);
    expect(() => telegram.press(alice, card!.message, 'Pay')).toThrow(/no button/);
  });

  test('uploads a picture and a document', async () => {
    bot.command('deposit', async (context) => {
      await context.replyWithPhoto(new InputFile(PIXEL, 'code.png'), { caption: 'Scan <i>me</i>', parse_mode: 'HTML' });
      await context.replyWithDocument(new InputFile(Buffer.from('a,b\n'), 'history.csv'));
    });
    go();
    const alice = telegram.createUser();
    telegram.say(alice, alice, '/deposit');
    await vi.waitFor(() => expect(telegram.fromBot(alice, alice)).toHaveLength(2), SOON);
    const [photo, document] = telegram.fromBot(alice, alice);
    expect(photo).toMatchObject({ text: 'Scan me', entities: [{ type: 'italic', offset: 5, length: 2 }] });
    expect(photo?.photo?.bytes.equals(PIXEL)).toBe(true);
    expect(photo?.message.photo).toMatchObject([{ width: 1, height: 1 }]);
    expect(document?.document).toMatchObject({ filename: 'history.csv', bytes: Buffer.from('a,b\n') });
  });

  test('goes on after its poll was cut, after 502 and after a lost answer, and loses nothing', async () => {
    const seen: string[] = [];
    bot.on('message:text', (context) => void seen.push(context.message.text));
    go();
    const alice = telegram.createUser();
    telegram.say(alice, alice, 'one');
    await vi.waitFor(() => expect(seen).toEqual(['one']), SOON);
    await vi.waitFor(() => expect(telegram.cutPolls()).toBe(1), SOON);
    const lost = telegram.fail('getUpdates', { kind: 'lose_reply' }, 1);
    telegram.say(alice, alice, 'two');
    await vi.waitFor(() => expect(seen).toEqual(['one', 'two']), SOON);
    expect(lost.fired()).toBe(1);
    await vi.waitFor(() => expect(telegram.cutPolls()).toBe(1), SOON);
    const failed = telegram.fail('getUpdates', { kind: 'status', status: 502 }, 2);
    telegram.say(alice, alice, 'three');
    await vi.waitFor(() => expect(seen).toEqual(['one', 'two', 'three']), SOON);
    expect(failed.fired()).toBe(2);
  });

  test('gets a redelivered update under its old id, also long after it confirmed it', async () => {
    const seen: number[] = [];
    bot.on('message', (context) => void seen.push(context.update.update_id));
    go();
    const alice = telegram.createUser();
    const first = telegram.say(alice, alice, 'one').update!;
    const second = telegram.say(alice, alice, 'two').update!;
    await vi.waitFor(() => expect(telegram.unconfirmed()).toEqual([]), SOON);
    telegram.redeliver(first);
    await vi.waitFor(() => expect(seen).toEqual([first, second, first].map(({ update_id: id }) => id)), SOON);
    const lost = telegram.fail('getUpdates', { kind: 'lose_reply' }, 2);
    await vi.waitFor(() => expect(telegram.cutPolls()).toBe(1), SOON);
    telegram.redeliver(second);
    await vi.waitFor(() => expect(seen.slice(3)).toEqual([second.update_id]), SOON);
    expect(lost.fired()).toBeGreaterThan(0);
    const third = telegram.say(alice, alice, 'three').update!;
    await vi.waitFor(() => expect(seen.slice(4)).toEqual([third.update_id]), SOON);
  });

  test('gets each update exactly three times when told so, and a burst of 250 too', async () => {
    const seen = new Map<number, number>();
    bot.on('message', ({ update }) => void seen.set(update.update_id, (seen.get(update.update_id) ?? 0) + 1));
    telegram.deliverThrice(true);
    go();
    const alice = telegram.createUser();
    for (let number = 0; number < 250; number += 1) telegram.say(alice, alice, `number ${number}`);
    await vi.waitFor(() => expect([...seen.values()]).toEqual(Array.from({ length: 250 }, () => 3)), SOON);
    telegram.deliverThrice(false);
    const last = telegram.say(alice, alice, 'once').update!;
    await vi.waitFor(() => expect(seen.get(last.update_id)).toBe(1), SOON);
    expect([...seen.values()].filter((times) => times !== 3)).toEqual([1]);
    expect(telegram.updates().map((update) => telegram.deliveries(update).length)).toEqual([...seen.values()]);
  });

  test('what a killed bot did not confirm comes to the next one', async () => {
    const alice = telegram.createUser();
    telegram.say(alice, alice, 'one');
    const [update] = await bot.api.getUpdates();
    expect(await bot.api.getUpdates()).toEqual([update]);
    const offset = update!.update_id + 1;
    expect(await bot.api.getUpdates({ offset })).toEqual([]);
    telegram.redeliver(update!);
    expect(await bot.api.getUpdates()).toEqual([update]);
    expect(await bot.api.getUpdates()).toEqual([update]);
    expect(await bot.api.getUpdates({ offset })).toEqual([]);
  });

  test('what is redelivered before it was confirmed comes again after that, and confirms nothing else', async () => {
    const alice = telegram.createUser();
    telegram.say(alice, alice, 'one');
    const second = telegram.say(alice, alice, 'two').update!;
    telegram.redeliver(second);
    const seen: string[] = [];
    for (let offset = 0; seen.length < 3;) {
      const [update] = await bot.api.getUpdates({ offset, limit: 1 });
      seen.push(update?.message?.text ?? '');
      offset = (update?.update_id ?? 0) + 1;
    }
    expect(seen).toEqual(['one', 'two', 'two']);
  });

  test('a second poller ends the first one with 409', async () => {
    const first = bot.api.getUpdates({ timeout: 30 });
    const refused = first.then(
      () => null,
      (error: unknown) => error,
    );
    await vi.waitFor(() => expect(telegram.calls('getUpdates')).toHaveLength(1), SOON);
    const alice = telegram.createUser();
    const second = bot.api.getUpdates({ timeout: 30 });
    expect(await refused).toMatchObject({ error_code: 409 });
    telegram.say(alice, alice, 'hello');
    expect(await second).toHaveLength(1);
  });

  test('a lost reply has had its effect; a dropped call has not', async () => {
    const alice = telegram.createUser({ started: true });
    const lost = telegram.fail('sendMessage', { kind: 'lose_reply' }, 1);
    await expect(bot.api.sendMessage(alice.id, 'lost')).rejects.toThrow(/sendMessage/);
    expect(telegram.fromBot(alice, alice).map(({ text }) => text)).toEqual(['lost']);
    const dropped = telegram.fail('sendMessage', { kind: 'drop' }, 1);
    await expect(bot.api.sendMessage(alice.id, 'dropped')).rejects.toThrow(/sendMessage/);
    expect(telegram.fromBot(alice, alice)).toHaveLength(1);
    expect([lost.fired(), dropped.fired()]).toEqual([1, 1]);
    expect(() => telegram.fail('sendmessage', { kind: 'drop' })).toThrow(/no method/);
    expect(telegram.calls('sendMessage').map(({ outcome }) => outcome)).toEqual([
      { kind: 'cut', done: true },
      { kind: 'cut', done: false },
    ]);
  });
});
