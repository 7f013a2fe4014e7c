import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatUsdc, microUsdc, parseDecimalUsdc, type MicroUsdc } from '../../../core/money.ts';
import { plainText } from '../../../core/view.ts';
import { pressButton } from '../../../db/chats/buttons.ts';
import { findOrderByEvent, openOrders } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { refused, startFakeApi, type Challenge, type FakeApi } from '../fake-api.ts';
import { createHarness, openTestStore, PINNED, pressEvent, textEvent, usdc, type Harness } from '../harness.ts';

const MINUTE = 60_000;

let api: FakeApi;
let store: Store;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  store = await openTestStore();
  harness = await createHarness({ apiUrl: api.url, store });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await store.close();
});

async function say(text: string, eventId = 'event-1'): Promise<string | undefined> {
  await harness.bot.handle(textEvent(text, eventId));
  await harness.bot.idle();
  return harness.chat.textOf(eventId);
}

/** The id of a button of this message; of the newest card where it was shown again. */
function buttonOf(kind: 'confirm' | 'cancel', eventId = 'event-1'): string {
  const buttons = harness.chat.last(eventId)?.actions.flatMap((action) => (action.kind === 'button' ? [action] : []));
  const id = buttons?.[kind === 'confirm' ? 0 : 1]?.id;
  if (id === undefined) throw new Error(`there is no button to ${kind}`);
  return id;
}

async function press(buttonId: string, eventId = 'press-1', userId?: string): Promise<void> {
  await harness.bot.press(pressEvent(buttonId, eventId, userId));
  await harness.bot.idle();
}

const orderOf = async (eventId = 'event-1') => (await findOrderByEvent(store, 'test', eventId))!;
const paidRequests = () => api.seen.filter((one) => one.header !== null);
const commandsOf = (eventId = 'event-1') =>
  harness.chat.last(eventId)?.actions.map((action) => (action.kind === 'command' ? action.command : action.kind));

describe('a tip for several people', () => {
  test('shows who gets what and the total, to the payer alone, before anything happens', async () => {
    const text = await say('/tip @x:alice @github:bob carol@example.com 1 each for lunch');
    expect(text).toBe(
      [
        'Send 3.00 USDC in all to 3 people?',
        'With the note for lunch',
        '@alice on X: 1.00 USDC',
        'bob on GitHub: 1.00 USDC',
        'carol@example.com: 1.00 USDC',
        'Nothing is sent before you confirm, within 10 minutes.',
      ].join('\n'),
    );
    expect(harness.chat.last('event-1')).toMatchObject({
      audience: 'person',
      actions: [
        { kind: 'button', label: 'Send 3.00 USDC' },
        { kind: 'button', label: 'Cancel' },
      ],
    });
    expect(api.seen).toEqual([]);
    await harness.bot.resume();
    expect(api.seen).toEqual([]);
  });

  test('is one payment over the batch route, told in the place of its card', async () => {
    await say('/tip @x:alice @github:bob 1 each for lunch');
    const card = harness.chat.textOf('event-1');
    await press(buttonOf('confirm'));
    expect(api.seen.map((one) => [one.path, one.header !== null])).toEqual([
      ['/payments/batch-pay', false],
      ['/payments/batch-pay', true],
    ]);
    expect(api.seen[1]?.body).toEqual({
      receivers: [
        { platform: 'x', receiver: 'alice', amount: '1' },
        { platform: 'code', receiver: 'bob', amount: '1' },
      ],
      description: 'for lunch',
    });
    expect(api.seen[1]?.authorization).toMatchObject({ to: PINNED.payTo, value: '2000000' });
    expect(harness.chat.history('event-1')).toEqual([
      'One moment…',
      card,
      'Asking for the price…',
      'Paying 2.00 USDC to 2 people…',
      'Sent 2.00 USDC to 2 people.\nOn its way: @alice on X\nWaiting to be collected: bob on GitHub',
    ]);
    expect(harness.chat.messages.has('chat/press-1')).toBe(false);
    const receipt = (index: number) => `http://api.test/receipts/${'r'.repeat(20)}0${index}`;
    expect(harness.chat.last('event-1')?.actions).toEqual([
      { kind: 'link', label: '@alice on X', url: receipt(0) },
      { kind: 'link', label: 'bob on GitHub', url: receipt(1) },
    ]);
  });

  test('on one network takes that network’s route', async () => {
    await say('/tip x:alice x:bob 2');
    await press(buttonOf('confirm'));
    expect(api.seen[0]).toMatchObject({
      path: '/payments/x/batch-pay',
      body: {
        receivers: [
          { receiver: 'alice', amount: '2' },
          { receiver: 'bob', amount: '2' },
        ],
      },
    });
  });

  test('that is split gives what does not divide to the first, shows it, and keeps the sum', async () => {
    expect(await say('/tip x:a x:b x:c 1 split')).toContain(
      '@a on X: 0.333334 USDC\n@b on X: 0.333333 USDC\n@c on X: 0.333333 USDC\n' +
        'It does not divide evenly, so the first get 0.000001 USDC more.',
    );
    await press(buttonOf('confirm'));
    const amounts = api.seen[1]?.body.receivers?.map(({ amount }) => parseDecimalUsdc(amount)) ?? [];
    expect(amounts.reduce((sum: bigint, amount) => sum + (amount ?? 0n), 0n)).toBe(1_000_000n);
    expect(api.seen[1]?.authorization?.value).toBe('1000000');
  });

  test('costs the fee of the sum, once, and says so before', async () => {
    const pinned = { ...PINNED, feeBps: 150, feeFlat: usdc(0.01) };
    harness = await createHarness({ apiUrl: api.url, store, pinned });
    const change = (challenge: Challenge) => void (challenge.accepts[1].amount = '2040000');
    api.script((one) => (one.header ? { do: 'paid' } : { do: 'challenge', change }));
    expect(await say('/tip x:alice x:bob 1')).toContain('With a fee of 0.04 USDC that is 2.04 USDC.');
    expect(harness.chat.last('event-1')?.actions[0]).toMatchObject({ label: 'Send 2.04 USDC' });
    await press(buttonOf('confirm'));
    expect(harness.signed[0]?.authorization.value).toBe(2_040_000n);
    expect(harness.chat.textOf('event-1')).toContain('Sent 2.00 USDC to 2 people (plus 0.04 USDC fee).');
  });

  test('counts a person once who is named twice, in whatever form, and says so', async () => {
    const text = await say('/tip x:alice https://x.com/Alice x:bob 1');
    expect(text).toContain('Send 2.00 USDC in all to 2 people?');
    expect(text).toContain('Named more than once, counted once: @alice on X.');
    await press(buttonOf('confirm'));
    expect(api.seen[1]?.body.receivers?.length).toBe(2);
  });

  test('that names one person twice is still shown first', async () => {
    expect(await say('/tip x:alice x:alice 3')).toContain('Send 3.00 USDC in all to 1 person?');
    await press(buttonOf('confirm'));
    expect(api.seen[1]?.body.receivers).toEqual([{ receiver: 'alice', amount: '3' }]);
  });

  test('for a hundred people is one payment and fits one message', async () => {
    harness = await createHarness({ apiUrl: api.url, store, balance: usdc(200) });
    const names = Array.from({ length: 100 }, (_, index) => `person${index}@example-of-a-long-domain.com`);
    const text = await say(`/tip ${names.join(' ')} 0.01`);
    expect(text).toMatch(/0\.01 USDC each: person0@.* and \d+ more/);
    expect(text?.length).toBeLessThan(2_000);
    await press(buttonOf('confirm'));
    expect(api.seen[1]?.body.receivers?.length).toBe(100);
    expect(harness.chat.textOf('event-1')?.length).toBeLessThan(2_000);
    expect(commandsOf()).toEqual([...Array.from({ length: 10 }, () => 'link'), '/history']);
  });

  test('for a hundred and one is refused with an example', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `x:p${index}`);
    expect(await say(`/tip ${names.join(' ')} 1`)).toBe('That is more than 100 people at once.');
    expect(commandsOf()).toEqual(['/tip x:alice x:bob 1']);
  });

  test('masks e-mail addresses where a community reads along, and still pays the whole address', async () => {
    const event = { ...textEvent('/tip x:alice carol@example.com 1'), communityId: 'guild-1' };
    await harness.bot.handle(event);
    expect(harness.chat.textOf('event-1')).not.toContain('carol@');
    await press(buttonOf('confirm'));
    expect(api.seen[1]?.body.receivers?.[1]?.receiver).toBe('carol@example.com');
    expect(harness.chat.history('event-1')?.join()).not.toContain('carol@');
  });
});

describe('all and half', () => {
  test('for each of several is asked back, with a command that shares it out', async () => {
    expect(await say('/tip x:alice x:bob all')).toBe('That can only go to one person. Do you want to share it out?');
    expect(commandsOf()).toEqual(['/tip x:alice x:bob all split']);
  });

  test('is shared out to the last micro-USDC', async () => {
    harness = await createHarness({ apiUrl: api.url, store, balance: usdc(5.000001) });
    expect(await say('/tip x:alice x:bob all split')).toContain('@alice on X: 2.500001 USDC\n@bob on X: 2.50 USDC');
  });

  test.each<[MicroUsdc, string, string[]]>([
    [usdc(0), 'There is nothing to send yet.', ['/deposit']],
    [usdc(0.015), 'That is too little', ['/tip x:alice x:bob 0.02 split']],
    [usdc(50), 'That is too much at once', ['/tip x:alice x:bob 20 split']],
  ])('of %s micro-USDC is refused with a reason', async (balance, reason, examples) => {
    harness = await createHarness({ apiUrl: api.url, store, balance });
    expect(await say('/tip x:alice x:bob all split')).toContain(reason);
    expect(commandsOf()).toEqual(examples);
    expect(await findOrderByEvent(store, 'test', 'event-1')).toBeNull();
  });
});

describe('the card', () => {
  test('is one for one event, however often that is delivered', async () => {
    const event = textEvent('/tip x:alice x:bob 1');
    await Promise.all([harness.bot.handle(event), harness.bot.handle(event), harness.bot.handle(event)]);
    const id = (await orderOf()).id;
    await press(buttonOf('confirm'));
    await harness.bot.handle(event);
    await harness.bot.idle();
    expect((await orderOf()).id).toBe(id);
    expect(harness.chat.textOf('event-1')).toContain('Sent 2.00 USDC to 2 people.');
    expect(api.headers().length).toBe(1);
  });

  test('pressed twice at once, delivered three times, and once more at the end pays once', async () => {
    await say('/tip x:alice x:bob 1');
    const id = buttonOf('confirm');
    const same = pressEvent(id, 'press-1');
    await Promise.all([same, same, same, pressEvent(id, 'press-2')].map((event) => harness.bot.press(event)));
    await harness.bot.idle();
    await press(id, 'press-3');
    expect(paidRequests().length).toBe(1);
    expect(harness.signed.length).toBe(1);
    expect(harness.chat.textOf('event-1')).toContain('Sent 2.00 USDC to 2 people.');
  });

  test('can be pressed again when a crash swallowed the press', async () => {
    await say('/tip x:alice x:bob 1');
    const id = buttonOf('confirm');
    const { closing, bot } = harness;
    await pressButton(store, pressEvent(id, 'press-1'));
    closing.abort();
    await bot.idle();
    const views = harness.chat.messages;
    harness = await createHarness({ apiUrl: api.url, store });
    for (const [key, shown] of views) harness.chat.messages.set(key, shown);
    await press(id, 'press-2');
    expect((await orderOf()).status).toBe('answered');
  });

  test('that was confirmed right before a crash is paid by the next process', async () => {
    await say('/tip x:alice x:bob 1');
    api.script(() => ({ do: 'hang' }));
    await harness.bot.press(pressEvent(buttonOf('confirm'), 'press-1'));
    harness.closing.abort();
    await harness.bot.idle();
    expect((await orderOf()).status).toBe('drafted');
    api.script((one) => ({ do: one.header ? 'paid' : 'challenge' }));
    harness = await createHarness({ apiUrl: api.url, store });
    await harness.bot.resume();
    expect((await orderOf()).status).toBe('answered');
  });

  test('is cancelled for good', async () => {
    await say('/tip x:alice x:bob 1');
    const [confirm, cancel] = [buttonOf('confirm'), buttonOf('cancel')];
    await press(cancel);
    expect(harness.chat.textOf('event-1')).toBe('Cancelled. Nothing was charged.');
    expect(harness.chat.last('event-1')?.actions).toEqual([]);
    await press(confirm, 'press-2');
    expect(api.seen).toEqual([]);
    expect(await openOrders(store, 10)).toEqual([]);
  });

  test('cancelled too late changes nothing', async () => {
    await say('/tip x:alice x:bob 1');
    const cancel = buttonOf('cancel');
    await press(buttonOf('confirm'));
    await press(cancel, 'press-2');
    expect((await orderOf()).status).toBe('answered');
    expect(harness.chat.textOf('event-1')).toContain('Sent 2.00 USDC to 2 people.');
  });

  test('works for its payer alone: a stranger gets a short answer', async () => {
    await say('/tip x:alice x:bob 1');
    await press(buttonOf('confirm'), 'press-1', 'chat:mallory');
    await press(buttonOf('cancel'), 'press-2', 'chat:mallory');
    expect((await orderOf()).status).toBe('proposed');
    const [view, ...more] = harness.chat.messages.get('chat/press-1') ?? [];
    expect(more).toEqual([]);
    expect(view && plainText(view)).toContain('Only whoever asked for this can press it.');
    expect(view).toMatchObject({ audience: 'person', actions: [{ kind: 'command', command: '/tip @x:alice 1' }] });
    expect(api.seen).toEqual([]);
  });

  test('is over after ten minutes, no matter who notices first, and gives the command again', async () => {
    for (const [eventId, end] of [
      ['event-1', () => press(buttonOf('confirm', 'event-1'), 'press-1')],
      ['event-2', () => harness.bot.resume()],
    ] as const) {
      await say('/tip x:alice github:bob 1.5 each thank you', eventId);
      harness.clock.pass(10 * MINUTE);
      await end();
      expect(harness.chat.textOf(eventId)).toContain('You did not confirm within 10 minutes, so nothing was sent.');
      expect(commandsOf(eventId)).toEqual(['/tip x:alice github:bob 1.5 each thank you']);
    }
    expect(api.seen).toEqual([]);
  });

  test('confirmed in its last second has its full time to be paid', async () => {
    await say('/tip x:alice x:bob 1');
    harness.clock.pass(10 * MINUTE - 1_000);
    await harness.bot.press(pressEvent(buttonOf('confirm'), 'press-1'));
    harness.clock.pass(6 * MINUTE);
    await harness.bot.idle();
    expect((await orderOf()).status).toBe('answered');
  });

  test('a crowd of open cards keeps no order from being taken up', async () => {
    await say('/tip x:alice x:bob 1', 'card');
    api.script(() => ({ do: 'hang' }));
    await harness.bot.handle(textEvent('/tip x:alice 1', 'event-1'));
    expect((await openOrders(store, 1)).map(({ eventId }) => eventId)).toEqual(['event-1']);
  });
});

describe('what goes wrong', () => {
  test('a name that does not exist is told by itself, with a command for the others', async () => {
    const json = { code: 400, msg: 'no', error: 'receiver_not_found', field: 'receivers[1].receiver' };
    api.script((one) => (one.header ? { do: 'answer', status: 400, json } : { do: 'challenge' }));
    await say('/tip x:alice github:nobody x:carol 2 split thanks');
    await press(buttonOf('confirm'));
    expect(harness.chat.textOf('event-1')).toBe(
      'I couldn’t find nobody on GitHub. Check the spelling and try again. Nothing was charged.\nSo nobody was paid. Without that name:',
    );
    expect(commandsOf()).toEqual([`/tip x:alice x:carol ${formatUsdc(microUsdc(1_333_333n))} split thanks`]);
    expect(await orderOf()).toMatchObject({ status: 'failed', failedLine: 1 });
  });

  test('not enough money says how much is missing for all of them', async () => {
    harness = await createHarness({ apiUrl: api.url, store, balance: usdc(2.5) });
    api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await say('/tip x:alice x:bob x:carol 1');
    await press(buttonOf('confirm'));
    expect(harness.chat.textOf('event-1')).toContain('You need 3.00 USDC and have 2.50, so 0.50 USDC is missing.');
    expect(commandsOf()).toEqual(['/deposit']);
  });

  test('an answer that names fewer people than were paid leaves the fate open', async () => {
    const data = [{ txn_id: 1, receipt: 'http://api.test/receipts/a', status: 'paid' }];
    const short = { do: 'answer', status: 200, json: { code: 200, data } } as const;
    api.script((one, paid) => (one.header ? (paid === 0 ? short : { do: 'paid' }) : { do: 'challenge' }));
    await say('/tip x:alice x:bob 1');
    await press(buttonOf('confirm'));
    expect(api.headers().length).toBe(1);
    expect((await orderOf()).results?.length).toBe(2);
  });
});
