import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG } from '../../../core/catalog/operations.ts';
import { markTried } from '../../../db/rewards/unpaid.ts';
import { CAST } from '../../support/rewards/distributions.ts';
import { AUTHOR, createListedHub, fidOf, type Fan, type ListedHub } from '../../support/rewards/reward-hub.ts';
import { jsonPost, startInstallation, type Installation, type Reply } from '../../contract/installation.ts';

const PATH = '/rewards/decsocial/create-distribution';
const BOT = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };
const WALLET = `0x${'5a'.repeat(20)}`;
const FANS: readonly Fan[] = [
  { name: 'ada', kinds: ['like', 'comment', 'repost'], address: WALLET },
  { name: 'ben', kinds: ['comment'] },
  { name: 'cleo', kinds: ['like'] },
  { name: AUTHOR, kinds: ['like', 'comment'] },
];

let installation: Installation;
let hub: ListedHub;
beforeAll(async () => {
  hub = createListedHub(FANS);
  installation = await startInstallation({
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    decorate: (dependencies) => ({ ...dependencies, rewards: hub.rewards }),
  });
});
afterAll(() => installation.close());
beforeEach(() => {
  Object.assign(hub, { fans: [...FANS], trouble: null, hold: Promise.resolve() });
  hub.asked.readings = 0;
});

type Data = {
  id: string;
  status: string;
  budget: number;
  recipients: { username: string; user_id: string; weight: number; amount: number; wallet_address: string | null }[];
  left_out: { reason: string; count: number }[];
  order_secret: string;
} & Record<string, unknown>;

const post = (body: unknown, headers: Record<string, string> = {}, path = PATH) =>
  installation.send(path, jsonPost(body, headers));

async function create(body: Record<string, unknown> = {}): Promise<Data> {
  const reply = await post({ budget: 1, content_id: CAST, ...body });
  expect(reply.text).toContain('"code":200');
  expect(violationsOf('createDistribution', reply)).toEqual([]);
  return reply.body['data'] as unknown as Data;
}

function violationsOf(operation: 'createDistribution' | 'getDistribution', reply: Reply): string[] {
  const { path, method } = CATALOG[operation];
  return installation.violations(path, method, reply.status, reply.body);
}

const rows = async () => {
  const { store } = installation.service;
  return store.read.select().from(store.tables.distributions);
};

describe('a distribution is created', () => {
  test('with shares by weight, who is left out and why, and nothing is paid', async () => {
    const data = await create();
    expect(data).toMatchObject({ status: 'pending', content_id: CAST, budget: 1, fee: 0, total: 1 });
    expect(data.recipients).toEqual([
      { username: 'ada', user_id: fidOf('ada'), weight: 0.666667, amount: 0.666667, wallet_address: WALLET },
      { username: 'ben', user_id: fidOf('ben'), weight: 0.222222, amount: 0.222222, wallet_address: null },
      { username: 'cleo', user_id: fidOf('cleo'), weight: 0.111111, amount: 0.111111, wallet_address: null },
    ]);
    expect(data.left_out).toEqual([{ reason: 'author', count: 1 }]);
    expect(data['counts']).toBeNull();
    expect(await installation.claimed()).toBe(0);
  });

  test('its page and address tell the same without the secret, of which a digest is kept only', async () => {
    const { order_secret: secret, ...data } = await create();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const read = await installation.send(`/rewards/farcaster/distributions/${data.id}`);
    expect(read.body['data']).toEqual(data);
    expect(violationsOf('getDistribution', read)).toEqual([]);
    for (const row of await rows()) expect(Object.values(row)).not.toContain(secret);
  });

  test('by weights of the caller’s, for as many as the caller wants', async () => {
    const data = await create({ weights: { like: 1, comment: 0, repost: 0 }, max_recipients: 1 });
    expect(data.recipients.map(({ username }) => username)).toEqual(['ada']);
    expect(data.left_out).toContainEqual({ reason: 'max_recipients', count: 1 });
    expect(data['weights']).toEqual({ like: 1, comment: 0, repost: 0 });
  });

  test('without whom the caller names, by name or by id, and without the creator', async () => {
    const data = await create({ exclude: ['@Ada', fidOf('ben')], creator: 'farcaster:nobody-here' });
    expect(data.recipients.map(({ username }) => username)).toEqual(['cleo']);
    const own = await create({ creator: 'decsocial:ben' });
    expect(own.left_out).toContainEqual({ reason: 'creator', count: 1 });
    const elsewhere = await create({ creator: 'x:ben' });
    expect(elsewhere.recipients.map(({ username }) => username)).toContain('ben');
  });

  test('without those who want no payments', async () => {
    const { store } = installation.service;
    const { identities } = store.tables;
    const person = { id: 'person_ben', platform: 'decsocial', stableId: fidOf('ben'), key: 'ben', display: 'ben' };
    await store.tx((db) => db.insert(identities).values({ ...person, createdAtMs: 1, optedOutAtMs: 1 }));
    const data = await create();
    await store.tx((db) => db.delete(identities).where(eq(identities.id, person.id)));
    expect(data.recipients.map(({ username }) => username)).toEqual(['ada', 'cleo']);
    expect(data.left_out).toContainEqual({ reason: 'opted_out', count: 1 });
  });

  test('without those whom no payment could name, and the next move up', async () => {
    hub.fans = [
      { name: 'ghost', kinds: ['like', 'comment', 'repost'], isNameless: true },
      { name: 'ghost-2', kinds: ['repost'], isNameless: true },
      { name: 'cleo', kinds: ['like'] },
    ];
    const data = await create({ max_recipients: 1 });
    expect(data.recipients.map(({ username }) => username)).toEqual(['cleo']);
    expect(data.left_out).toEqual([{ reason: 'nameless', count: 2 }]);
  });

  test('anew by each call', async () => {
    const [first, second] = [await create(), await create()];
    expect(first.id).not.toBe(second.id);
    expect(first.order_secret).not.toBe(second.order_secret);
  });
});

describe('refused, and nothing is kept', () => {
  const right = { budget: 1, content_id: CAST };
  test.each<[string, unknown, string, string | undefined]>([
    ['no budget', { content_id: CAST }, 'validation_failed', 'budget'],
    ['a budget that is no number', { ...right, budget: 'ten' }, 'invalid_amount', 'budget'],
    ['a budget of zero', { ...right, budget: 0 }, 'invalid_amount', 'budget'],
    ['a negative budget', { ...right, budget: -1 }, 'invalid_amount', 'budget'],
    ['a seventh decimal', { ...right, budget: '1.0000001' }, 'invalid_amount', 'budget'],
    ['half a cent', { ...right, budget: 0.005 }, 'budget_too_small', 'budget'],
    ['more than 100 people may get', { ...right, budget: 1000.01 }, 'budget_too_large', 'budget'],
    ['more than these three may get', { ...right, budget: 30.000001 }, 'budget_too_large', 'budget'],
    ['no post', { budget: 1 }, 'validation_failed', 'content_id'],
    ['an unknown post', { ...right, content_id: `0x${'00'.repeat(20)}` }, 'content_not_found', 'content_id'],
    [
      'no weights above zero',
      { ...right, weights: { like: 0, comment: 0, repost: 0 } },
      'validation_failed',
      'weights',
    ],
    [
      'a weight of 101',
      { ...right, weights: { like: 101, comment: 1, repost: 1 } },
      'validation_failed',
      'weights.like',
    ],
    ['nobody at most', { ...right, max_recipients: 0 }, 'validation_failed', 'max_recipients'],
    ['101 at most', { ...right, max_recipients: 101 }, 'validation_failed', 'max_recipients'],
    ['half a person', { ...right, max_recipients: 1.5 }, 'validation_failed', 'max_recipients'],
    ['a text of names', { ...right, exclude: 'ada' }, 'validation_failed', 'exclude'],
    ['101 names', { ...right, exclude: Array(101).fill('ada') }, 'validation_failed', 'exclude'],
    ['a name that is none', { ...right, exclude: ['ada', 'not a name'] }, 'invalid_receiver', 'exclude[1]'],
    ['a creator without a platform', { ...right, creator: 'ada' }, 'validation_failed', 'creator'],
    ['a creator of an unknown platform', { ...right, creator: 'myspace:ada' }, 'validation_failed', 'creator'],
    [
      'a creator of a platform for bots',
      { ...right, creator: 'discord:175928847299117063' },
      'validation_failed',
      'creator',
    ],
    ['a list', [], 'validation_failed', undefined],
  ])('%s', async (_case, body, error, field) => {
    const before = (await rows()).length;
    const reply = await post(body);
    expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, error, field]);
    expect(violationsOf('createDistribution', reply)).toEqual([]);
    expect(await rows()).toHaveLength(before);
  });

  test('a post with which only its author engaged', async () => {
    hub.fans = [{ name: AUTHOR, kinds: ['like'] }];
    expect((await post(right)).body['error']).toBe('no_engagement');
  });

  test.each(['reading', 'describing'] as const)('a hub that fails while %s', async (trouble) => {
    const before = (await rows()).length;
    hub.trouble = trouble;
    const reply = await post(right);
    expect([reply.status, reply.body['error'], reply.body['retryable']]).toEqual([500, 'upstream_unavailable', true]);
    expect(await rows()).toHaveLength(before);
  });

  test.each([
    ['a known platform without rewards', '/rewards/x/create-distribution', 400, 'platform_unavailable'],
    ['a platform for bots', '/rewards/discord/create-distribution', 404, 'not_found'],
    ['a word that is no platform', '/rewards/myspace/create-distribution', 404, 'not_found'],
  ])('%s', async (_case, path, status, error) => {
    const reply = await post(right, {}, path);
    expect([reply.status, reply.body['error']]).toEqual([status, error]);
    expect(hub.asked.readings).toBe(0);
  });

  test('the bot may name a creator of its own platforms', async () => {
    const reply = await post({ ...right, creator: 'discord:175928847299117063' }, BOT);
    expect(reply.status).toBe(200);
  });

  test('the number of readings at once is limited, but not for the bot', async () => {
    let release = (): void => undefined;
    hub.hold = new Promise((resolve) => (release = resolve));
    const four = Array.from({ length: 4 }, () => post(right));
    await expect.poll(() => hub.asked.readings).toBe(4);
    const fifth = await post(right);
    expect([fifth.status, fifth.body['error'], fifth.headers.get('Retry-After')]).toEqual([429, 'rate_limited', '5']);
    const ofTheBot = post(right, BOT);
    await expect.poll(() => hub.asked.readings).toBe(5);
    release();
    expect((await ofTheBot).status).toBe(200);
    expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await post(right)).status).toBe(200);
  });
});

/** One whose callers have limits. */
async function startLimited(perMinute: number, untriedMax?: number) {
  const limited = createListedHub(FANS, perMinute, untriedMax);
  const few = await startInstallation({
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    decorate: (dependencies) => ({ ...dependencies, rewards: limited.rewards }),
  });
  const send = (headers: Record<string, string> = {}) =>
    few.send(PATH, jsonPost({ budget: 1, content_id: CAST }, headers));
  return { few, limited, send };
}

test('a caller has a limit a minute, the bot has none', async () => {
  const { few, send } = await startLimited(2);
  const statuses = [];
  for (const headers of [{}, {}, {}, BOT, BOT, BOT]) statuses.push((await send(headers)).status);
  await few.close();
  expect(statuses).toEqual([200, 200, 429, 200, 200, 200]);
});

test('a caller has a limit of unpaid ones a day, the bot has none', async () => {
  const { few, limited, send } = await startLimited(1_000, 2);
  const first = (await send()).body['data'] as unknown as Data;
  expect((await send()).status).toBe(200);
  const readings = limited.asked.readings;
  const refused = await send();
  expect([refused.status, refused.body['error'], refused.body['retryable']]).toEqual([429, 'rate_limited', true]);
  const { path, method } = CATALOG.createDistribution;
  expect(few.violations(path, method, refused.status, refused.body)).toEqual([]);
  // Until the first is over; the clock has moved on by less than a minute since.
  const seconds = Number(refused.headers.get('Retry-After'));
  expect(seconds > 86_340 && seconds <= 86_400).toBe(true);
  expect(limited.asked.readings).toBe(readings);
  const { store } = few.service;
  const kept = async () => store.read.select().from(store.tables.distributions);
  for (let times = 0; times < 3; times += 1) expect((await send(BOT)).status).toBe(200);
  const callers = (await kept()).map(({ caller }) => caller);
  expect(callers.filter((caller) => caller === null)).toHaveLength(3);
  expect(new Set(callers.filter((caller) => caller !== null)).size).toBe(1);
  await store.tx((db) => markTried(db, store.tables, first.id, 1));
  expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
  await few.close();
});

test('without a hub rewards are not offered', async () => {
  const without = await startInstallation();
  const reply = await without.send(PATH, jsonPost({ budget: 1, content_id: CAST }));
  await without.close();
  expect([reply.status, reply.body['error']]).toEqual([400, 'platform_unavailable']);
});
