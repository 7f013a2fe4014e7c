import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createMetrics, type Metrics } from '../../../api/metrics/metrics.ts';
import { accounts, inboundProven, openingBalance } from '../../../core/ledger.ts';
import { writeStanding } from '../../../db/networks/standing.ts';
import { costCounters } from '../../../db/costs/counters.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import { takeWithin } from '../../../db/store/counters.ts';
import { countEndedPayments } from '../../../db/counts/ended.ts';
import { beat } from '../../../db/store/heartbeats.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { parseExposition, valueOf, type Exposition } from './exposition.ts';
import { addPayments, addPayouts, PEOPLE } from './rows.ts';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const NOW_MS = 1_795_000_000_000;

let service: TestService;
let dependencies: ApiDependencies;
let metrics: Metrics;
/** Made when a test asks it for the first time: most look at what one reading showed. */
let app: () => ReturnType<typeof createApi>;
let logged: { msg: string }[];
let monotonicMs: number;
let isBroken: boolean;

beforeAll(async () => {
  service = await startTestService({
    // Nothing listens there: what is refused before the chain is asked needs none.
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    now: () => NOW_MS,
    decorate: (plain) => (dependencies = plain),
  });
  await seed(service.store);
});
afterAll(() => service.close());

beforeEach(() => {
  logged = [];
  monotonicMs = 0;
  isBroken = false;
  const log = pino({ level: 'info' }, { write: (text: string) => void logged.push(JSON.parse(text)) });
  metrics = createMetrics({
    store: breakable(service.store),
    networks: ['base', 'solana'],
    now: () => NOW_MS,
    monotonicMs: () => monotonicMs,
    log,
  });
  let made: ReturnType<typeof createApi> | undefined;
  app = () => (made ??= createApi({ ...dependencies, log }, true, { metrics, token: TOKEN }));
  return () => metrics.close();
});

/** The same store, until the test says that it cannot be read. */
function breakable(store: Store): Store {
  return {
    ...store,
    get read() {
      if (isBroken) throw new Error('the disk is gone: /var/lib/secret');
      return store.read;
    },
  };
}

async function seed(store: Store): Promise<void> {
  const agoMs = (seconds: number) => NOW_MS - seconds * 1_000;
  await addPayments(store, [
    { status: 'received', createdAtMs: agoMs(2) },
    { status: 'settling', createdAtMs: agoMs(30) },
    { status: 'settling', createdAtMs: agoMs(90.5) },
    { status: 'final', network: 'solana' as const, createdAtMs: agoMs(9_000) },
    { status: 'rejected', createdAtMs: agoMs(9_000) },
  ]);
  await store.tx(async (db) => {
    await countEndedPayments(db, store, 'final', [{ id: 'one', network: 'solana' }]);
    await countEndedPayments(db, store, 'rejected', [{ id: 'other', network: 'base' }]);
  });
  await addPayouts(store, [
    { status: 'queued', createdAtMs: agoMs(8) },
    { status: 'held', heldReason: 'no_token_account', network: 'solana' as const, createdAtMs: agoMs(500) },
    { status: 'held', heldReason: 'for @alice, see mail', network: 'solana' as const, createdAtMs: agoMs(500) },
    { status: 'held', heldReason: 'Because of bob', network: 'solana' as const, createdAtMs: agoMs(500) },
    { status: 'confirmed' },
  ]);
  const item = { topic: 'payment_reserved', tries: 0 } as const;
  await store.tx((db) =>
    db.insert(store.tables.outbox).values([
      { ...item, key: 'done', nextAtMs: agoMs(99), doneAtMs: agoMs(98) },
      { ...item, key: 'open', nextAtMs: agoMs(12) },
      { ...item, key: 'put-off', nextAtMs: agoMs(-60) },
    ]),
  );
  const today = dayOf(NOW_MS);
  await store.tx(async (db) => {
    await takeWithin(db, store, costCounters.gas('base', today), 1_500_000_000n, 2_000_000_000n);
    await takeWithin(db, store, costCounters.rent('solana', today), 2_039_280n, 3_000_000n);
    await takeWithin(db, store, costCounters.mails('asked', today), 3n, 9n);
  });
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'alice looks at the wallets' }, 1);
  const cursor = {
    network: 'base' as const,
    block: 41,
    firstBlock: 0,
    blockHash: '0x29',
    blockTime: 1,
    safeBlock: 41,
    finalizedBlock: 41,
  };
  await startCursor(store, cursor, [], 1);
  await beat(store, 'worker', { atMs: agoMs(1), detail: {} });
  await beat(store, 'worker:base', { atMs: agoMs(3.25), detail: {} });
  await writeStanding(store, 'base', { outage: null, second: 'left_out', sinceMs: agoMs(9), atMs: agoMs(1) });
  // A host whose clock is ahead of ours.
  await beat(store, 'worker:solana', { atMs: agoMs(-2), detail: {} });
  const credits = [{ identityId: PEOPLE.identityId, amount: 2_500_000n, left: false }];
  const inbound = { network: 'base' as const, address: PEOPLE.treasury, fact: 'fact', landing: 1, fee: 1n } as const;
  const entries = [
    openingBalance({ network: 'base' as const, address: PEOPLE.treasury, amount: 1_000_000n }),
    inboundProven({ ...inbound, credits }),
  ];
  for (const entry of entries) await store.tx((db) => postEntry(db, store.tables, entry, 1));
  const odd = { unit: 'usdc', side: 'signed', balance: 0n, balanceWei: '0' } as const;
  const name = accounts.refundDue('solana', PEOPLE.payer);
  await store.tx((db) => db.insert(store.tables.accounts).values({ ...odd, name }));
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function scrape(): Promise<Exposition> {
  const answer = await app().request('/metrics', bearer(TOKEN));
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  return parseExposition(await answer.text());
}

async function post(path: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await app().request(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

describe('the metrics show what the database holds', () => {
  const expected: [name: string, labels: Record<string, string>, value: number | undefined][] = [
    ['database_up', {}, 1],
    ['payments', { status: 'received', network: 'base' as const }, 1],
    ['payments', { status: 'settling', network: 'base' as const }, 2],
    ['payments', { status: 'final', network: 'solana' as const }, 1],
    ['payments', { status: 'final', network: 'base' as const }, 0],
    ['payments', { status: 'rejected', network: 'base' as const }, 1],
    ['payouts', { status: 'queued', network: 'base' as const }, 1],
    ['payouts', { status: 'confirmed', network: 'base' as const }, 1],
    ['payouts', { status: 'held', network: 'base' as const }, 0],
    ['payouts', { status: 'held', network: 'solana' as const, held_reason: 'no_token_account' }, 1],
    // Two reasons that are not words of the program.
    ['payouts', { status: 'held', network: 'solana' as const, held_reason: 'other' }, 2],
    ['payment_oldest_open_age_seconds', { network: 'base' as const }, 90.5],
    ['payment_oldest_open_age_seconds', { network: 'solana' as const }, 0],
    ['payout_oldest_open_age_seconds', { network: 'base' as const }, 8],
    // What is held waits for a rule, not for us.
    ['payout_oldest_open_age_seconds', { network: 'solana' as const }, 0],
    ['outbox_open_items', {}, 2],
    ['outbox_oldest_due_age_seconds', {}, 12],
    ['signing_stops', { reason: 'operator' }, 1],
    ['signing_stops', { reason: 'invariant_broken' }, 0],
    ['network_serves', { network: 'base' as const }, 0],
    ['network_out', { network: 'base' as const, reason: 'stopped' }, 1],
    ['network_out', { network: 'base' as const, reason: 'no_worker' }, undefined],
    ['second_node_compared', { network: 'base' as const }, 0],
    ['second_node_compared', { network: 'solana' as const }, undefined],
    ['scan_cursor_block', { network: 'base' as const }, 41],
    ['scan_cursor_block', { network: 'solana' as const }, undefined],
    ['worker_heartbeat_age_seconds', {}, 1],
    ['worker_heartbeat_age_seconds', { network: 'base' as const }, 3.25],
    ['worker_heartbeat_age_seconds', { network: 'solana' as const }, 0],
    ['ledger_balance_usdc', { account: 'chain', network: 'base' as const }, 3.500001],
    ['ledger_balance_usdc', { account: 'escrow', network: 'base' as const }, -2.5],
    ['ledger_balance_usdc', { account: 'float', network: 'base' as const }, -1],
    ['ledger_balance_usdc', { account: 'fees', network: 'base' as const }, -0.000001],
    ['native_cost_today', { network: 'base' as const, kind: 'gas' }, 1.5],
    ['native_cost_today', { network: 'solana' as const, kind: 'rent' }, 0.00203928],
    ['mails_today', { share: 'asked' }, 3],
    ['ledger_balance_usdc', { account: 'refund_due', network: 'solana' as const }, 0],
  ];
  let families: Exposition;
  beforeEach(async () => {
    families ??= await scrape();
  });

  test('each under its name and its labels', () => {
    const shown = expected.map(([name, labels]) => [name, labels, valueOf(families, `pennypost_${name}`, labels)]);
    expect(shown).toEqual(expected);
  });

  test('what the process itself knows has the names that dashboards for Node know', () => {
    expect(valueOf(families, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(families.get('nodejs_eventloop_lag_p99_seconds')?.type).toBe('gauge');
    expect(valueOf(families, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
  });

  test('every metric of ours carries the name of the service, and units come last', () => {
    const ours = [...families.keys()].filter((name) => !/^(?:nodejs|process)_/.test(name));
    expect(ours.filter((name) => !name.startsWith('pennypost_'))).toEqual([]);
    expect(ours.filter((name) => /age|duration/.test(name) && !name.endsWith('_seconds'))).toEqual([]);
  });
});

describe('what is asked of the database', () => {
  test('is asked once in five seconds', async () => {
    await scrape();
    isBroken = true;
    monotonicMs = 4_999;
    expect(valueOf(await scrape(), 'pennypost_database_up')).toBe(1);
    monotonicMs = 5_000;
    expect(valueOf(await scrape(), 'pennypost_database_up')).toBe(0);
  });

  test('is left out when it does not answer; the process still reports its own', async () => {
    expect(valueOf(await scrape(), 'pennypost_database_up')).toBe(1);
    isBroken = true;
    monotonicMs = 5_000;
    const families = await scrape();
    const known = [...families.values()].filter(({ samples }) => samples.length > 0).map(({ name }) => name);
    const ours = known.filter((name) => name.startsWith('pennypost_'));
    expect(ours.filter((name) => !name.startsWith('pennypost_http_'))).toEqual(['pennypost_database_up']);
    expect(valueOf(families, 'pennypost_database_up')).toBe(0);
    expect(valueOf(families, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(JSON.stringify([...families])).not.toContain('disk');
    expect(logged.map(({ msg }) => msg)).toContain('metrics could not read the database');
    isBroken = false;
    monotonicMs = 10_000;
    expect(valueOf(await scrape(), 'pennypost_outbox_open_items')).toBe(2);
  });
});

describe('requests are counted', () => {
  // While signing is stopped nobody is asked to pay.
  beforeAll(() => service.store.tx((db) => db.delete(service.store.tables.signingStops)));
  afterAll(() => stopSigning(service.store, { reason: 'operator', network: 'all', detail: 'again' }, 1));

  const requests: [name: string, send: () => Promise<unknown>, route: string, method: string, status: number][] = [
    [
      'by the pattern of a payment route',
      () => post('/payments/x/pay', { receiver: 'alice', amount: 1 }),
      '/payments/:platform/pay',
      'POST',
      402,
    ],
    ['refused ones too', () => post('/payments/x/pay', { receiver: 'b@d' }), '/payments/:platform/pay', 'POST', 400],
    ['wrong methods', async () => app().request('/payments/x/pay'), '/payments/:platform/pay', 'GET', 405],
    [
      'questions whether one may ask',
      async () => app().request('/payments/x/batch-pay', { method: 'OPTIONS' }),
      '/payments/:platform/batch-pay',
      'OPTIONS',
      204,
    ],
    [
      'claim pages without the name',
      async () => app().request('/claim/x/alice'),
      '/claim/:platform/:handle',
      'GET',
      200,
    ],
    [
      'receipts without their secret',
      async () => app().request(`/receipts/${'A'.repeat(22)}`),
      '/receipts/:slug',
      'GET',
      404,
    ],
    ['health', async () => app().request('/health/live'), '/health/live', 'GET', 200],
    [
      'HEAD as what it is',
      async () => app().request('/openapi.json', { method: 'HEAD' }),
      '/openapi.json',
      'HEAD',
      200,
    ],
    ['addresses that nobody serves, as one', async () => app().request('/alice/secret'), 'unknown', 'GET', 404],
    ['and below the payments', async () => app().request('/payments/alice'), 'unknown', 'GET', 404],
    ['any other method as one', async () => app().request('/', { method: 'PROPFIND' }), '/', 'other', 405],
  ];
  test('each by its route, its method and its status', async () => {
    const counts = new Map<string, number>();
    for (const [, send, route, method, status] of requests) {
      await send();
      await send();
      const labels = JSON.stringify({ route, method, status: String(status) });
      counts.set(labels, 2 + (counts.get(labels) ?? 0));
    }
    const families = await scrape();
    for (const [text, count] of counts) {
      const labels = JSON.parse(text) as Record<string, string>;
      const asked = valueOf(families, 'pennypost_http_requests_total', labels);
      const timed = valueOf(families, 'pennypost_http_request_duration_seconds_count', labels);
      expect([text, asked, timed]).toEqual([text, count, count]);
    }
  });

  test('once, however many read that at the same time', async () => {
    await app().request('/health/live');
    const labels = { route: '/health/live', method: 'GET', status: '200' };
    const readings = await Promise.all([scrape(), scrape(), scrape()]);
    const counts = readings.map((families) => valueOf(families, 'pennypost_http_requests_total', labels));
    expect(counts).toEqual([1, 1, 1]);
  });

  test('what pages load is one route, whatever it is called this time', async () => {
    const page = await (await app().request('/')).text();
    const address = /\/assets\/[0-9a-f]+\/style\.css/.exec(page)?.[0] ?? 'none';
    expect((await app().request(address)).status).toBe(200);
    const labels = { route: '/assets', method: 'GET', status: '200' };
    expect(valueOf(await scrape(), 'pennypost_http_requests_total', labels)).toBe(1);
  });

  test('with how long they took', async () => {
    const slow = createApi(
      {
        ...dependencies,
        queueAnswers: async () => {
          monotonicMs += 700;
          return true;
        },
      },
      true,
      { metrics, token: TOKEN },
    );
    await slow.request('/health');
    const families = await scrape();
    const labels = { route: '/health', method: 'GET', status: '503' };
    const name = 'pennypost_http_request_duration_seconds';
    expect(valueOf(families, `${name}_sum`, labels)).toBe(0.7);
    expect(valueOf(families, `${name}_bucket`, { ...labels, le: '0.5' })).toBe(0);
    expect(valueOf(families, `${name}_bucket`, { ...labels, le: '1' })).toBe(1);
  });

  test('the reader of metrics too, and those who may not read them', async () => {
    await scrape();
    await app().request('/metrics');
    const families = await scrape();
    const labels = { route: '/metrics', method: 'GET' };
    expect(valueOf(families, 'pennypost_http_requests_total', { ...labels, status: '200' })).toBe(1);
    expect(valueOf(families, 'pennypost_http_requests_total', { ...labels, status: '404' })).toBe(1);
  });
});

test('nobody is named, whatever is asked and whatever stands in the rows', async () => {
  await post('/payments/x/pay', { receiver: 'alice', amount: 1, description: 'for alice' });
  await post('/payments/alice/pay', { receiver: 'alice', amount: 1 });
  for (const path of [
    '/claim/x/alice',
    '/claim/alice',
    '/alice',
    '/receipts/alice',
    '/payments/validate?receiver=alice',
  ]) {
    await app().request(path);
  }
  const answer = await app().request('/metrics', bearer(TOKEN));
  const text = await answer.text();
  for (const secret of ['alice', 'bob', PEOPLE.payer, PEOPLE.wallet, PEOPLE.treasury, TOKEN]) {
    expect(text.toLowerCase()).not.toContain(secret);
  }
  const labels = [...parseExposition(text).values()].flatMap(({ samples }) => samples.map((sample) => sample.labels));
  const names = new Set(labels.flatMap((label) => Object.keys(label)));
  expect([...names].toSorted()).toEqual(
    // The last ones are of the process: kinds of handles, heap spaces, garbage collections, and Node's version.
    ['account', 'alert', 'held_reason', 'le', 'method', 'network', 'reason', 'route', 'share', 'status']
      .concat(['kind', 'major', 'minor', 'patch', 'space', 'type', 'version'])
      .toSorted(),
  );
});

describe('a caller without access gets what an unknown address gets', () => {
  const headersOf = (answer: Response) =>
    [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  // A page's links to other languages name the address that was asked for.
  const withoutId = (text: string) => text.replace(/req_[A-Za-z0-9_-]+/g, 'req').replaceAll('/metrix', '/metrics');

  const strangers: [string, RequestInit][] = [
    ['no token', {}],
    ['a wrong token', bearer('b'.repeat(TOKEN.length))],
    ['a token that begins the same', bearer(TOKEN.slice(0, -1))],
    ['a token with more behind it', bearer(`${TOKEN}x`)],
    ['an empty token', { headers: { Authorization: 'Bearer ' } }],
    ['the token in another scheme', { headers: { Authorization: `Basic ${TOKEN}` } }],
    ['the bot’s token', bearer('the-bot-token-of-the-test-0123456789')],
    ['another method', { ...bearer(TOKEN), method: 'POST' }],
    ['no token, from a browser', { headers: { Accept: 'text/html' } }],
  ];
  test('whatever is wrong with what it brings', async () => {
    for (const [name, init] of strangers) {
      const found = await app().request('/metrics', init);
      const unknown = await app().request('/metrix', init);
      expect([name, found.status, headersOf(found)]).toEqual([name, 404, headersOf(unknown)]);
      expect(withoutId(await found.text())).toBe(withoutId(await unknown.text()));
    }
  });

  test.each([true, false])('also in a process with (%s) or without the API', async (serves) => {
    const other = createApi(dependencies, serves, { metrics, token: TOKEN });
    const [found, unknown] = [await other.request('/metrics'), await other.request('/metrix')];
    expect([found.status, withoutId(await found.text())]).toEqual([404, withoutId(await unknown.text())]);
    expect((await other.request('/metrics', bearer(TOKEN))).status).toBe(200);
  });

  test.each([
    ['metrics that have a port of their own and no token', () => ({ metrics, token: null })],
    ['no metrics', () => null],
  ])('everybody, with %s', async (_name, mounted) => {
    const other = createApi(dependencies, true, mounted());
    const answers = ['', 'null', 'undefined', TOKEN].map(async (token) => other.request('/metrics', bearer(token)));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test('HEAD with the token answers 200 without a body', async () => {
    const answer = await app().request('/metrics', { ...bearer(TOKEN), method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

test('after closing nothing is asked of the database any more, and nothing is logged about it', async () => {
  await metrics.close();
  isBroken = true;
  const families = await scrape();
  expect(valueOf(families, 'pennypost_database_up')).toBe(0);
  expect(logged).toEqual([]);
});
