import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi, createFront } from '../../../api/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { takeTurns } from '../../../api/environment/turns.ts';
import { trustProxies } from '../../../api/http/proxies.ts';
import type { ApiEnv } from '../../../api/http/env.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { startInstallation, type Installation } from '../../api/pages/installation.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';

const PER_MINUTE = 60;
const PAGE = { Accept: 'text/html' };

type Route = { path: string; init?: RequestInit; cost?: number };
const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const ROUTES: Readonly<Record<string, Route>> = {
  'the start page': { path: '/', init: { headers: PAGE } },
  'a receipt page': { path: '/receipts/{slug}', init: { headers: PAGE } },
  'a receipt for programs': { path: '/receipts/{slug}' },
  'a stream': { path: '/receipts/{slug}', init: { headers: { Accept: 'text/event-stream' } }, cost: 4 },
  'a claim page': { path: '/claim/x/alice', init: { headers: PAGE } },
  'the documentation': { path: '/openapi.json' },
  'an unknown address': { path: '/nothing/here', init: { headers: PAGE } },
  'the state of all networks': { path: '/health', cost: 4 },
  'a price': { path: '/payments/x/pay', init: json({ receiver: 'alice', amount: 1 }) },
  'a look-up': { path: '/payments/validate?txn_id=1' },
  'a tool': { path: '/mcp', init: json({ jsonrpc: '2.0', id: 1, method: 'ping' }) },
  'an agent': { path: '/a2a', init: json({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {} }) },
};

/** Of no receipt, since drawing is not what is tried here. */
const PICTURE: Route = { path: '/receipts/AAAAAAAAAAAAAAAAAAAAAA/preview.png', cost: 4 };

let installation: Installation;
let slug: string;
beforeAll(async () => {
  installation = await startInstallation();
  ({ slug } = await installation.seed());
});
afterAll(() => installation.close());

/** A caller is who the proxy in front says. */
function newDependencies(perMinute = PER_MINUTE): ApiDependencies {
  const { dependencies } = installation;
  const shared = {
    ...dependencies,
    startedAtMs: 0,
    queueAnswers: async () => true,
    notify: () => undefined,
    callerLimiter: createRateLimiter(perMinute, dependencies.now),
    settings: { ...dependencies.settings, isTrustedProxy: () => true },
  } as unknown as ApiDependencies;
  return { ...shared, collecting: createTestCollecting(shared) };
}

let app: ReturnType<typeof createApi>;
beforeEach(() => {
  app = createApi(newDependencies(), true);
});

async function ask({ path, init = {} }: Route, caller: string): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), 'X-Forwarded-For': caller };
  const answer = await app.request(path.replace('{slug}', slug), { ...init, headers });
  if (answer.headers.get('Content-Type')?.includes('event-stream')) await answer.body?.cancel();
  return answer;
}

async function countAnswered(route: Route, caller: () => string, times: number): Promise<number> {
  let answered = 0;
  for (let count = 0; count < times; count += 1) if ((await ask(route, caller())).status !== 429) answered += 1;
  return answered;
}

/** Uses the caller's minute up. */
const exhaust = (caller: string) => countAnswered({ path: '/nothing' }, () => caller, PER_MINUTE);

describe.each(Object.entries(ROUTES))('%s', (_name, route) => {
  test('is closed for a caller whose minute is used up, and open for all others', async () => {
    await exhaust('203.0.113.1');
    const refused = await ask(route, '203.0.113.1');
    expect(refused.status).toBe(429);
    const isPage = route.init?.headers === PAGE;
    expect(refused.headers.get('Content-Type')).toContain(isPage ? 'text/html' : 'application/json');
    if (!isPage) expect(await refused.text()).toContain('rate_limited');
    expect((await ask(route, '203.0.113.2')).status).not.toBe(429);
  });
});

test.each(['a stream', 'the state of all networks', 'a receipt for programs'])(
  '%s counts by what it costs',
  async (name) => {
    const route = ROUTES[name] ?? { path: '' };
    const { cost = 1 } = route;
    expect(await countAnswered(route, () => '203.0.113.1', PER_MINUTE / cost + 2)).toBe(PER_MINUTE / cost);
  },
);

test('all routes draw from one minute, and a network of IPv6 is one caller', async () => {
  await countAnswered(PICTURE, () => '2001:db8:1:2::1', 15);
  const random = () => `2001:db8:1:2:${randomBytes(2).toString('hex')}::9`;
  expect(await countAnswered({ path: '/nothing' }, random, 3)).toBe(0);
  expect((await ask({ path: '/nothing' }, '2001:db8:1:3::1')).status).toBe(404);
  // CONTROL: from networks of their own nobody is refused.
  const elsewhere = () => `2001:db8:2:${randomBytes(2).toString('hex')}::9`;
  expect(await countAnswered({ path: '/nothing' }, elsewhere, PER_MINUTE + 1)).toBe(PER_MINUTE + 1);
});

describe('behind a proxy of a container network', () => {
  const peer = { incoming: { socket: { remoteAddress: '::ffff:172.17.0.5' } } };

  /** How one person is answered whose neighbour behind the same proxy has used their own minute up. */
  async function answerBeside(proxies: readonly string[], neighbour: string): Promise<number> {
    const dependencies = newDependencies();
    const settings = { ...dependencies.settings, isTrustedProxy: trustProxies(proxies) };
    app = createApi({ ...dependencies, settings }, true);
    const asked = async (person: string) =>
      (await app.request('/nothing', { headers: { 'X-Forwarded-For': person } }, peer)).status;
    for (let count = 0; count < PER_MINUTE; count += 1) await asked(neighbour);
    return asked('203.0.113.2');
  }

  test('whose range is named, people are not shut out by each other', async () => {
    expect(await answerBeside(['172.16.0.0/12'], '203.0.113.1')).toBe(404);
  });

  test('what a person writes before the proxy does counts for nothing', async () => {
    expect(await answerBeside(['172.16.0.0/12'], '203.0.113.1, 203.0.113.2')).toBe(429);
    expect(await answerBeside(['172.16.0.0/12'], '203.0.113.2, 203.0.113.1')).toBe(404);
  });

  test('CONTROL: whose range is not named, all of them are one caller', async () => {
    expect(await answerBeside([], '203.0.113.1')).toBe(429);
  });
});

test('a picture counts by what it costs, and is not refused: over the limit the static one is the answer', async () => {
  const answers: string[] = [];
  for (let count = 0; count < 17; count += 1) {
    const { status, headers } = await ask(PICTURE, '203.0.113.1');
    answers.push(`${status} ${headers.get('Content-Type')}`);
  }
  expect(answers.filter((answer) => answer.startsWith('404'))).toHaveLength(15);
  expect(answers.slice(15)).toEqual(['200 image/png', '200 image/png']);
  expect((await ask({ path: '/nothing' }, '203.0.113.1')).status).toBe(429);
});

test('the time to wait is true: a second before it the caller is refused, then it is served', async () => {
  const { clock } = installation;
  const costly = ROUTES['the state of all networks'] ?? { path: '' };
  clock.nowMs = Math.ceil(clock.nowMs / 60_000) * 60_000 + 20_000;
  await exhaust('203.0.113.1');
  const refused = await ask(costly, '203.0.113.1');
  // The rest of this minute, and of the next as much as lets four of sixty fit in.
  expect(refused.headers.get('Retry-After')).toBe('44');
  clock.nowMs += 43_000;
  const again = await ask(costly, '203.0.113.1');
  expect([again.status, again.headers.get('Retry-After')]).toEqual([429, '1']);
  clock.nowMs += 1_000;
  expect((await ask(costly, '203.0.113.1')).status).not.toBe(429);
});

test('probes, preflights and what a secret proves are not counted', async () => {
  await exhaust('203.0.113.1');
  for (const path of ['/health/live', '/health/ready'])
    expect((await ask({ path }, '203.0.113.1')).status).not.toBe(429);
  const preflight = { path: '/payments/x/pay', init: { method: 'OPTIONS' } };
  expect((await ask(preflight, '203.0.113.1')).status).toBe(204);

  const webhook = createFront(newDependencies(1), { isProven: ({ headers }) => headers.get('secret') === 'known' });
  webhook.post('/telegram/webhook', (c) => c.text('taken'));
  const post = async (secret: string) =>
    (await webhook.request('/telegram/webhook', { method: 'POST', headers: { secret } })).status;
  expect([await post('wrong'), await post('wrong'), await post('known')]).toEqual([200, 429, 200]);
});

describe('readers beyond what is worked on at once', () => {
  /** A page takes until `finish`; a price takes nothing. */
  function newSite(atOnce: number) {
    const site = new Hono<ApiEnv>();
    const underWay: (() => void)[] = [];
    site.use(takeTurns({ now: () => 0 }, { atOnce }));
    site.get('/receipts/:slug', async (c) => {
      await new Promise<void>((resolve) => underWay.push(resolve));
      return c.text('a page');
    });
    site.post('/payments/x/pay', (c) => c.text('a price'));
    const read = () => Promise.resolve(site.request('/receipts/one')).then(({ status }) => status);
    return { underWay, read, pay: () => site.request('/payments/x/pay', { method: 'POST' }) };
  }

  test('wait for their turn, and no payer waits for them', async () => {
    const { underWay, read, pay } = newSite(2);
    const pages = Array.from({ length: 6 }, read);
    expect((await pay()).status).toBe(200);
    expect(underWay).toHaveLength(2);
    for (let done = 0; done < pages.length; done += 1) {
      await expect.poll(() => underWay.length).toBeGreaterThan(done);
      expect(underWay.length).toBeLessThanOrEqual(done + 2);
      underWay[done]?.();
    }
    expect(await Promise.all(pages)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test('CONTROL: without turns all of them are under way', async () => {
    const { underWay, read, pay } = newSite(Infinity);
    const pages = Array.from({ length: 6 }, read);
    await pay();
    expect(underWay).toHaveLength(6);
    for (const finish of underWay) finish();
    await Promise.all(pages);
  });
});

test.each(Object.entries(ROUTES))('CONTROL: without the limit %s stays open', async (_name, route) => {
  app = createApi(newDependencies(0), true);
  expect(await countAnswered(route, () => '203.0.113.1', PER_MINUTE + 1)).toBe(PER_MINUTE + 1);
});
