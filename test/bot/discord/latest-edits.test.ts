import { expect, test } from 'vitest';
import { createLatestEdits, HANDLED_LATE_MAX_MS, STEP_LASTS_MS } from '../../../bot/discord/latest-edits.ts';
import { publicView, workingView } from '../../../bot/conversation/views.ts';
import type { Answer } from '../../../core/discord/answer.ts';
import { plainText } from '../../../core/view.ts';

const answer: Answer = {
  audience: 'everyone',
  via: 'reply',
  interactionId: '1',
  channelId: '2',
  messageId: '3',
  userId: '4',
  token: 'token',
  communityId: null,
};

const step = (text: string) => workingView([{ text }]);
const end = (text: string) => publicView('ok', [[{ text }]]);

/** A message, a clock that stands until it is told, and attempts that end when the test says how. */
function stage() {
  let nowMs = 0;
  const sleepers: { untilMs: number; wake: () => void; fail: (error: Error) => void }[] = [];
  const attempts: { text: string; succeed: () => Promise<void>; fail: () => Promise<void> }[] = [];
  const log = () => undefined;
  const edits = createLatestEdits({
    attempt: (_answer, view) =>
      new Promise((resolve, reject) => {
        attempts.push({
          text: plainText(view),
          succeed: () => settled(resolve),
          fail: () => settled(() => reject(new Error('nobody knows'))),
        });
      }),
    clock: {
      now: () => nowMs,
      sleep: (ms) => new Promise((wake, fail) => void sleepers.push({ untilMs: nowMs + ms, wake, fail })),
    },
    log: { info: log, warn: log, error: log },
  });
  const pass = (ms: number) =>
    settled(() => {
      nowMs += ms;
      for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake();
    });
  const close = () => settled(() => sleepers.forEach(({ fail }) => fail(new Error('closing'))));
  const shown = (view: ReturnType<typeof end>) => {
    const outcome = { is: 'open' };
    edits.show(answer, view).then(
      () => (outcome.is = 'shown'),
      () => (outcome.is = 'failed'),
    );
    return settled(() => undefined).then(() => outcome);
  };
  const texts = () => attempts.map(({ text }) => text);
  const last = () => {
    const found = attempts.at(-1);
    if (!found) throw new Error('expected an attempt');
    return found;
  };
  return { shown, pass, close, texts, last };
}

/** All that follows from it without time or network has happened. */
async function settled(act: () => void): Promise<void> {
  act();
  await new Promise(setImmediate);
}

test('steps that are over soon are never sent, and nobody waits for one', async () => {
  const { shown, pass, texts, last } = stage();
  expect(await shown(step('price'))).toEqual({ is: 'shown' });
  await pass(STEP_LASTS_MS - 1);
  await shown(step('paying'));
  await pass(STEP_LASTS_MS - 1);
  expect(texts()).toEqual([]);
  const sent = await shown(end('sent'));
  expect(texts()).toEqual(['sent']);
  await last().succeed();
  expect(sent.is).toBe('shown');
  await pass(10 * STEP_LASTS_MS);
  expect(texts()).toEqual(['sent']);
});

test('a step that lasts is sent', async () => {
  const { shown, pass, texts } = stage();
  await shown(step('paying'));
  await pass(STEP_LASTS_MS);
  expect(texts()).toEqual(['paying']);
});

test('a card that others shall press is no step: it goes at once, and whoever shows it waits until it stands there', async () => {
  const { shown, pass, texts, last } = stage();
  const action = { kind: 'button', label: 'Confirm', id: 'b_1' } as const;
  const card = await shown({ ...step('card'), actions: [action] });
  await last().fail();
  await last().succeed();
  expect([card.is, texts()]).toEqual(['open', ['card', 'card']]);
  await pass(HANDLED_LATE_MAX_MS);
  await last().succeed();
  expect(card.is).toBe('shown');
});

test('while an edit is under way nothing else is sent, and then only the newest', async () => {
  const { shown, pass, texts, last } = stage();
  await shown(step('paying'));
  await pass(STEP_LASTS_MS);
  const first = await shown(end('first'));
  const second = await shown(end('second'));
  expect(texts()).toEqual(['paying']);
  await last().succeed();
  expect(texts()).toEqual(['paying', 'second']);
  expect([first.is, second.is]).toEqual(['open', 'open']);
  await last().succeed();
  expect([first.is, second.is]).toEqual(['shown', 'shown']);
});

test('an end after a step of unknown fate is shown again when the step cannot come any more', async () => {
  const { shown, pass, texts, last } = stage();
  await shown(step('paying'));
  await pass(STEP_LASTS_MS);
  await last().fail();
  const sent = await shown(end('sent'));
  await last().succeed();
  await pass(HANDLED_LATE_MAX_MS - 1);
  expect(texts()).toEqual(['paying', 'sent']);
  expect(sent.is).toBe('open');
  await pass(1);
  expect(texts()).toEqual(['paying', 'sent', 'sent']);
  await last().succeed();
  expect(sent.is).toBe('shown');
});

test('an end whose attempts all fail is told so, and asked again it waits out the doubt', async () => {
  const { shown, pass, texts, last } = stage();
  const sent = await shown(end('sent'));
  for (let attempt = 1; attempt <= 3; attempt++) await last().fail();
  expect(texts()).toHaveLength(3);
  expect(sent.is).toBe('failed');
  const again = await shown(end('sent'));
  await last().succeed();
  expect(again.is).toBe('open');
  await pass(HANDLED_LATE_MAX_MS);
  await last().succeed();
  expect(again.is).toBe('shown');
  expect(texts()).toHaveLength(5);
});

test('what still waits when the bot closes is left to the next one', async () => {
  const { shown, pass, close, last } = stage();
  await shown(step('paying'));
  await pass(STEP_LASTS_MS);
  await last().fail();
  const sent = await shown(end('sent'));
  await last().succeed();
  await close();
  expect(sent.is).toBe('failed');
});
