import { Client } from 'pg';
import { expect, test } from 'vitest';
import { onPostgres } from '../postgres.ts';
import { readsOf } from './rows-read.ts';

const [KEPT, GONE] = [5, 500];
/** By an index alone, and by an index that is made to a map first: the planner's choice between them turns with a page more. */
const PLANS = ['enable_indexscan', 'enable_bitmapscan'];

onPostgres((fresh) => {
  test('rows that were deleted, or tried by another statement, are read by no plan', async () => {
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table blocks (network text, number int, primary key (network, number))');
    await client.query(`insert into blocks select 'base', n from generate_series(1, ${KEPT + GONE}) as n`);
    await client.query(`delete from blocks where number <= ${GONE}`);
    await client.end();
    const asked = 'select number, network from blocks where network = $1 and number < $2 order by number desc';
    const again = `${asked} limit 1000`;
    const tried = `insert into "blocks" select $1, n from generate_series(-${GONE}, 0) as n`;
    for (const plan of PLANS) {
      const url = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-c%20${plan}%3Doff`;
      const statements = new Map([
        [asked, [['base', 1_000]]],
        [tried, [['base']]],
        [again, [['base', 1_000]]],
      ]);
      const reads = await readsOf({ ...database, url }, statements);
      expect([plan, reads.get(asked), reads.get(again)]).toEqual([plan, KEPT, KEPT]);
    }
  });
});
