/** Whether a member on Telegram has been told is read off the message that the bot shows, or does not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { View } from '../../core/view.ts';
import { findMessage, noteShown } from '../../db/chats/bot-messages.ts';
import { telegramSender } from '../../service/telegram.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';

const KEY = 'told:leaves:1:who';
let books: Books;
beforeEach(async () => void (books = await openBooks()));
afterEach(() => books.close());

const words = (text: string): View => ({ state: 'ok', audience: 'person', paragraphs: [[{ text }]], actions: [] });

function tell(view: View) {
  const queue = { announce: () => {} } as unknown as Parameters<typeof telegramSender>[0]['queue'];
  const sender = telegramSender({ store: books.store, queue }, () => START_MS);
  return sender.tell?.({ userId: 'telegram:5', onceKey: 'leaves:1:who', view });
}

/** What the bot writes down when it has shown it, or has learned that it never can. */
async function show(messageId: string | null): Promise<void> {
  const message = await findMessage(books.store, { transport: 'telegram', key: KEY });
  if (message === null) throw new Error('nothing was written');
  await noteShown(books.store, message, { shownHash: 'hash', nowMs: START_MS, messageId });
}

test('it is under way until the bot has shown it, and told then', async () => {
  expect(await tell(words('one'))).toBe('under-way');
  expect(await tell(words('one'))).toBe('under-way');
  await show('17');
  expect(await tell(words('one'))).toBe('told');
  expect(await findMessage(books.store, { transport: 'telegram', key: KEY })).toMatchObject({
    revision: 1,
    pendingSinceMs: null,
  });
});

test('what the bot can show nowhere reaches nobody', async () => {
  await tell(words('one'));
  await show(null);
  expect(await tell(words('one'))).toBe('unreachable');
});

test('what is not shown yet says what is newest, and what is shown stays as it is', async () => {
  await tell(words('tomorrow'));
  expect(await tell(words('the day after'))).toBe('under-way');
  expect(await findMessage(books.store, { transport: 'telegram', key: KEY })).toMatchObject({
    view: words('the day after'),
    revision: 2,
  });
  await show('17');
  expect(await tell(words('later still'))).toBe('told');
  expect(await findMessage(books.store, { transport: 'telegram', key: KEY })).toMatchObject({
    pendingSinceMs: null,
    revision: 2,
  });
});
