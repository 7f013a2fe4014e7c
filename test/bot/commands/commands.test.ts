import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { totalFor } from '../../../bot/shared/terms.ts';
import { microUsdc, parseDecimalUsdc } from '../../../core/money.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, PINNED, textEvent, usdc, type Harness } from '../harness.ts';

let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

const open = async (options: Partial<Parameters<typeof createHarness>[0]> = {}) => {
  harness = await createHarness({ apiUrl: api.url, ...options });
};

async function say(text: string, eventId = 'event-1'): Promise<string | undefined> {
  await harness.bot.handle(textEvent(text, eventId));
  await harness.bot.idle();
  return harness.chat.textOf(eventId);
}

const commandsOf = (eventId = 'event-1') =>
  harness.chat.last(eventId)?.actions.map((action) => (action.kind === 'command' ? action.command : action.kind));

describe('/balance', () => {
  test('says what is there, and that it is play money where it is', async () => {
    await open({ balance: usdc(19.5), faucet: true });
    expect(await say('/balance')).toBe('You have 19.50 USDC of play money.');
    expect(harness.chat.last('event-1')?.audience).toBe('person');
    await open({ balance: usdc(3.000001) });
    expect(await say('/balance')).toBe('You have 3.000001 USDC.');
  });

  test('with nothing there it says how to add some', async () => {
    await open({ balance: usdc(0) });
    expect(await say('/balance')).toBe('You have no money here yet. /deposit shows how to add some.');
    expect(commandsOf()).toEqual(['/deposit']);
  });

  test('a node that does not answer is said, and nothing hangs', async () => {
    await open();
    harness.state.down.add('base');
    expect(await say('/balance')).toBe('Something went wrong on my side, and nothing was charged. Please try again.');
    expect(harness.logged).toContain('command failed');
  });
});

describe('/deposit', () => {
  test('shows the own address, the network, and what could go wrong', async () => {
    await open();
    const text = await say('/deposit');
    expect(text).toContain(shownAddress(await harness.deps.networks[0].addressOf('chat:user-1')));
    expect(text).toContain('USDC on Base');
    expect(text).toContain('anything else could be lost');
  });

  test('warns of real money in local mode and offers more of the other kind', async () => {
    await open({ faucet: true });
    expect(await say('/deposit')).toContain('Never send real money to it');
    expect(commandsOf()).toEqual(['button']);
  });
});

test('/help and what is no command show commands that can be pressed', async () => {
  await open({ faucet: true });
  expect(await say('/help', 'event-1')).toContain('/tip @x:alice 1 sends 1 USDC to alice on X.');
  expect(harness.chat.textOf('event-1')).toContain('\n/history /limits /lock /claim /link /language /block /privacy');
  expect(commandsOf('event-1')).toEqual(['/tip @x:alice 1', '/balance', '/deposit']);
  expect(await say('gm', 'event-2')).toBe('I didn’t get that. Here is what I can do:');
  expect(commandsOf('event-2')).toEqual(['/tip @x:alice 1', '/balance', '/help']);
});

describe('/tip', () => {
  test.each([
    ['/tip @alice 1', 'Which "@alice"?', ['/tip x:alice 1', '/tip farcaster:alice 1', '/tip github:alice 1']],
    ['/tip x:alice 1,000', 'Is "1,000" more than a thousand', ['/tip x:alice 1']],
    ['/tip x:alice 1k', 'Please write "1k" out in digits.', ['/tip x:alice 10']],
    ['/tip x:alice 0', 'That is too little', ['/tip x:alice 0.01']],
    ['/tip x:alice 11', 'That is too much at once', ['/tip x:alice 10']],
    ['/tip x:alice 0.1234567', 'more than 6 decimals, and I don’t round your money', ['/tip x:alice 0.123456']],
    ['/tip x:аlice 1', 'only looks like “a”', ['/tip @x:alice 1']],
    ['/tip mastodon:alice 1', 'I don’t know the network in "mastodon:alice".', ['/tip @x:alice 1']],
  ])('%s is answered with the reason and a corrected example', async (text, reason, examples) => {
    await open();
    expect(await say(text)).toContain(reason);
    expect(harness.chat.last('event-1')).toMatchObject({ state: 'error', audience: 'person' });
    expect(commandsOf()).toEqual(examples);
    expect(api.seen).toEqual([]);
  });

  test.each([
    ['all', usdc(7.5), '7.5'],
    ['max', usdc(10), '10'],
    ['half', usdc(7.5), '3.75'],
    ['half', usdc(20), '10'],
  ])('%s of %s micro-USDC is %s', async (form, balance, amount) => {
    await open({ balance });
    expect(await say(`/tip x:alice ${form}`)).toContain('Sent');
    expect(api.seen[0]?.body.amount).toBe(amount);
  });

  test.each([0, 1, 33, 150, 9_999])('"all" leaves room for a fee of %i bps, to the last micro-USDC', async (feeBps) => {
    const pinned = { ...PINNED, feeBps, feeFlat: usdc(0.01) };
    const balance = usdc(5.000_003);
    await open({ balance, pinned });
    await say('/tip x:alice all');
    const amount = parseDecimalUsdc(api.seen[0]?.body.amount ?? '')!;
    expect(totalFor(amount, pinned)).toBeLessThanOrEqual(balance);
    expect(totalFor(microUsdc(amount + 1n), pinned)).toBeGreaterThan(balance);
  });

  test.each([
    ['all', usdc(0), 'There is nothing to send yet. /deposit shows how to add money.', ['/deposit']],
    ['half', usdc(0.01), 'You have 0.005 USDC, and the smallest tip is 0.01 USDC.', ['/deposit']],
    ['all', usdc(15), 'That would be 15.00 USDC, and one tip is at most 10 USDC.', ['/tip x:alice 10']],
  ])('%s of %s micro-USDC is refused with a reason', async (form, balance, reason, examples) => {
    await open({ balance });
    expect(await say(`/tip x:alice ${form}`)).toContain(reason);
    expect(commandsOf()).toEqual(examples);
    expect(api.seen).toEqual([]);
  });

  test.each<[string, string, string[]]>([
    ['/tip discord:17 2', 'discord:17 is you. Send it to someone else:', ['/tip x:alice 2']],
    ['/tip telegram:me_there all', 'telegram:me_there is you.', ['/tip x:alice all']],
    ['/tip x:bob x:myself github:carol 3 split', '@myself on X is you.', ['/tip x:bob github:carol 3 split']],
    ['/tip x:bob x:myself 3 split', '@myself on X is you.', ['/tip x:bob 3']],
    ['/tip discord:99 1', 'That is me, and I need no tips.', ['/tip x:alice 1']],
    ['/tip discord:98 1', 'discord:98 is a bot, and bots can’t collect money.', ['/tip x:alice 1']],
  ])('%s is answered privately, and costs nothing', async (text, reason, examples) => {
    await open();
    const holder = { holderId: 'discord:17', walletId: 'x:7', identityId: 'person_7', name: 'x:myself' };
    await harness.store.tx((db) => addHolder(db, harness.store.tables, holder, 1));
    const names = { ownNames: ['telegram:me_there'], botNames: ['discord:99'], context: { bots: ['discord:98'] } };
    await harness.bot.handle({ ...textEvent(text, 'event-1', 'discord:17'), walletId: 'x:7', ...names });
    await harness.bot.idle();
    expect(harness.chat.textOf('event-1')).toContain(reason);
    expect(harness.chat.last('event-1')).toMatchObject({ state: 'error', audience: 'person' });
    expect(commandsOf()).toEqual(examples);
    expect(api.seen).toEqual([]);
  });

  test.each([
    ['gh:octocat', '/payments/code/pay', 'octocat', 'octocat on GitHub'],
    ['https://farcaster.xyz/dwr', '/payments/decsocial/pay', 'dwr', '@dwr on Farcaster'],
    ['Alice@Example.com', '/payments/email/pay', 'Alice@Example.com', 'alice@example.com'],
    ['example.com', '/payments/web/pay', 'example.com', 'example.com'],
  ])('to %s goes to %s as %s and is shown as %s', async (name, path, receiver, shown) => {
    await open();
    expect(await say(`/tip ${name} 1`)).toBe(`Sent 1.00 USDC to ${shown}.`);
    expect(api.seen[0]).toMatchObject({ path, body: { receiver } });
  });
});
