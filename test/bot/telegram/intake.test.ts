import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import { plainText, type View } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Origin } from '../../../bot/shared/messenger.ts';
import { textsEn } from '../../../texts/en.ts';
import { workingView } from '../../../bot/conversation/views.ts';
import { dropUpdate, takeUpdate, type IntakeDeps } from '../../../bot/telegram/intake.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { createPersonRate } from '../../../bot/inbox/person-rate.ts';
import { createNames } from '../../../bot/telegram/people.ts';
import type { KnownUpdate } from '../../../bot/telegram/update.ts';
import { createTelegramMessenger } from '../../../bot/telegram/messenger.ts';
import { createOutbox } from '../../../bot/outbox/outbox.ts';
import { NO_PACE } from '../../../bot/outbox/pace.ts';
import { UNKNOWN } from '../../../bot/outbox/turn.ts';
import { findMessage } from '../../../db/chats/bot-messages.ts';
import { createOrder } from '../../../db/tips/orders.ts';
import { openTestStore } from '../harness.ts';

const SOON = { timeout: 60_000, interval: 10 };

const NOW_MS = Date.UTC(2026, 10, 20);

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const alice = { id: 5, is_bot: false, first_name: 'Alice' };
const said: KnownUpdate = {
  update_id: 1,
  message: {
    message_id: 3,
    date: NOW_MS / 1_000,
    chat: { id: 5, type: 'private' },
    from: alice,
    text: '/tip x:jack 1',
  },
};

test('the first word waits for nothing that is looked up, and is the one that the core says', async () => {
  const opened: { origin: Origin; view: View }[] = [];
  const handled: string[] = [];
  let find = (_address: string) => {};
  const address = new Promise<string>((resolve) => (find = resolve));
  const taken = takeUpdate(
    {
      store,
      bot: { handle: async ({ walletId }) => void handled.push(walletId), press: async () => {} },
      outbox: { open: async () => ({ isNew: true }), answerFirst: async () => {} },
      messenger: {
        open: async (origin, view) => {
          opened.push({ origin, view });
          return 'answer';
        },
      },
      names: createNames(),
      ids: createIds((count) => new Uint8Array(count).fill(7)),
      addressOf: () => address,
      isModerator: async () => undefined,
      menus: { note: () => {} },
      self: () => ({ id: 9, username: 'penny_bot' }),
      rate: createPersonRate(
        createRateLimits(() => NOW_MS),
        'telegram',
      ),
      nowMs: () => NOW_MS,
    },
    said,
    false,
  );
  await vi.waitFor(() => expect(opened).toHaveLength(1), SOON);
  expect(opened[0]?.origin).toMatchObject({ eventId: '5:3', chatId: '5', text: '/tip x:jack 1' });
  expect(plainText(opened[0]?.view ?? workingView())).toBe(plainText(workingView(textsEn.thinking())));
  expect(handled).toEqual([]);
  find('0x5');
  await taken;
  expect(handled).toEqual(['telegram:5']);
});

/** The bot with an outbox of its own, for a person who may say one thing in a minute. */
function createPlace(core: (text: string) => Promise<void>) {
  const at = { ms: NOW_MS };
  const nowMs = () => at.ms;
  const limits = createRateLimits(nowMs);
  const outbox = createOutbox({
    chat: 'telegram',
    store,
    pace: NO_PACE,
    show: async () => UNKNOWN,
    laneOf: ({ chatId }) => chatId,
    isShared: () => false,
    lifetimeOf: async () => null,
    nowMs,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    isMine: () => false,
  });
  const deps: IntakeDeps = {
    store,
    bot: { handle: async ({ text }) => core(text), press: async () => {} },
    outbox,
    messenger: createTelegramMessenger(outbox, () => {}, { idFor: async () => null, isMerged: async () => false }),
    names: createNames(),
    ids: createIds((count) => new Uint8Array(count).fill(7)),
    addressOf: () => '0x5',
    isModerator: async () => undefined,
    menus: { note: () => {} },
    self: () => ({ id: 9, username: 'penny_bot' }),
    rate: createPersonRate({ perMinute: (name) => limits.perMinute(name, 1) }, 'telegram'),
    nowMs,
  };
  const shown = async () => {
    const view = (await findMessage(store, { transport: 'telegram', key: 'answer:5:3' }))?.view;
    return view ? plainText(view) : null;
  };
  return { deps, outbox, shown, later: () => void (at.ms += 16 * 60_000) };
}

const killed = async () => Promise.reject(new Error('killed'));
const THINKING = plainText(workingView(textsEn.thinking()));
const NOTHING_PAID = plainText(workingView(textsEn.somethingWrong()));

test.each([
  ['taken up again too late', (deps: IntakeDeps) => takeUpdate(deps, said, true)],
  ['given up', (deps: IntakeDeps) => dropUpdate(deps, said)],
])('a command that was killed under its first word and is %s is told to have paid nothing', async (_, end) => {
  const { deps, shown, later } = createPlace(killed);
  await expect(takeUpdate(deps, said, false)).rejects.toThrow('killed');
  expect(await shown()).toBe(THINKING);
  later();
  await end(deps);
  expect(await shown()).toBe(NOTHING_PAID);
});

test('what is answered already is not called back', async () => {
  const { deps, outbox, shown, later } = createPlace(killed);
  await expect(takeUpdate(deps, said, false)).rejects.toThrow('killed');
  later();
  await outbox.edit('answer:5:3', workingView([{ text: 'Your balance' }]));
  await takeUpdate(deps, said, true);
  expect(await shown()).toBe('Your balance');
});

test('what has become an order is not called back', async () => {
  const { deps, shown, later } = createPlace(async () => {
    await createOrder(store, {
      id: 'order-1',
      transport: 'telegram',
      eventId: '5:3',
      chatId: '5',
      messageId: 'answer:5:3',
      userId: 'telegram:5',
      walletId: 'telegram:5',
      walletName: null,
      language: null,
      network: 'base',
      payerAddress: '0x5',
      route: '/payments/x/pay',
      body: { receiver: 'jack', amount: '1' },
      recipient: 'x:jack',
      amountMicroUsdc: 1_000_000n,
      createdAtMs: NOW_MS,
    });
  });
  await takeUpdate(deps, said, false);
  later();
  for (const end of [takeUpdate(deps, said, true), dropUpdate(deps, said)]) await end;
  expect(await shown()).toBe(THINKING);
});

test('an event taken up again is not counted against its person', async () => {
  const heard: string[] = [];
  const { deps } = createPlace(async (text) => void heard.push(text));
  await takeUpdate(deps, said, false);
  await takeUpdate(deps, said, true);
  await takeUpdate(deps, said, false);
  expect(heard).toHaveLength(2);
});
