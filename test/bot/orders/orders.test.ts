import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../../client/channel.ts';
import type { PaidPayment } from '../../../client/payments.ts';
import { isBoundNonce } from '../../../core/request-hash.ts';
import { plainText } from '../../../core/view.ts';
import {
  findOrderByEvent,
  findOrderByTxn,
  markPriced,
  markShown,
  markSigned,
  noteNews,
  openOrders,
} from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { pending, refused, REQUEST_HASH, startFakeApi, type Challenge, type FakeApi, type Step } from '../fake-api.ts';
import { createHarness, openTestStore, PINNED, START_MS, textEvent, usdc, type Harness } from '../harness.ts';

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

const orderOf = async (eventId = 'event-1') => (await findOrderByEvent(store, 'test', eventId))!;
const paidRequests = () => api.seen.filter((one) => one.header !== null);

async function tip(text = '/tip x:alice 1 for lunch', eventId = 'event-1'): Promise<void> {
  await harness.bot.handle(textEvent(text, eventId));
  await harness.bot.idle();
}

/** Never answers, as far as the test can see; ends with it. */
function untilClosed(): Promise<never> {
  const { signal } = harness.closing;
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('killed'))));
}

function replaceChannel({ deps }: Harness, change: Partial<Channel<PaidPayment>>): void {
  const { payments } = deps;
  deps.payments = { channel: (request) => ({ ...payments.channel(request), ...change }) };
}

/** Another process with the same database and chat, as after a kill. */
async function restart(): Promise<Harness> {
  const next = await createHarness({ apiUrl: api.url, store });
  for (const [id, views] of harness.chat.messages) next.chat.messages.set(id, views);
  return next;
}

describe('a tip', () => {
  test('asks for the price, signs once, repeats with the proof, and says so at each step', async () => {
    await tip();
    expect(harness.chat.history('event-1')).toEqual([
      'One moment…',
      'Asking for the price…',
      'Paying 1.00 USDC to @alice on X…',
      'Sent 1.00 USDC to @alice on X.',
    ]);
    expect(harness.chat.last('event-1')?.state).toBe('ok');
    expect(api.seen.map((one) => [one.path, one.header !== null])).toEqual([
      ['/payments/x/pay', false],
      ['/payments/x/pay', true],
    ]);
    expect(api.seen[1]?.body).toEqual({ receiver: 'alice', amount: '1', description: 'for lunch' });
    expect(api.seen[1]?.authorization).toMatchObject({ to: PINNED.payTo, value: '1000000', validAfter: 0 });
    expect(isBoundNonce(api.seen[1]?.authorization?.nonce ?? '', REQUEST_HASH)).toBe(true);
    expect(new Set(api.seen.map((one) => one.key))).toEqual(new Set([(await orderOf()).id]));
    // The worker finds it by the transaction id.
    const order = await findOrderByTxn(store, 4711);
    expect(order).toMatchObject({ status: 'answered', chatId: 'chat', receipt: expect.stringContaining('/receipts/') });
    expect(await openOrders(store, 10)).toEqual([]);
  });

  test('the header is in the row before it is sent', async () => {
    const stored: (string | null)[] = [];
    api.script((request) => (request.header ? { do: 'hang' } : { do: 'challenge' }));
    await harness.bot.handle(textEvent('/tip x:alice 1'));
    await expect.poll(() => paidRequests().length).toBe(1);
    stored.push((await orderOf()).header);
    expect(stored).toEqual([paidRequests()[0]?.header]);
  });

  test('the same event three times at once and once more later is one order, one signature, one payment, and changes nothing in the chat', async () => {
    const event = textEvent('/tip x:alice 1');
    await Promise.all([harness.bot.handle(event), harness.bot.handle(event), harness.bot.handle(event)]);
    await harness.bot.idle();
    const before = harness.chat.history('event-1')?.length;
    await harness.bot.handle(event);
    await harness.bot.idle();
    expect(harness.signed.length).toBe(1);
    expect(paidRequests().length).toBe(1);
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
    expect(harness.chat.history('event-1')?.length).toBe(before);
  });

  test('two processes that work on one order send one header between them', async () => {
    const other = await restart();
    const event = textEvent('/tip x:alice 1');
    await Promise.all([harness.bot.handle(event), other.bot.handle(event)]);
    await Promise.all([harness.bot.idle(), other.bot.idle()]);
    expect(api.headers().length).toBe(1);
    expect((await orderOf()).status).toBe('answered');
  });

  test('what was shown over a newer form of its message is shown over itself', async () => {
    await tip();
    const { id } = await orderOf();
    const { test: messenger } = harness.deps.messengers;
    if (messenger === undefined) throw new Error('the harness has a chat');
    const shown: (true | undefined)[] = [];
    const edit: typeof messenger.edit = async (chatId, messageId, view) => {
      shown.push(view.isNews);
      if (shown.length === 1) {
        // Another process shows what came meanwhile, before this edit lands.
        await noteNews(store, id);
        await markShown(store, await orderOf(), START_MS);
      }
      await messenger.edit(chatId, messageId, view);
    };
    harness.deps.messengers = { ...harness.deps.messengers, test: { ...messenger, edit } };
    await noteNews(store, id);
    await harness.bot.resume();
    await harness.bot.idle();
    expect(shown).toEqual([true, true]);
    expect(await orderOf()).toMatchObject({ newsCount: 3, shownAtMs: START_MS });
  });

  /** Another process takes the order up and shows how it ended. */
  const endElsewhere = async (other: Harness) => {
    await other.bot.resume();
    await other.bot.idle();
    expect(await orderOf()).toMatchObject({ status: 'answered', shownAtMs: expect.any(Number) });
  };

  test('a step that lands over an end that another process has shown is shown over', async () => {
    const other = await restart();
    const { test: messenger } = harness.deps.messengers;
    if (messenger === undefined) throw new Error('the harness has a chat');
    let isEnded = false;
    const edit: typeof messenger.edit = async (chatId, messageId, view) => {
      if (!isEnded && plainText(view).startsWith('Paying')) {
        isEnded = true;
        await endElsewhere(other);
      }
      await messenger.edit(chatId, messageId, view);
    };
    harness.deps.messengers = { ...harness.deps.messengers, test: { ...messenger, edit } };
    await tip('/tip x:alice 1');
    expect(isEnded).toBe(true);
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
    expect(await openOrders(store, 10)).toEqual([]);
  });

  test('who was stopped while it paid says no further step once another process has shown the end', async () => {
    const other = await restart();
    const { payments } = harness.deps;
    let tries = 0;
    harness.deps.payments = {
      channel: (request) => {
        const channel = payments.channel(request);
        const send: typeof channel.send = async (header) => {
          tries += 1;
          if (tries > 1) return channel.send(header);
          await endElsewhere(other);
          return { kind: 'pending', waitMs: null };
        };
        return { ...channel, send };
      },
    };
    await tip('/tip x:alice 1');
    expect(tries).toBe(2);
    expect(harness.chat.history('event-1')?.filter((text) => text.startsWith('Still'))).toEqual([]);
  });

  test('who was stopped before it refused a command says nothing over what another process has made of it', async () => {
    const other = await restart();
    const { test: messenger } = harness.deps.messengers;
    if (messenger === undefined) throw new Error('the harness has a chat');
    const said: string[] = [];
    const edit: typeof messenger.edit = async (chatId, messageId, view) => {
      said.push(plainText(view));
      if (said.length === 1) {
        await other.bot.handle(textEvent('/tip x:alice 1'));
        await other.bot.idle();
      }
      await messenger.edit(chatId, messageId, view);
    };
    harness.deps.messengers = { ...harness.deps.messengers, test: { ...messenger, edit } };
    Object.assign(harness.deps, { networks: [] });
    await tip('/tip x:alice 1');
    expect(said[0]).not.toContain('Sent');
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test('another event with the same words is another tip', async () => {
    await tip('/tip x:alice 1', 'event-1');
    await tip('/tip x:alice 1', 'event-2');
    expect(api.headers().length).toBe(2);
    expect(new Set(paidRequests().map((one) => one.authorization?.nonce)).size).toBe(2);
  });
});

describe('the price', () => {
  const OTHERS: [string, (challenge: Challenge) => void][] = [
    ['a higher price', (challenge) => (challenge.accepts[1].amount = '1000001')],
    ['a lower price', (challenge) => (challenge.accepts[1].amount = '999999')],
    ['another payee', (challenge) => (challenge.accepts[1].payTo = `0x${'cd'.repeat(20)}`)],
    ['another token', (challenge) => (challenge.accepts[1].asset = `0x${'cd'.repeat(20)}`)],
    ['another token name', (challenge) => (challenge.accepts[1].extra.name = 'USDC')],
    ['a price for no request', (challenge) => delete challenge.accepts[1].extra.requestHash],
    ['another scheme', (challenge) => (challenge.accepts[1].scheme = 'upto')],
  ];
  test('none is ever signed for but the one that is known', async () => {
    for (const [title, change] of OTHERS) {
      api.script(() => ({ do: 'challenge', change }));
      await tip('/tip x:alice 1', title);
      expect([title, harness.signed, api.headers()]).toEqual([title, [], []]);
      expect(harness.chat.textOf(title)).toContain('is not the one I know, so I didn’t pay. Nothing was charged.');
    }
  });

  test('a fee is paid when it is the announced one, and is shown', async () => {
    const pinned = { ...PINNED, feeBps: 150, feeFlat: usdc(0.01) };
    harness = await createHarness({ apiUrl: api.url, store, pinned });
    api.script((one) =>
      one.header
        ? { do: 'paid' }
        : { do: 'challenge', change: (challenge) => (challenge.accepts[1].amount = '1025000') },
    );
    await tip();
    expect(harness.signed[0]?.authorization.value).toBe(1_025_000n);
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X (plus 0.025 USDC fee).');
  });

  test('a cost that is charged late is shown, and the same tip again is confirmed and paid with it', async () => {
    harness = await createHarness({ apiUrl: api.url, store, pinned: { ...PINNED, costLine: usdc(0.01) } });
    api.script((one) => (one.header ? refused(402, 'fee_required') : { do: 'challenge' }));
    await tip('/tip x:alice 1', 'event-1');
    expect(harness.chat.textOf('event-1')).toBe(
      'More is being sent today than I can carry for free, so this tip now has a small fee for the network on top. ' +
        'Nothing was charged. Type it again to send it with the fee.',
    );
    const asked = (challenge: { accepts: { amount: string }[] }) => (challenge.accepts[1]!.amount = '1010000');
    api.script((one) => (one.header ? { do: 'paid' } : { do: 'challenge', change: asked }));
    await tip('/tip x:alice 1', 'event-2');
    expect(harness.signed.map(({ authorization }) => authorization.value)).toEqual([1_000_000n, 1_010_000n]);
    expect(harness.chat.textOf('event-2')).toBe('Sent 1.00 USDC to @alice on X (plus 0.01 USDC fee).');
  });

  const REASONS: [string, string][] = [
    ['receiver_not_found', 'I couldn’t find @alice on X. Check the spelling and try again. Nothing was charged.'],
    ['receiver_opted_out', '@alice on X doesn’t accept tips. Nothing was charged.'],
    ['platform_unavailable', 'Names like @alice on X can’t be paid from here yet. Nothing was charged.'],
    ['constructor', 'Your tip to @alice on X was refused (constructor). /balance shows what you have.'],
  ];
  test('a 400 ends the order with its reason', async () => {
    for (const [error, text] of REASONS) {
      api.script(() => refused(400, error));
      await tip('/tip x:alice 1', error);
      expect(harness.chat.textOf(error)).toBe(text);
      expect((await orderOf(error)).status).toBe('failed');
    }
  });

  const OUT: [string, (request: { header: string | null }) => Step][] = [
    ['no network is served', () => ({ do: 'answer', status: 503, json: { code: 503, error: 'network_unavailable' } })],
    ['the service is starting', () => ({ do: 'answer', status: 503, json: { code: 503, error: 'starting' } })],
    ['more waits than can land', () => ({ do: 'answer', status: 503, json: { code: 503, error: 'overloaded' } })],
    ['its own is not among those', () => ({ do: 'challenge', change: ({ accepts }) => accepts.pop() })],
  ];
  test.each(OUT)('while %s an order waits, and is paid when it is back', async (_, whileOut) => {
    api.script(whileOut);
    await tip();
    expect((await orderOf()).status).toBe('drafted');
    expect(harness.chat.textOf('event-1')).toContain('I keep trying, and I’ll say here how it ended.');
    await harness.bot.resume();
    expect([(await orderOf()).status, harness.signed]).toEqual(['drafted', []]);
    api.script((one) => ({ do: one.header ? 'paid' : 'challenge' }));
    await harness.bot.resume();
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
    expect(harness.signed).toHaveLength(1);
  });

  test('an order whose network stays out ends unpaid after a quarter of an hour', async () => {
    api.script(OUT[3]![1]);
    await tip();
    harness.clock.pass(15 * 60_000);
    await harness.bot.resume();
    expect([(await orderOf()).status, (await orderOf()).failure, harness.signed]).toEqual([
      'failed',
      'took_too_long',
      [],
    ]);
  });

  test('a paused service is reported at once; an unreachable one after a few tries', async () => {
    api.script(() => ({ do: 'answer', status: 500, json: { code: 500, error: 'service_paused' } }));
    await tip('/tip x:alice 1', 'event-1');
    expect(api.seen.length).toBe(1);
    expect(harness.chat.textOf('event-1')).toContain('Payments are paused for a moment. Nothing was charged.');
    api.script(() => ({ do: 'drop' }));
    await tip('/tip x:alice 1', 'event-2');
    expect(api.seen.length).toBe(1 + 6);
    expect(harness.chat.textOf('event-2')).toContain('I can’t reach the payment service right now.');
    expect(harness.signed).toEqual([]);
  });
});

describe('the fate of a sent header', () => {
  test('a lost reply, a 429, a 500 and an unreadable 200 are followed by the same header', async () => {
    api.script((one, paid) => {
      if (!one.header) return { do: 'challenge' };
      if (paid === 0) return { do: 'drop' };
      if (paid === 1) return { do: 'answer', status: 429, json: { error: 'rate_limited' } };
      if (paid === 2) return { do: 'answer', status: 500, json: null };
      return paid === 3 ? { do: 'answer', status: 200, json: { code: 200, data: {} } } : { do: 'paid' };
    });
    await tip();
    expect(paidRequests().length).toBe(5);
    expect(api.headers().length).toBe(1);
    expect(harness.signed.length).toBe(1);
    expect(harness.chat.history('event-1')).toContain(
      'Still paying 1.00 USDC to @alice on X. It can’t be charged twice.',
    );
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test('a slow answer is cut off and asked for again', async () => {
    harness = await createHarness({ apiUrl: api.url, store, timeLimitMs: 1_500 });
    api.script((one, paid) => (one.header ? { do: paid === 0 ? 'hang' : 'paid' } : { do: 'challenge' }));
    await tip();
    expect(paidRequests().length).toBe(2);
    expect(api.headers().length).toBe(1);
    expect((await orderOf()).status).toBe('answered');
  });

  test('a settlement that stays pending is waited for as long as Retry-After asks, three minutes in all', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await tip();
    expect(harness.clock.now() - START_MS).toBe(178_000);
    expect(paidRequests().length).toBe(90);
    expect(api.headers().length).toBe(1);
    expect((await orderOf()).status).toBe('signed');
    expect(harness.chat.textOf('event-1')).toContain('It can’t be charged twice.');
    api.script(() => ({ do: 'paid' }));
    await harness.bot.resume();
    expect(api.headers().length).toBe(1);
    expect(harness.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test('a refusal within the header’s time is final: nothing else is ever signed', async () => {
    api.script((one) => (one.header ? refused(402, 'invalid_transaction_state') : { do: 'challenge' }));
    await tip();
    await harness.bot.resume();
    expect(harness.signed.length).toBe(1);
    expect(await orderOf()).toMatchObject({ status: 'failed', failure: 'invalid_transaction_state' });
    expect(harness.chat.textOf('event-1')).toContain('was refused');
  });

  test('not enough money says how much is missing and offers more in local mode', async () => {
    harness = await createHarness({ apiUrl: api.url, store, balance: usdc(0.4), faucet: true });
    api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await tip();
    expect(harness.chat.textOf('event-1')).toBe(
      'You need 1.00 USDC and have 0.40, so 0.60 USDC is missing. Nothing was charged.',
    );
    const view = harness.chat.last('event-1')!;
    expect(view).toMatchObject({ state: 'error', audience: 'person', actions: [{ kind: 'button' }] });
  });

  test('not enough money points to /deposit elsewhere', async () => {
    harness = await createHarness({ apiUrl: api.url, store, balance: usdc(0.4) });
    api.script((one) => (one.header ? refused(402, 'insufficient_funds') : { do: 'challenge' }));
    await tip();
    expect(harness.chat.last('event-1')?.actions).toEqual([{ kind: 'command', command: '/deposit' }]);
  });

  test('a header whose time is over and that the API refuses is replaced once for a fresh order', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await tip();
    harness.clock.pass(120_000);
    api.script((one) => {
      if (!one.header) return { do: 'challenge' };
      const isOld = one.header === api.headers()[0];
      return isOld ? refused(402, 'invalid_exact_evm_payload_authorization_valid_before') : { do: 'paid' };
    });
    await harness.bot.resume();
    expect(api.headers().length).toBe(2);
    expect(harness.signed.length).toBe(2);
    expect((await orderOf()).status).toBe('answered');
  });

  test('a header that the API sees as over waits until that is certain here, and only then is replaced', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await tip();
    const expired = refused(402, 'invalid_exact_evm_payload_authorization_valid_before');
    harness.clock.pass(70_000);
    api.script((one) => (one.header ? expired : { do: 'challenge' }));
    await harness.bot.resume();
    expect((await orderOf()).status).toBe('signed');
    expect(harness.signed.length).toBe(1);
    harness.clock.pass(25_000);
    api.script((one) => {
      if (!one.header) return { do: 'challenge' };
      return one.header === api.headers()[0] ? expired : { do: 'paid' };
    });
    await harness.bot.resume();
    expect(harness.signed.length).toBe(2);
    expect((await orderOf()).status).toBe('answered');
  });

  test('an order that was left for a quarter of an hour is dropped instead of renewed', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await tip();
    harness.clock.pass(15 * 60_000);
    const expired = refused(402, 'invalid_exact_evm_payload_authorization_valid_before');
    api.script((one) => (one.header ? expired : { do: 'challenge' }));
    await harness.bot.resume();
    expect(harness.signed.length).toBe(1);
    expect(harness.chat.textOf('event-1')).toContain('so I dropped it. Nothing was charged.');
  });

  test('a refusal for another reason is never followed by a new header, however late it comes', async () => {
    api.script((one) => (one.header ? pending : { do: 'challenge' }));
    await tip();
    harness.clock.pass(120_000);
    api.script((one) => (one.header ? refused(402, 'invalid_transaction_state') : { do: 'challenge' }));
    await harness.bot.resume();
    expect(harness.signed.length).toBe(1);
    expect(await orderOf()).toMatchObject({ status: 'failed', failure: 'invalid_transaction_state' });
  });

  test('a guard that refuses to sign ends the order, and the reason stays in the log', async () => {
    harness.deps.signer.signEvm = () => Promise.reject(new Error('the signer refuses: secret detail'));
    await tip();
    expect(harness.logged).toContain('not signed');
    expect(harness.chat.textOf('event-1')).toBe(
      'Something went wrong on my side, so I didn’t pay. Nothing was charged.',
    );
    expect(api.headers()).toEqual([]);
  });
});

describe('after a crash', () => {
  /** Stops the first process at the point where `when` says so, for good. */
  function dieAt(when: 'drafted' | 'priced' | 'signed'): void {
    const never = untilClosed();
    if (when === 'drafted') replaceChannel(harness, { askPrice: () => never });
    if (when === 'priced') harness.deps.signer.signEvm = () => never;
    if (when === 'signed') replaceChannel(harness, { send: () => never });
  }

  test.each(['drafted', 'priced', 'signed'] as const)(
    'an order left %s is finished with one payment',
    async (state) => {
      dieAt(state);
      await harness.bot.handle(textEvent('/tip x:alice 1'));
      await expect.poll(async () => (await orderOf()).status).toBe(state);
      const before = await orderOf();
      const next = await restart();
      await next.bot.resume();
      expect(api.headers().length).toBe(1);
      expect(paidRequests().length).toBe(1);
      if (state === 'signed') expect(api.headers()).toEqual([before.header]);
      expect(next.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
      expect((await orderOf()).status).toBe('answered');
    },
  );

  test('a tip that nobody signed for is not paid hours later', async () => {
    dieAt('drafted');
    await harness.bot.handle(textEvent('/tip x:alice 1'));
    await expect.poll(async () => (await orderOf()).status).toBe('drafted');
    const next = await restart();
    next.clock.pass(3 * 60 * 60_000);
    await next.bot.resume();
    expect(next.signed).toEqual([]);
    expect(api.seen).toEqual([]);
    expect(next.chat.textOf('event-1')).toContain('so I dropped it. Nothing was charged.');
  });

  test('an order that was paid while its answer was lost sends the same header and gets the same answer', async () => {
    api.script((one, paid) => (one.header ? { do: paid === 0 ? 'hang' : 'paid' } : { do: 'challenge' }));
    await harness.bot.handle(textEvent('/tip x:alice 1'));
    await expect.poll(() => paidRequests().length).toBe(1);
    harness.closing.abort();
    await harness.bot.idle();
    expect((await orderOf()).status).toBe('signed');
    const next = await restart();
    await next.bot.resume();
    expect(api.headers().length).toBe(1);
    expect(next.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
  });

  test('an answer that nobody was shown is shown by the next start, without a request', async () => {
    const edit = harness.chat.messenger.edit;
    harness.chat.messenger.edit = async (chatId, messageId, view) => {
      if (view.state === 'ok') throw new Error('the chat is away');
      await edit(chatId, messageId, view);
    };
    await tip();
    expect((await orderOf()).status).toBe('answered');
    const requests = api.seen.length;
    const next = await restart();
    await next.bot.resume();
    expect(next.chat.textOf('event-1')).toBe('Sent 1.00 USDC to @alice on X.');
    expect(api.seen.length).toBe(requests);
    expect(await openOrders(store, 10)).toEqual([]);
  });
});

describe('the moves of an order', () => {
  test('a second signature for one order is not stored', async () => {
    replaceChannel(harness, { askPrice: () => untilClosed() });
    await harness.bot.handle(textEvent('/tip x:alice 1'));
    const { id } = await orderOf();
    expect(await markSigned(store, id, 'early', { validBefore: 1 })).toBe(false);
    expect(await markPriced(store, id, 1_000_000n)).toBe('priced');
    expect(
      await Promise.all(['one', 'two'].map((header) => markSigned(store, id, header, { validBefore: 1 }))),
    ).toEqual([true, false]);
    expect((await orderOf()).header).toBe('one');
    expect(await markPriced(store, id, 2_000_000n)).toBe('elsewhere');
  });
});
