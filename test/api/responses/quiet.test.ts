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
  const [released, missed, gone] = ['released', 'missed', 'gone'].map(patientConnection);
  if (!released || !missed || !gone) throw new Error('three wait');
  for (const connection of [released, missed, gone]) await responses.hold(connection);
  responses.release(released);
  gone.destroy();
  expect(responses.isQuiet()).toBe(false);
  await responses.end(missed, 'attempt_1', 'missed');
  expect(responses.isQuiet()).toBe(true);
});
