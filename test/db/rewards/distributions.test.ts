import { afterAll, beforeAll, describe } from 'vitest';
import { openMigrated } from '../../support/databases/migrated.ts';
import { openBooks } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';
import { testDistributions, type Suite } from './suite.ts';

let suite: Suite | undefined;
const suiteOf = (): Suite => {
  if (suite === undefined) throw new Error('the database is not open');
  return suite;
};

describe('on SQLite', () => {
  beforeAll(async () => {
    const books = await openBooks();
    // One process writes; what runs at once there are its transactions.
    suite = { books, other: books.store };
  });
  afterAll(() => suite?.books.close());
  testDistributions(suiteOf);
});

onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    suite = { books: await openBooks(address), other: await openMigrated(address) };
  });
  afterAll(async () => {
    await suite?.other.close();
    await suite?.books.close();
  });
  testDistributions(suiteOf);
});
