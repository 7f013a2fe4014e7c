/** Traces as a collector gets them: one of each payment, from the request at the API to the payout by the worker. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CallerConnection } from '../../../api/responses/responses.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { stopLocalMode } from '../../../local/mode.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import type { Service } from '../../../service/start.ts';
import { createSpanSender } from '../../../service/tracing/sender.ts';
import { createTracing } from '../../../service/tracing/tracing.ts';
import { valueOf, parseExposition } from '../../api/metrics/exposition.ts';
import { startLocalService } from '../../support/local-service.ts';
import { makeProof, post } from '../../support/pay.ts';
import { onPostgres } from '../../support/postgres.ts';
import { findQuietPort } from '../../support/quiet-port.ts';
import { basePartsOf, fundOn } from '../../support/served.ts';
import { startCollector, type Collector, type SeenSpan } from './collector.ts';

const SOON = { timeout: 60_000, interval: 100 };
const AUTHORIZATION = 'Bearer canary-of-the-collector';
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-traces-'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Someone with a wallet, so that what they are sent is paid out at once. */
async function linkSomeone({ store }: Service, name: string): Promise<void> {
  const ids = createIds(randomBytes);
  const recipient = parseRecipient('x', name);
  const person = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, ids.identityId(), Date.now()));
  const address = privateKeyToAccount(generatePrivateKey()).address.toLowerCase();
  await linkWallet(store, { identityId, network: 'base', address, source: 'operator' }, ids.payoutId, Date.now());
}

async function signed(service: Service): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey());
  await fundOn(service, 'base', account.address);
  const { treasury } = basePartsOf(service);
  return makeProof({ from: account.address, signer: account, payTo: treasury.address, value: 1_000_000n });
}

onPostgres((fresh) => {
  test('one trace has a payment from its request to its payout, over the roles that carry it, and nothing private', async () => {
    const collector = await startCollector({ authorization: AUTHORIZATION });
    const database = await fresh();
    const port = await findQuietPort();
    const url = `http://127.0.0.1:${port}`;
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '200');
    const env = {
      NETWORKS: 'base',
      DATABASE_URL: database.kind === 'postgres' ? database.url : '',
      BASE_URL: url,
      LOCAL_BLOCK_MS: '250',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(AUTHORIZATION)}`,
    };
    // They share books and Redis only, as processes do.
    const worker = await startLocalService({ dataDir, roles: ['worker', 'bot'], env });
    const api = await startLocalService({ dataDir, roles: ['api'], env: { ...env, PORT: String(port) } });
    expect(api.url).toBe(url);

    await linkSomeone(worker, 'canary_person');
    const proof = await signed(worker);
    const order = { receiver: 'canary_person', amount: 1, note: 'a canary note' };
    const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`, 'x-canary': 'canary-header' };
    const paid = await post(`${url}/payments/x/pay?canary=query`, order, { ...headers, 'PAYMENT-SIGNATURE': proof });
    expect([paid.status, paid.body]).toEqual([200, expect.anything()]);
    const { settlement_attempt_id: paymentId, receipt } = paid.body.data;
    const wanted = [
      'POST /payments/:platform/pay',
      'accept.reserve',
      'settle.sign',
      'settle.store',
      'settle.broadcast',
      'chain.confirm',
      'accept.wait',
      'answer.deliver',
      'payout.authorize',
      'payout.broadcast',
      'payout.confirm',
    ];
    const [trace, tip] = await Promise.all([completed(collector, paymentId, wanted), tipFromChat(worker, url)]);
    const [request, ...steps] = wanted.map((name) => spanIn(trace, name));
    expect(request).toMatchObject({ roles: 'api', parentSpanId: null, links: [CALLER] });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 200, 'pennypost.network': 'base' });
    for (const step of steps) {
      expect(step).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
      expect(step?.roles).toBe((step?.name ?? '').startsWith('a') ? 'api' : 'worker,bot');
      expect(step?.attributes['pennypost.payment']).toBe(paymentId);
      expect(step?.startMs).toBeGreaterThanOrEqual(request?.startMs ?? Infinity);
    }
    inOrder(trace, ['accept.reserve', 'settle.sign', 'settle.store', 'settle.broadcast', 'chain.confirm']);
    inOrder(trace, ['chain.confirm', 'payout.authorize', 'payout.broadcast', 'payout.confirm']);
    inOrder(trace, ['chain.confirm', 'accept.wait', 'answer.deliver']);

    const chat = await completed(collector, tip, ['order.pay', 'receipt.post', ...wanted.slice(0, 7)]);
    expect(new Set(chat.map(({ traceId }) => traceId)).size).toBe(1);

    // A command on the way out: what is still waiting goes with the end of a role.
    await api.close();
    await worker.close();
    await collector.close();
    expect(collector.refused).toEqual([]);
    const keys = JSON.stringify(localKeysOf(parseConfig({ DATA_DIR: dataDir }))).match(/[0-9a-zA-Z]{40,}/g) ?? [];
    expect(keys.length).toBeGreaterThan(3);
    const left = collector.texts.join('\n').toLowerCase();
    const secrets = [proof, new URL(receipt).pathname, 'canary', '/payments/x/', AUTHORIZATION, ...keys];
    expect(secrets.filter((text) => left.includes(text.toLowerCase()))).toEqual([]);
  }, 120_000);
});

/** Until all of these spans of a payment have come. */
function completed(collector: Collector, paymentId: string, names: string[]): Promise<SeenSpan[]> {
  return vi.waitFor(() => {
    expect(collector.refused).toEqual([]);
    const trace = collector.spans.filter(({ attributes }) => attributes['pennypost.payment'] === paymentId);
    expect(trace.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    return trace;
  }, SOON);
}

function spanIn(trace: readonly SeenSpan[], wanted: string): SeenSpan | undefined {
  return trace.find(({ name }) => name === wanted);
}

function inOrder(trace: readonly SeenSpan[], names: readonly string[]): void {
  const ends = names.map((name) => spanIn(trace, name)?.endMs ?? Number.NaN);
  expect(ends, names.join(' → ')).toEqual(ends.toSorted((a, b) => a - b));
}

/** As the page of the web chat speaks. Answers the payment's id. */
async function tipFromChat({ url, store }: Service, origin: string): Promise<string> {
  const page = await fetch(`${url}/chat`);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const headers = { cookie, origin, 'content-type': 'application/json' };
  const say = await fetch(`${url}/chat/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: '/tip @x:canary_person 1 a canary', event_id: 'canary-event' }),
  });
  expect([say.status, await say.text()]).toEqual([202, expect.anything()]);
  const { payments } = store.tables;
  return vi.waitFor(async () => {
    const rows = await store.read.select().from(payments);
    const tip = rows.find(({ agentKnown, status }) => agentKnown && status !== 'received');
    if (tip === undefined) throw new Error('the tip is not paid yet');
    return tip.id;
  }, SOON);
}

test('a collector that never answers slows no payment and no end of a process, and what it loses is counted; only so much waits for it', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  const collector = await startCollector({ hangs: true });
  const folder = mkdtempSync(join(tmpdir(), 'pennypost-hanging-'));
  const metricsPort = await findQuietPort();
  const service = await startLocalService({
    dataDir: folder,
    roles: ['api', 'worker'],
    env: {
      NETWORKS: 'base',
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  });
  const [first, second] = await Promise.all([signed(service), signed(service)]);
  const pay = (proof: string) =>
    post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': proof });
  expect((await pay(first)).status).toBe(200);
  await vi.waitFor(() => expect(collector.asked()).toBeGreaterThan(0), SOON);
  const dropped = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(valueOf(parseExposition(text), 'pennypost_trace_spans_total', { outcome: 'dropped' })).toBeGreaterThan(0);
  };
  expect((await pay(second)).status).toBe(200);
  await Promise.all([expectLittleWaits(collector), vi.waitFor(dropped, { ...SOON, interval: 500 })]);
  const endsAtMs = Date.now();
  await service.close();
  expect(Date.now() - endsAtMs).toBeLessThan(10_000);
  await collector.close();
  await stopLocalMode(folder);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

const SPAN = { paymentId: 'attempt_1_a', name: 'settle.sign', startMs: 1, endMs: 2 };

/** Spans, and the end of their sender. */
async function expectLittleWaits(collector: Collector): Promise<void> {
  const { traces } = parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  if (traces === undefined) throw new Error('traces are off');
  const sender = createSpanSender(traces, 'api', pino({ level: 'silent' }));
  for (let count = 0; count < 5_000; count += 1) sender.send(SPAN);
  expect(sender.counts()).toEqual({ sent: 0, dropped: 5_000 - 2_048 });
  const sinceMs = Date.now();
  await sender.close();
  expect(Date.now() - sinceMs).toBeLessThan(4_000);
}

test('a database that does not answer holds up nobody who passes a point', async () => {
  const dropped = vi.fn<(count: number) => void>();
  const sender = {
    send: () => undefined,
    drop: dropped,
    counts: () => ({ sent: 0, dropped: 0 }),
    close: async () => undefined,
  };
  const hung = { tables: {}, read: { select: () => ({ from: () => ({ innerJoin: () => never }) }) } };
  const never = { leftJoin: () => ({ where: () => new Promise(() => undefined) }) };
  const tables = { lines: {}, refunds: {}, transfers: {}, carriers: {}, payments: {} };
  const tracing = createTracing(sender, { ...hung, tables } as never, () => 5);
  const passage = { sinceMs: 1, network: 'base', transfers: ['t1'] } as const;
  for (let count = 0; count < 40; count += 1) tracing.pass('payout.after-send', passage);
  expect(dropped).toHaveBeenCalledTimes(40 - 2);
  await tracing.close();
  // What cannot even be told is no reason to fail either.
  const send = () => {
    throw new Error('no room');
  };
  const broken = createTracing({ ...sender, send }, { ...hung, tables } as never, () => 5);
  expect(() => broken.pass('settle.after-send', { ...passage, payments: ['p1'] })).not.toThrow();
  const responses = { hold: () => ({ id: 'c', process: 'p', epoch: 1 }), hand: async () => 'handed' } as never;
  const watched = broken.watch(responses);
  const connection: CallerConnection = { id: 'c', signal: new AbortController().signal, destroy: () => undefined };
  const answered = { method: 'POST', route: '/r', status: 200, traceParent: undefined };
  await broken.requests.request(async () => {
    await watched.hold(connection);
    expect(await watched.hand(connection, 'p1')).toBe('handed');
    return answered;
  });
});

test('switched off, nothing of it is loaded: one file names the libraries, and only who is asked for traces loads it', () => {
  const folder = join(import.meta.dirname, '../../../service');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const loads = (wanted: RegExp) => sources.filter((name) => wanted.test(textOf(name)));
  expect(loads(/'@opentelemetry\//)).toEqual(['tracing/sender.ts']);
  expect(loads(/^import (?!type).*tracing\/sender\.ts'|^import (?!type).*'\.\/sender\.ts'/m)).toEqual([]);
  expect(loads(/import\('\.\/sender\.ts'\)/)).toEqual(['tracing/open.ts']);
});
