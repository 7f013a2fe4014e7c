import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import type { CommunitySettings } from '../../../core/communities/community-settings.ts';
import { microUsdc } from '../../../core/money.ts';
import { plainText } from '../../../core/view.ts';
import { ban, unban } from '../../../db/communities/community-bans.ts';
import { changeCommunitySettings } from '../../../db/communities/community-settings.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, pressEvent, textEvent, usdc, type Harness } from '../harness.ts';

const GUILD = { transport: 'test', communityId: 'guild-1' };
const USER = 'chat:user-1';
const MEMBER = { ...GUILD, userId: USER };

let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url, balance: usdc(8) });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

const set = (change: Partial<CommunitySettings>) =>
  changeCommunitySettings(harness.store, GUILD, { changedBy: 'discord:1', nowMs: 1 }, (now) => ({
    kind: 'changed',
    settings: { ...now, ...change },
  }));

const banUser = () => ban(harness.store, MEMBER, { bannedBy: 'discord:1', nowMs: 1 });

async function say(text: string, eventId = 'event-1', where: Partial<TextEvent> = GUILD) {
  await harness.bot.handle({ ...textEvent(text, eventId), ...where });
  await harness.bot.idle();
  const view = harness.chat.last(eventId);
  if (!view) throw new Error(`nobody answered ${text}`);
  const example = view.actions.flatMap((action) => (action.kind === 'command' ? [action.command] : []))[0] ?? null;
  return { text: plainText(view), example, audience: view.audience };
}

const orderOf = (eventId: string) => findOrderByEvent(harness.store, 'test', eventId);
const paid = () => api.seen.filter(({ header }) => header !== null).length;

/** Nothing came of it, and nobody else learns of it. */
async function expectRefused(answer: Awaited<ReturnType<typeof say>>, words: RegExp, eventId = 'event-1') {
  expect(answer.text).toMatch(words);
  expect(answer.audience).toBe('person');
  expect(await orderOf(eventId)).toBeNull();
  expect(api.seen).toEqual([]);
}

describe('a banned person', () => {
  test('cannot tip one or several', async () => {
    await banUser();
    await expectRefused(await say('/tip x:alice 1'), /moderators here don’t let you tip/);
    await expectRefused(await say('/tip x:alice x:bob 1', 'event-2'), /moderators here don’t let you tip/, 'event-2');
  });

  test('hears that and not what else would be wrong', async () => {
    await banUser();
    harness.state.balance = usdc(0);
    expect((await say('/tip x:alice all')).text).toMatch(/moderators here/);
  });

  test('spends their own money as before', async () => {
    await banUser();
    await set({ channels: [{ id: 'elsewhere', name: '#elsewhere' }] });
    const address = `0x${'cd'.repeat(20)}`;
    const own: [string, RegExp][] = [
      ['/balance', /8.00 USDC/],
      [`/withdraw 5 ${address}`, /Send 5.00 USDC/],
      ['/deposit', /0x/],
      ['/history', /not sent a tip yet/],
      ['/claim x:alice', /page/],
      ['/privacy', /erased/],
    ];
    for (const [command, words] of own) expect((await say(command, command)).text).toMatch(words);
  });

  test('tips elsewhere, alone with the bot, and when the ban is lifted', async () => {
    await banUser();
    expect((await say('/tip x:alice 1', 'other', { ...GUILD, communityId: 'guild-2' })).text).toMatch(/^Sent/);
    expect((await say('/tip x:alice 1', 'alone', {})).text).toMatch(/^Sent/);
    await unban(harness.store, MEMBER);
    expect((await say('/tip x:alice 1')).text).toMatch(/^Sent/);
  });
});

describe('a place that tips are not for', () => {
  test('refuses them and says where they belong', async () => {
    await set({
      channels: [
        { id: 'rewards', name: '#rewards' },
        { id: 'thanks', name: '#thanks' },
      ],
    });
    await expectRefused(await say('/tip x:alice 1'), /belong in #rewards, #thanks\.$/);
    expect((await say('/balance', 'event-2')).text).toMatch(/8.00 USDC/);
    await set({ channels: [{ id: 'chat', name: '#here' }] });
    expect((await say('/tip x:alice 1', 'event-3')).text).toMatch(/^Sent/);
  });
});

describe('limits', () => {
  beforeEach(() => set({ tipMinMicroUsdc: '500000', tipMaxMicroUsdc: '2000000' }));

  test.each([
    ['/tip x:alice 0.49 for lunch', /at least 0.50 USDC/, '/tip x:alice 0.5 for lunch'],
    ['/tip x:alice 2.01', /at most 2.00 USDC/, '/tip x:alice 2'],
    ['/tip x:alice x:bob 0.4', /at least 0.50 USDC/, '/tip x:alice x:bob 0.5 each'],
    ['/tip x:alice x:bob 0.99 split thanks', /at least 0.50 USDC/, '/tip x:alice x:bob 1 split thanks'],
    ['/tip x:alice x:bob 4.01 split', /at most 2.00 USDC/, '/tip x:alice x:bob 4 split'],
    ['/tip x:alice x:alice x:bob 3 each', /at most 2.00 USDC/, '/tip x:alice x:bob 2 each'],
    ['/tip x:alice all', /at most 2.00 USDC/, '/tip x:alice 2'],
    ['/tip x:alice x:bob half split', undefined, null],
    ['/tip x:alice x:bob all split', /at most 2.00 USDC/, '/tip x:alice x:bob 4 split'],
    ['/tip x:alice 0.5', undefined, null],
    ['/tip x:alice 2', undefined, null],
    ['/tip x:alice x:bob 4 split', undefined, null],
  ])('%s', async (command, words, example) => {
    const answer = await say(command);
    if (words === undefined) return expect(await orderOf('event-1')).not.toBeNull();
    await expectRefused(answer, words);
    expect(answer.example).toBe(example);
    await say(answer.example ?? '', 'corrected');
    expect(await orderOf('corrected')).not.toBeNull();
  });
});

test('a note that is not allowed is not dropped: the same without it is offered', async () => {
  await set({ hasNotes: false });
  const answer = await say('/tip x:alice 1 thank you');
  await expectRefused(answer, /without a note/);
  expect(answer.example).toBe('/tip x:alice 1');
  const several = await say('/tip x:alice x:bob 1 split thank you', 'event-2');
  await expectRefused(several, /without a note/, 'event-2');
  expect(several.example).toBe('/tip x:alice x:bob 1 split');
  expect((await say('/tip x:alice 1', 'event-3')).text).toMatch(/^Sent/);
});

describe('the time between two tips', () => {
  beforeEach(() => set({ cooldownSeconds: 60 }));

  test('begins with an order, however often its event is delivered', async () => {
    for (let delivery = 0; delivery < 3; delivery++) expect((await say('/tip x:alice 1')).text).toMatch(/^Sent/);
    expect(paid()).toBe(1);
    harness.clock.pass(18_000);
    const refused = await say('/tip x:alice 1', 'event-2');
    expect(refused).toMatchObject({ audience: 'person', example: null });
    expect(refused.text).toMatch(/your next one in [0-9]+s\.$/);
    expect(await orderOf('event-2')).toBeNull();
    harness.clock.pass(60_000);
    expect((await say('/tip x:alice 1', 'event-3')).text).toMatch(/^Sent/);
  });

  test('does not begin with what is refused', async () => {
    await set({ tipMinMicroUsdc: '500000' });
    await say('/tip x:alice 0.1');
    await say('/tip x:alice 1,000', 'event-2');
    await say(`/tip ${USER} 1`, 'event-3');
    expect((await say('/tip x:alice 1', 'event-4')).text).toMatch(/^Sent/);
  });

  test('lets one of several tips at once through', async () => {
    const tip = (eventId: string) => harness.bot.handle({ ...textEvent('/tip x:alice 1', eventId), ...GUILD });
    const eventIds = ['a', 'b', 'c', 'd'];
    await Promise.all(eventIds.map(tip));
    await harness.bot.idle();
    expect(paid()).toBe(1);
    const said = eventIds.map((eventId) => harness.chat.textOf(eventId) ?? '');
    expect(said.filter((text) => text.includes('your next one in'))).toHaveLength(3);
  });

  test('is of each person and each community', async () => {
    await say('/tip x:alice 1');
    const other = { ...textEvent('/tip x:alice 1', 'event-2', 'chat:user-2'), ...GUILD };
    await harness.bot.handle(other);
    await harness.bot.idle();
    expect(harness.chat.textOf('event-2')).toMatch(/^Sent/);
    expect((await say('/tip x:alice 1', 'event-3', {})).text).toMatch(/^Sent/);
  });
});

describe('a card that is older than the rules', () => {
  const card = async (command = '/tip x:alice x:bob 1 each for lunch') => {
    expect((await say(command)).text).toMatch(/^Send/);
    const [button] = harness.chat.last('event-1')?.actions ?? [];
    if (button?.kind !== 'button') throw new Error('the card has no button');
    return button.id;
  };
  const press = async (buttonId: string, eventId: string) => {
    await harness.bot.press({ ...pressEvent(buttonId, eventId), ...GUILD });
    await harness.bot.idle();
    return harness.chat.last(eventId);
  };

  test.each<[string, () => Promise<unknown>, RegExp, string | null]>([
    ['a ban', () => banUser(), /moderators here/, null],
    ['another place', () => set({ channels: [{ id: 'rewards', name: '#rewards' }] }), /belong in #rewards/, null],
    ['no notes', () => set({ hasNotes: false }), /without a note/, '/tip x:alice x:bob 1 each'],
    ['a least', () => set({ tipMinMicroUsdc: '2000000' }), /at least 2/, '/tip x:alice x:bob 2 each for lunch'],
    ['a most', () => set({ tipMaxMicroUsdc: '500000' }), /at most 0.50/, '/tip x:alice x:bob 0.5 each for lunch'],
  ])('is not carried out after %s, and its payer alone hears why', async (_rule, decide, words, example) => {
    const button = await card();
    const shown = harness.chat.textOf('event-1');
    await decide();
    const refused = await press(button, 'press-1');
    expect(refused?.audience).toBe('person');
    expect(refused && plainText(refused)).toMatch(words);
    expect(refused?.actions).toEqual(example === null ? [] : [{ kind: 'command', command: example }]);
    expect(harness.chat.textOf('event-1')).toBe(shown);
    expect([(await orderOf('event-1'))?.status, api.seen.length]).toEqual(['proposed', 0]);
  });

  test('is carried out when it is pressed again and allowed again', async () => {
    const button = await card();
    await banUser();
    await press(button, 'press-1');
    await unban(harness.store, MEMBER);
    await press(button, 'press-2');
    expect(harness.chat.textOf('event-1')).toMatch(/^Sent 2.00 USDC/);
  });

  test('can be cancelled, and its time can be over, whatever the rules are', async () => {
    const button = await card();
    await banUser();
    harness.clock.pass(11 * 60_000);
    await press(button, 'press-1');
    expect(harness.chat.textOf('event-1')).toMatch(/did not confirm within 10 minutes/);
    await unban(harness.store, MEMBER);
    await harness.bot.handle({ ...textEvent('/tip x:alice x:bob 1', 'event-2'), ...GUILD });
    const cancel = harness.chat.last('event-2')?.actions[1];
    await banUser();
    await press(cancel?.kind === 'button' ? cancel.id : '', 'press-2');
    expect(harness.chat.textOf('event-2')).toMatch(/^Cancelled/);
  });

  test('waits for its time, which begins with the press and not with the card', async () => {
    await set({ cooldownSeconds: 60 });
    const button = await card();
    expect((await say('/tip x:carol 1', 'event-2')).text).toMatch(/^Sent/);
    const refused = await press(button, 'press-1');
    expect(refused && plainText(refused)).toMatch(/your next one in/);
    harness.clock.pass(60_000);
    await press(button, 'press-2');
    // The same press again is the same press.
    await press(button, 'press-2');
    expect(harness.chat.textOf('event-1')).toMatch(/^Sent 2.00 USDC/);
    expect((await say('/tip x:carol 1', 'event-3')).text).toMatch(/your next one in/);
    expect(paid()).toBe(2);
  });

  test('is judged by the place that it was typed in, wherever it is pressed', async () => {
    const button = await card();
    await banUser();
    await harness.bot.press(pressEvent(button, 'press-1'));
    expect(harness.chat.textOf('press-1')).toMatch(/moderators here/);
  });
});

test('without a community there are no rules', async () => {
  await set({ hasNotes: false, tipMinMicroUsdc: microUsdc(5_000_000n).toString() });
  await banUser();
  expect((await say('/tip x:alice 1 hi', 'event-1', {})).text).toMatch(/^Sent/);
});
