import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { lastText, quiet, runTelegram, startWorld, texts, until, type RunningTelegram } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let alice: User;
let bob: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram });
  alice = telegram.createUser({ firstName: 'Alice', username: 'alice_b', languageCode: 'en', started: true });
  bob = telegram.createUser({ firstName: 'Bob <b>' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const paid = () => api.seen.filter(({ header }) => header !== null);

describe('in private', () => {
  test('a tip is paid from the own wallet, and its message shows how it went on', async () => {
    telegram.say(alice, alice, '/tip x:jack 1.5 for <i>you</i> & "all"');
    await until(() => expect(lastText(telegram, alice, alice)).toMatch(/Sent 1\.50 USDC to @\u2060jack on X/));
    expect(paid()).toMatchObject([
      { path: '/payments/x/pay', body: { receiver: 'jack', amount: '1.5', description: 'for <i>you</i> & "all"' } },
    ]);
    const id = `telegram:${alice.id}`;
    expect(await walletsSeenBy(running.store, id)).toMatchObject([{ walletId: id }]);
    expect(running.signed).toMatchObject([{ walletId: id }]);
    expect(telegram.fromBot(alice, alice)).toHaveLength(1);
    expect(telegram.fromBot(alice, alice)[0]?.message.reply_to_message?.text).toContain('/tip');
    expect(telegram.refused()).toEqual([]);
  });

  test('a mistake is shown with a button that corrects it, and typed text is no markup', async () => {
    telegram.say(alice, alice, '/tip x:ja<b>ck 1');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('has "<" in it'));
    const [shown] = telegram.fromBot(alice, alice);
    expect(shown?.entities.map(({ type }) => type)).not.toContain('code');
    expect(shown?.buttons.flat().length).toBeGreaterThan(0);
    expect(paid()).toEqual([]);
  });

  test('a deep link opens what it names, and never pays', async () => {
    telegram.start(alice, 'balance');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('20.00'));
    telegram.start(alice, 'tip');
    await until(() => expect(texts(telegram, alice, alice)).toHaveLength(2));
    await until(() => expect(lastText(telegram, alice, alice)).toContain('/tip @x:alice 1'));
    expect(api.seen).toEqual([]);
  });

  test('the bot speaks the language of the client', async () => {
    const clara = telegram.createUser({ firstName: 'Clara', languageCode: 'es-MX', started: true });
    telegram.say(clara, clara, '/balance');
    await until(() => expect(lastText(telegram, clara, clara)).toContain('20.00'));
    telegram.say(alice, alice, '/balance');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('20.00'));
    expect(lastText(telegram, clara, clara)).not.toBe(lastText(telegram, alice, alice));
  });
});

describe('in a group', () => {
  test('a reply tips whom it answers, and the one reading along sees who that is', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const { message } = telegram.say(bob, group, 'I made this');
    telegram.say(alice, group, '/tip@penny_bot 0,5 thanks', { replyTo: message });
    await until(() => expect(texts(telegram, bob, group)[0]).toMatch(/Sent 0\.50 USDC to Bob <b>/));
    expect(paid()).toMatchObject([
      { path: '/payments/telegram/pay', body: { receiver: String(bob.id), amount: '0.5', description: 'thanks' } },
    ]);
    expect(telegram.fromBot(bob, group)[0]?.mentioned).toEqual([bob.id]);
    // That is all: one tip is one message.
    await quiet(running);
    expect(texts(telegram, bob, group)).toHaveLength(1);

    telegram.say(alice, group, '/tip 1', { replyTo: message });
    // From the second on stands under the tipped message what it has brought, and how to collect that. It rings no phone.
    await until(() => expect(lastText(telegram, bob, group)).toMatch(/^Bob <b>.*1\.50 USDC[^]*\/claim/));
    const summary = telegram.fromBot(bob, group).at(-1);
    expect(summary?.message.reply_to_message?.message_id).toBe(message.message_id);
    expect(summary?.mentioned).toEqual([]);
    expect(telegram.calls('sendMessage').filter(({ parameters }) => parameters['disable_notification'])).toHaveLength(
      1,
    );
    expect(texts(telegram, bob, group)).toHaveLength(3);
  });

  test('a native mention carries the id; one in the note stays as it was written', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const text = '/tip Bob <b> 1 ask Bob <b> too';
    const at = (offset: number) => ({ type: 'text_mention' as const, offset, length: 7, user: bob });
    telegram.say(alice, group, text, { entities: [at(5), at(19)] });
    await until(() => expect(paid()).toHaveLength(1));
    expect(paid()[0]?.body).toMatchObject({ receiver: String(bob.id), description: 'ask Bob <b> too' });
  });

  test('a topic answers within itself, and what opened it is nobody to tip', async () => {
    const group = telegram.createGroup({ members: [alice], topics: ['Tips'] });
    const topicId = group.topicIds['Tips'] ?? 0;
    telegram.say(alice, group, '/tip x:jack 1', { topicId });
    await until(() => expect(telegram.fromBot(alice, group, topicId).at(-1)?.text).toMatch(/Sent 1\.00 USDC/));
  });

  test.each([
    ['a reply to a bot', '/tip 1'],
    ['a bot by its name', '/tip @other_bot 1'],
    ['this bot by its name', '/tip @penny_bot 1'],
    ['oneself by name', '/tip @alice_b 1'],
  ])('%s is refused, to the sender alone', async (_what, text) => {
    const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
    telegram.say(alice, group, '/help');
    await until(() => expect(texts(telegram, alice, group)).toHaveLength(1));
    const [help] = telegram.fromBot(alice, group);
    const mine = telegram.createUser({ isBot: true, firstName: 'Other' });
    telegram.join(mine, group);
    const original = text === '/tip 1' ? telegram.say(mine, group, 'beep').message : help?.message;
    telegram.say(alice, group, text, original && text === '/tip 1' ? { replyTo: original } : {});
    await until(() => expect(texts(telegram, alice, group)).toHaveLength(2));
    // A slow machine shows its first word to all before it takes it back.
    await until(() => expect(lastText(telegram, alice, group)).not.toMatch(/moment/));
    await until(() => expect(texts(telegram, bob, group)).toEqual([]));
    await quiet(running);
    expect(texts(telegram, bob, group)).toEqual([]);
    expect(paid()).toEqual([]);
  });

  test('an e-mail address is masked', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    telegram.say(alice, group, '/tip carol@example.com 1');
    await until(() => expect(lastText(telegram, bob, group)).toMatch(/Sent 1\.00 USDC/));
    const all = telegram.history(group).filter(({ fromBot }) => fromBot);
    for (const { versions } of all) for (const { text } of versions) expect(text).not.toContain('carol@');
    expect(paid()[0]?.body.receiver).toBe('carol@example.com');
  });

  test('a sender in the name of the group is told why that cannot pay', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    telegram.say(alice, group, '/tip x:jack 1', { anonymous: true });
    await until(() => expect(lastText(telegram, bob, group)).toContain('Remain anonymous'));
    expect(api.seen).toEqual([]);
  });

  test('commands of another bot, and talk, are left alone', async () => {
    const group = telegram.createGroup({ members: [alice], bot: 'administrator' });
    telegram.say(alice, group, '/tip@other_bot x:jack 1');
    telegram.say(alice, group, 'tip x:jack 1');
    telegram.say(alice, group, '/tip x:jack 1');
    await until(() => expect(lastText(telegram, alice, group)).toMatch(/Sent/));
    await quiet(running);
    expect(texts(telegram, alice, group)).toHaveLength(1);
  });
});
