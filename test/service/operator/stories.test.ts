/** What the console shows of payments, flows and actions, as commands. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

let dir: string;
let books: Books;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-stories-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

const ALICE = { name: 'alice', stableId: '1' };
const operate = (...words: string[]) =>
  runOperator(
    () => parseConfig({ DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, DATA_DIR: dir }),
    words,
    START_MS,
  );

test('one payment is told as a whole, by its id, its number or its receipt, and nothing that was signed', async () => {
  await books.link(await books.meet('alice', '1'));
  const { paymentId, lines } = await books.pay({ payees: [ALICE] });
  const [line] = lines;
  for (const word of [paymentId, String(line?.txnId), line?.slug ?? '', 'x:alice']) {
    const { exitCode, text } = await operate('search', word);
    expect([word, exitCode]).toEqual([word, 0]);
    expect(text).toContain(`payment ${paymentId}: 1.00 USDC on base, settled`);
    expect(text).toMatch(/for x:alice: 1\.00 USDC, paying, payout \w+ queued/);
    expect(text).toContain('in:base:auth:');
  }
  const { text } = await operate('search', paymentId, '--json');
  expect(JSON.parse(text)).toMatchObject({
    payments: [{ id: paymentId, sumMicroUsdc: '1000000' }],
    story: { lines: [{ recipient: 'x:alice', payout: { purpose: 'payout' } }], entries: [{}, {}] },
  });
  expect(text).not.toContain('signature');
});

test('of several each is named, and nothing is told of what does not fit', async () => {
  for (let count = 0; count < 2; count += 1) await books.pay({ payees: [ALICE] });
  const { text } = await operate('search', 'x:alice');
  expect(text.match(/^payment /gm)).toHaveLength(2);
  expect(text).not.toContain('in:base:auth:');
  expect((await operate('search', 'x:nobody')).text).toContain('Nothing fits.');
  expect((await operate('search')).exitCode).toBe(2);
});

test('flows and actions', async () => {
  await books.pay({ payees: [ALICE] });
  expect((await operate('flows')).text).toMatch(
    /Base\n {2}2027-01-15: in 1\.00 USDC, out 0\.00 USDC, at its end 1\.00 USDC/,
  );
  expect((await operate('audit')).text).toContain('Nothing was done yet.');
  await operate('stop', 'base', '--reason', 'a look');
  const { text } = await operate('audit');
  expect(text).toMatch(/^1 {2}.*: stop base/m);
  expect((await operate('audit', '1')).text).toContain('Nothing was done yet.');
  expect((await operate('audit', 'x')).exitCode).toBe(2);
});
