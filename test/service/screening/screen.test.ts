import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScreeningQuestion } from '../../../core/screening/screening.ts';
import { decide, listDecisions, overrule, unansweredSince } from '../../../db/screening/decisions.ts';
import { createScreen } from '../../../service/screening/screen.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

const BAD = `0x${'ba'.repeat(20)}`;
const GOOD = `0x${'90'.repeat(20)}`;
const SETTINGS = {
  lists: [] as string[],
  url: undefined,
  token: undefined,
  timeoutMs: 60_000,
  fails: 'closed' as const,
};

let books: Books;
let dir: string;
let server: Server;
let url: string;
/** What the service was asked, and how it answers. */
let asked: { authorization: string | undefined; body: unknown }[];
let answer: { status?: number; text?: string } | 'silent';
beforeEach(async () => {
  books = await openBooks();
  dir = mkdtempSync(join(tmpdir(), 'screening-'));
  [asked, answer] = [[], { text: '{"allow": true}' }];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
      });
      if (request.url !== '/screen') response.end('{"allow": true}');
      else if (answer !== 'silent')
        response.writeHead(answer.status ?? 200, { location: '/elsewhere' }).end(answer.text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await books.close();
  rmSync(dir, { recursive: true });
});

let count = 0;
function question(address: string, subject = String((count += 1))): ScreeningQuestion {
  const accounts = [{ network: 'base' as const, address }];
  return { stage: 'payment', subject, accounts, names: ['x:alice'], amountMicroUsdc: 1_500_000n };
}

function screenOf(settings: Partial<Parameters<typeof createScreen>[0]['screening']>) {
  const options = { store: books.store, now: () => books.clock.nowMs, log: { warn: () => undefined } };
  const screen = createScreen({ screening: { ...SETTINGS, ...settings } }, options);
  if (screen === null) throw new Error('nothing is screened');
  return screen;
}

const list = (text: string): string => {
  const file = join(dir, 'list');
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  return file;
};

test('without lists and service nothing is screened', () => {
  expect(
    createScreen({ screening: SETTINGS }, { store: books.store, now: Date.now, log: { warn: () => undefined } }),
  ).toBeNull();
});

test('a list refuses for good, and is read anew when it is replaced', async () => {
  const screen = screenOf({ lists: [list(BAD)] });
  const refused = question(BAD);
  expect([await screen(refused), await screen(question(GOOD))]).toEqual(['refuse', 'go']);
  list(GOOD);
  books.clock.nowMs += 1;
  expect([await screen(question(GOOD)), await screen(question(BAD))]).toEqual(['refuse', 'go']);
  books.clock.nowMs += 365 * 86_400_000;
  expect(await screen(refused)).toBe('refuse');
  expect(await listDecisions(books.store, 10)).toMatchObject([
    { verdict: 'refused', source: 'lists', detail: GOOD, passes: false },
    { verdict: 'refused', source: 'lists', detail: BAD, passes: false, atMs: START_MS },
  ]);
});

test('the service is asked once about one thing, in its own words and with the token', async () => {
  const screen = screenOf({ url, token: 'secret' });
  const one = question(GOOD, 'one');
  expect([await screen(one), await screen(one)]).toEqual(['go', 'go']);
  const accounts = [{ network: 'base', address: GOOD }];
  const body = { stage: 'payment', subject: 'one', accounts, names: ['x:alice'], amount: '1.5' };
  expect(asked).toEqual([{ authorization: 'Bearer secret', body }]);
  answer = { text: '{"allow": false, "reference": "case 7"}' };
  expect(await screen(question(GOOD))).toBe('refuse');
  expect(await listDecisions(books.store, 10)).toMatchObject([
    { verdict: 'refused', source: 'service', detail: 'case 7' },
  ]);
  // What was let pass is asked about again after an hour, if it is still here.
  books.clock.nowMs += 3_600_000;
  expect(await screen(one)).toBe('refuse');
});

test('what a list names is told to no service', async () => {
  expect(await screenOf({ lists: [list(BAD)], url })(question(BAD))).toBe('refuse');
  expect(asked).toEqual([]);
});

test.each([
  ['an error', { status: 500, text: '{"allow": true}' }],
  ['a redirect', { status: 307, text: '' }],
  ['another form', { text: '{"allow": "yes"}' }],
  ['no JSON', { text: 'allow' }],
  ['too much', { text: `{"allow": true, "x": "${'x'.repeat(70_000)}"}` }],
  ['silence', 'silent'],
] as const)('%s is no answer: it waits, or goes on where that is set', async (_what, given) => {
  answer = given;
  // Only silence is waited for until its time is over.
  const settings = { url, timeoutMs: given === 'silent' ? 100 : 60_000 };
  const one = question(GOOD);
  const closed = screenOf(settings);
  expect(await closed(one)).toBe('wait');
  expect(await screenOf({ ...settings, fails: 'open' })(question(GOOD))).toBe('go');
  expect(await unansweredSince(books.store, START_MS - 1)).toBe(2);
  answer = { text: '{"allow": true}' };
  // A service that is away is not asked by each repetition.
  expect(await closed(one)).toBe('wait');
  books.clock.nowMs += 10_000;
  expect(await screenOf({ url })(one)).toBe('go');
});

test('a list that cannot be read lets nothing pass', async () => {
  expect(await screenOf({ lists: [join(dir, 'missing')] })(question(GOOD))).toBe('wait');
});

test('the operator’s word stands, whatever is answered later', async () => {
  const screen = screenOf({ url });
  const payout = { ...question(GOOD, 'payout-1'), stage: 'payout' as const };
  answer = { text: '{"allow": false}' };
  expect(await screen(payout)).toBe('refuse');
  await books.store.tx((db) => overrule(db, books.store.tables, 'payout-1', books.clock.nowMs));
  books.clock.nowMs += 365 * 86_400_000;
  expect(await screen(payout)).toBe('go');
  // Also over an answer that was on its way meanwhile.
  const late = { verdict: 'refused', source: 'service', detail: null } as const;
  const { nowMs } = books.clock;
  expect(await decide(books.store, payout, { answer: late, fails: 'closed', nowMs })).toBe('go');
  expect(await screen(payout)).toBe('go');
});
