import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, readFlows } from '../../../db/stories/flows.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ALICE = { name: 'alice', stableId: '1' };

let dir: string;
let books: Books;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-flows-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

test('each day has what came in on it, and the balance at its end', async () => {
  const today = Math.floor(START_MS / DAY_MS);
  expect(await readFlows(books.store, START_MS, 3)).toEqual(new Map());
  for (const [days, count] of [
    [0, 1],
    [9, 2],
    [10, 3],
  ] as const) {
    books.clock.nowMs = START_MS + days * DAY_MS;
    for (let paid = 0; paid < count; paid += 1) await books.pay({ payees: [ALICE] });
  }
  const flows = await readFlows(books.store, START_MS + 10 * DAY_MS, 3);
  const day = (number: number, came: bigint, end: bigint) => ({
    day: today + number,
    inMicroUsdc: came,
    outMicroUsdc: 0n,
    endMicroUsdc: end,
  });
  expect(flows.get('base')).toEqual([
    day(8, 0n, 1_000_000n),
    day(9, 2_000_000n, 3_000_000n),
    day(10, 3_000_000n, 6_000_000n),
  ]);
});
