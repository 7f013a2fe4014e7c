import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBooks, type Books } from '../../support/books.ts';
import { createTestResponses, patientConnection } from './world.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

test('it is quiet where no caller waits for an answer', async () => {
  const responses = createTestResponses(books.store, pino({ level: 'silent' }));
  expect(responses.isQuiet()).toBe(true);
  const [released, handed, missed, gone] = ['released', 'handed', 'missed', 'gone'].map(patientConnection);
  if (!released || !handed || !missed || !gone) throw new Error('four wait');
  for (const connection of [released, handed, missed, gone]) await responses.hold(connection);
  responses.release(released);
  gone.destroy();
  await responses.hand(handed, 'attempt_1');
  expect(responses.isQuiet()).toBe(false);
  await responses.end(missed, 'attempt_2', 'missed');
  expect(responses.isQuiet()).toBe(true);
});
