import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal, type Journal } from '../../cli/journal/payments.ts';
import type { PaymentRecord } from '../../cli/journal/record.ts';

let home: string;
let journal: Journal;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pennypost-journal-'));
  journal = openJournal(home, randomBytes);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const record = (receiver = 'alice'): PaymentRecord => ({
  version: 1,
  id: randomBytes(16).toString('hex'),
  createdAt: new Date().toISOString(),
  day: '2026-11-21',
  service: 'http://127.0.0.1:8402',
  route: '/payments/x/pay',
  body: { receiver, amount: '1' },
  network: 'base',
  mode: 'mainnet',
  from: '0x00000000000000000000000000000000000000aa',
  name: `x:${receiver}`,
  sumMicroUsdc: '1000000',
  totalMicroUsdc: '1000000',
  header: 'header',
  end: { validBefore: 1 },
  state: { kind: 'signed' },
});

function placeOf(one: PaymentRecord): string {
  const look = journal.look(one);
  if (look.kind !== 'free') throw new Error('expected a free place');
  return look.place;
}

function begin(one: PaymentRecord) {
  const kept = journal.begin(one, placeOf(one));
  if (kept === null) throw new Error('expected the place to be free');
  return kept;
}

test('of two that saw the same free place one begins', () => {
  const place = placeOf(record());
  const [first, second] = [record(), record()];
  expect(journal.begin(first, place)).not.toBeNull();
  expect(journal.begin(second, place)).toBeNull();
  expect(journal.look(second)).toMatchObject({ kind: 'open', kept: { record: { id: first.id } } });
  // What did not begin leaves nothing behind that could be sent.
  expect(readdirSync(join(home, 'payments'))).toHaveLength(1);
});

test('a place that was taken and ended in between is not free again', () => {
  const place = placeOf(record());
  journal.end(begin(record()));
  expect(journal.begin(record(), place)).toBeNull();
  expect(journal.look(record())).toMatchObject({ kind: 'free' });
  expect(placeOf(record())).not.toBe(place);
});

test('ending a payment once more ends no other', () => {
  const first = begin(record());
  journal.end(first);
  const second = begin(record());
  journal.end(first);
  journal.update(first, { kind: 'refused', word: 'late', text: 'late' });
  expect(journal.open()).toEqual([second]);
});

test('another request is another payment', () => {
  begin(record('alice'));
  expect(journal.look(record('bob'))).toMatchObject({ kind: 'free' });
  const other = { ...record('alice'), service: 'http://127.0.0.1:8403' };
  expect(journal.look(other)).toMatchObject({ kind: 'free' });
});

test('what is kept is found by the next start, oldest first', () => {
  const late = begin({ ...record('late'), createdAt: '2026-11-21T10:00:00.000Z' });
  const early = begin({ ...record('early'), createdAt: '2026-11-21T09:00:00.000Z' });
  expect(openJournal(home, randomBytes).open()).toEqual([early, late]);
});

test('a kept payment that cannot be read stops everything: it may have been sent', () => {
  const { file } = begin(record());
  writeFileSync(join(home, 'payments', file), '{"half');
  expect(() => journal.look(record())).toThrow(expect.objectContaining({ ending: 'unknown', word: 'broken_journal' }));
  expect(() => journal.open()).toThrow(expect.objectContaining({ ending: 'unknown' }));
});
