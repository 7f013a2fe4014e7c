import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNoticesApp } from '../../../api/notices/app.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { addHolder, sessionsOf } from '../../../db/wallets/holders.ts';
import { passkeysOf } from '../../../db/wallets/passkeys.ts';
import { ensureStopSecret, toHoldToken, toStopToken } from '../../../db/notices/stop-token.ts';
import { openBooks, type Books } from '../../support/books.ts';

let books: Books;
let app: ReturnType<typeof createNoticesApp>;
let identityId: string;
let path: string;

beforeEach(async () => {
  books = await openBooks();
  app = createNoticesApp({
    store: books.store,
    ids: books.ids,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
    settings: {
      baseUrl: 'https://pay.example.com',
      feeBps: 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: 1,
      settlementWaitMs: 0,
      localMode: false,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: null,
      isTrustedProxy: () => false,
      operator: { name: 'the test', supportUrl: 'https://example.com/help', termsUrl: '' },
    },
  });
  identityId = await books.meet('alice@example.com', 'alice@example.com', 'email');
  const secret = await ensureStopSecret(books.store, books.ids.slug);
  path = `/notices/stop/${toStopToken(secret, identityId)}`;
});
afterEach(() => books.close());

async function offSince(): Promise<number | null> {
  const { identities } = books.store.tables;
  const [row] = await books.store.read.select().from(identities).where(eq(identities.id, identityId));
  if (row === undefined) throw new Error('the identity is gone');
  return row.noticesOffAtMs;
}

test('opening the link changes nothing, however often a scanner follows it', async () => {
  for (const method of ['GET', 'HEAD', 'GET']) expect((await app.request(path, { method })).status).toBe(200);
  expect(await offSince()).toBeNull();
});

test('the page has one button, which the browser may press, and says nothing of whose link it is', async () => {
  const answer = await app.request(path, { headers: { Accept: 'text/html' } });
  const page = await answer.text();
  expect(page).toMatch(/<form method="post">\s*<p class="actions"><button class="button" type="submit">/);
  expect(answer.headers.get('Content-Security-Policy')).toContain("form-action 'self'");
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('X-Robots-Tag')).toContain('noindex');
  for (const secret of ['alice', identityId]) expect(page).not.toContain(secret);
});

test.each([
  ['a mail program', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
  ['the button', { Origin: 'https://pay.example.com', Accept: 'text/html' }, ''],
  ['a reader who comes from elsewhere', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, ''],
])('%s ends the mails with one POST', async (_who, headers, body) => {
  const answer = await app.request(path, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('We write no more');
  expect(answer.headers.has('Set-Cookie')).toBe(false);
  expect(await offSince()).toBe(books.clock.nowMs);
});

test('a second POST is as good as the first, which stands', async () => {
  await app.request(path, { method: 'POST' });
  const sinceMs = await offSince();
  books.clock.nowMs += 1_000;
  expect((await app.request(path, { method: 'POST' })).status).toBe(200);
  expect(await offSince()).toBe(sinceMs);
});

test.each([
  ['cut off', (token: string) => token.slice(0, -1)],
  [
    'of another person',
    (token: string) => token.replace(/^person_(.)/, (_, first) => `person_${first === 'A' ? 'B' : 'A'}`),
  ],
  ['guessed', (token: string) => token.replace(/.{22}$/, randomBytes(16).toString('base64url'))],
  ['without a signature', (token: string) => token.split('.')[0] ?? ''],
])('a token that is %s opens nothing', async (_what, change) => {
  const [, , , token = ''] = path.split('/');
  for (const method of ['GET', 'POST']) {
    expect((await app.request(`/notices/stop/${change(token)}`, { method })).status).toBe(404);
  }
  expect(await offSince()).toBeNull();
});

test('the key is made once, no matter who asks first', async () => {
  const fresh = await openBooks();
  const keys = await Promise.all([1, 2, 3].map(() => ensureStopSecret(fresh.store, fresh.ids.slug)));
  expect(new Set(keys).size).toBe(1);
  await fresh.close();
});

test('another method is refused with what is taken', async () => {
  const answer = await app.request(path, { method: 'DELETE' });
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
});

describe('the link in a mail about kept money', () => {
  const walletId = 'email:alice@example.com';
  let untilMs: number;
  beforeEach(async () => {
    untilMs = books.clock.nowMs + HOLDER_WAIT_MS;
    const secret = await ensureStopSecret(books.store, books.ids.slug);
    path = `/notices/hold/${toHoldToken(secret, identityId, untilMs)}`;
    const { store } = books;
    await store.tx(async (db) => {
      for (const [holderId, spendsFromMs] of [
        ['chat:1', 0],
        ['chat:2', untilMs],
      ] as const) {
        const holder = { holderId, walletId, identityId, name: walletId };
        await addHolder(db, store.tables, holder, books.clock.nowMs, spendsFromMs);
      }
      const passkey = { walletId, identityId, publicKey: 'key', counter: 0, transports: [], addedBy: 'chat:1' };
      const times = { createdAtMs: 1, holdsFromMs: untilMs, endsAtMs: null };
      await db.insert(store.tables.passkeys).values({ id: 'new', ...passkey, ...times });
      await db
        .insert(store.tables.passkeys)
        .values({ id: 'old', ...passkey, ...times, holdsFromMs: 1, endsAtMs: untilMs });
    });
  });
  const waiting = async () => [
    (await sessionsOf(books.store, walletId)).map(({ holderId }) => holderId).toSorted(),
    (await passkeysOf(books.store.read, books.store.tables, walletId, books.clock.nowMs)).map(({ id, endsAtMs }) => [
      id,
      endsAtMs,
    ]),
  ];

  test('stops all that waits by its button, in the language of its reader, and nothing by a look', async () => {
    const before = await waiting();
    const look = await app.request(path, { headers: { 'Accept-Language': 'de' } });
    expect(await look.text()).toContain('Aufhalten?');
    expect(await waiting()).toEqual(before);
    for (let time = 0; time < 2; time++) {
      expect(await (await app.request(path, { method: 'POST' })).text()).toContain('It is stopped');
    }
    expect(await waiting()).toEqual([['chat:1'], [['old', null]]]);
  });

  test('stops nothing that comes after its time, and a forged one is none', async () => {
    books.clock.nowMs = untilMs;
    expect(await (await app.request(path, { method: 'POST' })).text()).toContain('This link is over');
    expect((await app.request(path.replace('hold', 'stop'), { method: 'POST' })).status).toBe(404);
    const forged = path.replace(/\/[0-9a-z]+_/, '/zzzzzzzzz_');
    expect((await app.request(forged, { method: 'POST' })).status).toBe(404);
    expect((await waiting())[0]).toEqual(['chat:1', 'chat:2']);
  });
});
