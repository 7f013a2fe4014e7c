import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOutbox, type OutboxDeps } from '../../../bot/outbox/outbox.ts';
import { NO_PACE } from '../../../bot/outbox/pace.ts';
import { AGAIN, hashOf, shown, UNKNOWN, type Turn } from '../../../bot/outbox/turn.ts';
import { publicView, workingView } from '../../../bot/conversation/views.ts';
import { CHATS } from '../../../core/chats/chats.ts';
import { plainText, type View } from '../../../core/view.ts';
import { findMessage } from '../../../db/chats/bot-messages.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../harness.ts';

const { lateMs, stepLastsMs } = CHATS.discord.outbox;
const STEP_MS = stepLastsMs.shared;
const SOON = { timeout: 30_000, interval: 5 };

const step = (text: string) => workingView([{ text }]);
const end = (text: string) => publicView('ok', [[{ text }]]);

let store: Store;
let close: () => Promise<void>;
beforeEach(async () => void (store = await openTestStore()));
afterEach(async () => {
  await close();
  await store.close();
});

type Stage = Pick<Partial<OutboxDeps>, 'isMine' | 'onLost' | 'laneOf'>;

/** One message, a clock that stands until it is told, and attempts that end when the test says how. */
function stage({ isMine = () => true, onLost, laneOf = ({ key }) => key }: Stage = {}) {
  let nowMs = 1_000_000;
  const attempts: { text: string; end: (turn: Turn) => void }[] = [];
  const log = () => undefined;
  const outbox = createOutbox({
    chat: 'discord',
    store,
    pace: NO_PACE,
    // What certainly stands there is not sent again, as on Telegram.
    show: async ({ view, shownHash }) =>
      shownHash === hashOf(view)
        ? shown()
        : new Promise((resolve) => void attempts.push({ text: plainText(view), end: resolve })),
    laneOf,
    isShared: () => true,
    lifetimeOf: async () => null,
    claimDays: 60,
    nowMs: () => nowMs,
    log: { info: log, warn: log, error: log },
    isMine,
    onLost,
  });
  close = outbox.close;
  const message = { chatId: '7', eventId: '1', userId: 'discord:4', language: null };
  const texts = () => attempts.map(({ text }) => text);
  return {
    outbox,
    texts,
    edit: (view: View) => outbox.edit('one', view, message),
    last: (turn: Turn) => attempts.at(-1)?.end(turn),
    pass: async (ms: number) => {
      nowMs += ms;
      await outbox.look();
    },
    isShown: () =>
      expect
        .poll(async () => (await findMessage(store, { transport: 'discord', key: 'one' }))?.pendingSinceMs, SOON)
        .toBeNull(),
  };
}

test('a step that is over soon is never sent', async () => {
  const { edit, pass, texts, last, isShown } = stage();
  await edit(step('price'));
  await pass(STEP_MS - 1);
  expect(texts()).toEqual([]);
  await edit(end('sent'));
  await expect.poll(texts, SOON).toEqual(['sent']);
  last(shown());
  await isShown();
  await pass(10 * STEP_MS);
  expect(texts()).toEqual(['sent']);
});

test('a step that lasts is sent, and while it is under way nothing else, then only the newest', async () => {
  const { edit, pass, texts, last, isShown } = stage();
  await edit(step('paying'));
  await pass(STEP_MS);
  await expect.poll(texts, SOON).toEqual(['paying']);
  await edit(end('first'));
  await edit(end('second'));
  await expect.poll(texts, SOON).toEqual(['paying']);
  last(shown());
  await expect.poll(texts, SOON).toEqual(['paying', 'second']);
  last(shown());
  await isShown();
});

test('a card for others to press is no step: it goes at once', async () => {
  const { edit, texts, last, isShown } = stage();
  const action = { kind: 'button', label: 'Confirm', id: 'b_1' } as const;
  await edit({ ...step('card'), actions: [action] });
  await expect.poll(texts, SOON).toEqual(['card']);
  last(shown());
  await isShown();
});

test('an end after a step of unknown fate is shown again when the step cannot come any more', async () => {
  const { edit, pass, texts, last, outbox, isShown } = stage();
  await edit(step('paying'));
  await pass(STEP_MS);
  await expect.poll(texts, SOON).toEqual(['paying']);
  last(UNKNOWN);
  await expect
    .poll(async () => (await findMessage(store, { transport: 'discord', key: 'one' }))?.doubtUntilMs, SOON)
    .not.toBeNull();
  await edit(end('sent'));
  await expect.poll(texts, SOON).toEqual(['paying', 'sent']);
  last(shown());
  await pass(lateMs - 1);
  await expect.poll(texts, SOON).toEqual(['paying', 'sent']);
  expect(outbox.size()).toBe(1);
  await pass(1);
  await expect.poll(texts, SOON).toEqual(['paying', 'sent', 'sent']);
  last(shown());
  await isShown();
});

test('what still waits when a process ends is shown by the next one', async () => {
  const before = stage();
  await before.edit(end('sent'));
  await expect.poll(before.texts, SOON).toEqual(['sent']);
  before.last(UNKNOWN);
  await before.outbox.close();
  const next = stage();
  await next.pass(0);
  await expect.poll(next.texts, SOON).toEqual(['sent']);
  next.last(shown());
  await next.pass(lateMs);
  await expect.poll(next.texts, SOON).toEqual(['sent', 'sent']);
  next.last(shown());
  await next.isShown();
});

test('what another process has left is shown by its urgency: for one person, then first words, then receipts', async () => {
  const other = stage({ isMine: () => false });
  const message = { chatId: '7', eventId: '1', userId: 'discord:4', language: null };
  const left: [string, View, string | null][] = [
    ['receipt', end('receipt'), null],
    ['tip', end('tip'), message.userId],
    ['ban', { ...end('ban'), audience: 'person' }, message.userId],
  ];
  for (const [key, view, userId] of left) {
    await other.outbox.open({ ...message, key, view, userId });
    await other.pass(1);
  }
  const next = stage({ laneOf: () => 'one chat' });
  await next.pass(0);
  for (const count of [1, 2, 3]) {
    await expect.poll(() => next.texts().length, SOON).toBe(count);
    next.last(shown());
  }
  expect(next.texts()).toEqual(['ban', 'tip', 'receipt']);
});

test('of edits that open a message in the same moment, one of them and then only the newest is shown', async () => {
  const { edit, outbox, texts, last, isShown } = stage();
  await Promise.all([edit(end('first')), edit(end('second'))]);
  await expect.poll(() => texts().length, SOON).toBeGreaterThan(0);
  last(shown());
  await expect.poll(() => texts().length === 2 || outbox.size() === 0, SOON).toBe(true);
  last(shown());
  await isShown();
  expect(texts().length).toBeLessThanOrEqual(2);
  expect(texts().at(-1)).toBe('second');
});

test('a message is kept until what it says to wait for has gone back, and then forgotten', async () => {
  const { edit, pass, texts, last, isShown } = stage();
  const dayMs = 24 * 3_600_000;
  const found = () => findMessage(store, { transport: 'discord', key: 'one' });
  await edit(end('waiting'));
  await expect.poll(texts, SOON).toEqual(['waiting']);
  last(shown());
  await isShown();
  await pass(61 * dayMs);
  expect(await found()).not.toBeNull();
  await pass(30 * dayMs);
  expect(await found()).toBeNull();
});

test('what a process shows that was stopped in the middle is shown anew, as it is now', async () => {
  const stopped = stage();
  const closeStopped = close;
  await stopped.edit(end('paying'));
  await expect.poll(stopped.texts, SOON).toEqual(['paying']);
  const other = stage();
  await other.edit(end('sent'));
  await expect.poll(other.texts, SOON).toEqual(['sent']);
  other.last(shown());
  await other.isShown();
  // Its call arrives only now, and the message reads what it said.
  stopped.last(shown());
  await closeStopped();
  await other.pass(0);
  await other.pass(STEP_MS);
  await expect.poll(other.texts, SOON).toEqual(['sent', 'sent']);
  other.last(shown());
  await other.isShown();
});

test.each<[string, Turn, string]>([
  ['was not heard of', UNKNOWN, 'sent'],
  ['takes another turn', AGAIN, 'sent'],
  ['was not heard of, though it says the same', UNKNOWN, 'paying'],
  ['takes another turn, though it says the same', AGAIN, 'paying'],
])(
  'what a stopped process has sent and %s is shown anew as well, and by who holds the chat now',
  async (_, turn, now) => {
    let isMine = true;
    const stopped = stage({ isMine: () => isMine });
    const closeStopped = close;
    await stopped.edit(end('paying'));
    await expect.poll(stopped.texts, SOON).toEqual(['paying']);
    isMine = false;
    const other = stage();
    if (now === 'paying') await other.pass(0);
    else await other.edit(end(now));
    await expect.poll(other.texts, SOON).toEqual([now]);
    other.last(shown());
    await other.isShown();
    stopped.last(turn);
    await closeStopped();
    await other.pass(0);
    await other.pass(STEP_MS);
    await expect.poll(other.texts, SOON).toEqual([now, now]);
    await other.pass(lateMs);
    const settleAll = () => (other.last(shown()), other.outbox.size());
    await expect.poll(settleAll, SOON).toBe(0);
    expect(stopped.texts()).toEqual(['paying']);
  },
);

test('what a process has sent that lost the chat and has it again is shown once more', async () => {
  let lose = () => {};
  const stopped = stage({ onLost: (listener) => void (lose = listener) });
  const closeStopped = close;
  await stopped.edit(end('sent'));
  await expect.poll(stopped.texts, SOON).toEqual(['sent']);
  lose();
  const other = stage();
  await other.pass(0);
  await expect.poll(other.texts, SOON).toEqual(['sent']);
  other.last(shown());
  await other.isShown();
  stopped.last(AGAIN);
  await expect.poll(stopped.texts, SOON).toEqual(['sent', 'sent']);
  stopped.last(shown());
  await stopped.isShown();
  await closeStopped();
});

test('a view that was not shown is, where an equal one has taken its place meanwhile', async () => {
  const { edit, texts, last, isShown } = stage();
  await edit(end('sent'));
  await expect.poll(texts, SOON).toEqual(['sent']);
  await edit(end('sent'));
  last(AGAIN);
  await expect.poll(texts, SOON).toEqual(['sent', 'sent']);
  last(shown());
  await isShown();
});

test('an end that was noted late does not count where an older step was sent beside it', async () => {
  const stopped = stage();
  const closeStopped = close;
  await stopped.edit(end('paying'));
  await expect.poll(stopped.texts, SOON).toEqual(['paying']);
  const other = stage();
  await other.edit(end('sent'));
  await expect.poll(other.texts, SOON).toEqual(['sent']);
  stopped.last(shown());
  await closeStopped();
  other.last(shown());
  await expect.poll(other.texts, SOON).toEqual(['sent', 'sent']);
  other.last(shown());
  await other.isShown();
});

test('a view that was shown is not kept for long', async () => {
  const { edit, pass, texts, last, isShown } = stage();
  await edit(end('sent'));
  await expect.poll(texts, SOON).toEqual(['sent']);
  last(shown());
  await isShown();
  const viewOf = async () => (await findMessage(store, { transport: 'discord', key: 'one' }))?.view;
  expect(await viewOf()).not.toBeNull();
  await pass(3_600_000);
  expect(await viewOf()).toBeNull();
  expect(texts()).toEqual(['sent']);
});
