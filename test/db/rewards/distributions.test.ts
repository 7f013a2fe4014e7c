import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../db/store/open.ts';
import { openBooks } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';
import { testDistributions, type Desk } from './suite.ts';

let desk: Desk | undefined;
const deskOf = (): Desk => {
  if (desk === undefined) throw new Error('the database is not open');
  return desk;
};

describe('on SQLite', () => {
  beforeAll(async () => {
    const books = await openBooks();
    // One process writes; what runs at once there are its transactions.
    desk = { books, other: books.store };
  });
  afterAll(() => desk?.books.close());
  testDistributions(deskOf);
});

onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    desk = { books: await openBooks(address), other: await openStore(address) };
  });
  afterAll(async () => {
    await desk?.other.close();
    await desk?.books.close();
  });
  testDistributions(deskOf);
});
