import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outage } from '../../../core/payments/outages.ts';
import { readStandings } from '../../../db/networks/standing.ts';
import { startStanding } from '../../../worker/networks/standing.ts';
import { openBooks, type Books } from '../../support/books.ts';

const LEVELS = [{ role: 'lane', address: '0x1', units: 123_456_789_012n, leastUnits: 5n }];

let books: Books;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  books = await openBooks();
  lines = [];
});
afterEach(() => books.close());

async function standing(outage: Outage | null, comparison: { disagrees: boolean; compares: boolean } | null) {
  const job = await startStanding({
    store: books.store,
    network: 'base',
    now: () => books.clock.nowMs,
    log: pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) }),
    isOpen: () => true,
    hold: { isHeld: () => true },
    look: async () => outage,
    coins: () => LEVELS,
    wallets: { lanes: ['0x1'] },
    comparison: comparison && { disagrees: () => comparison.disagrees, compares: () => comparison.compares },
  });
  await job.close();
  return (await readStandings(books.store, ['base'], books.clock.nowMs))[0];
}

test('what lacks gas is named with the wallets to fund', async () => {
  expect(await standing('no_gas', null)).toMatchObject({ outage: 'no_gas', second: null });
  expect(lines).toMatchObject([{ outage: 'no_gas', wallets: { lanes: ['0x1'] } }]);
});

test('what the wallets have stands beside it, and is unknown once nobody looks', async () => {
  expect((await standing(null, null))?.coins).toEqual(LEVELS);
  const [later] = await readStandings(books.store, ['base'], books.clock.nowMs + 60_000);
  expect(later).toMatchObject({ outage: 'no_worker', coins: [] });
});

test('no other outage names them', async () => {
  await standing('fees', null);
  expect(lines.map((line) => [line['outage'], 'wallets' in line])).toEqual([['fees', false]]);
});

test('nodes that contradict each other are the reason before any other', async () => {
  const found = await standing('no_gas', { disagrees: true, compares: true });
  expect(found).toMatchObject({ outage: 'nodes_disagree', second: 'compared' });
});

test('a second node that is left out is reported, and is no outage', async () => {
  const found = await standing(null, { disagrees: false, compares: false });
  expect(found).toMatchObject({ outage: null, second: 'left_out' });
  expect(lines).toEqual([]);
});
