/** Which platforms there are for whom: every name and alias on every route, and those for our bot alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApiApp } from '../../../api/openapi/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { toReceiptView } from '../../../api/receipts/view.ts';
import { microUsdc } from '../../../core/money.ts';
import { PLATFORM_NAMES, PLATFORMS, type Platform } from '../../../core/platforms/platforms.ts';
import { findReceipt } from '../../../db/payments/records/find.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post, type Reply } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const BOT = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };

let chain: BaseChain;
let service: TestService;
let api: ApiDependencies;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const decorate = (dependencies: ApiDependencies) => (api = dependencies);
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, decorate, requestsPerMinute: 0 });
});
afterAll(async () => {
  try {
    await service.assertSound();
  } finally {
    await service.close();
    await chain.close();
  }
});

const words = (http: 'public' | 'bot') =>
  PLATFORM_NAMES.filter((name) => PLATFORMS[name].http === http).flatMap((name) =>
    [name, ...PLATFORMS[name].aliases].map((word) => [word, name] as const),
  );
const url = (path: string) => `${service.url}/payments/${path}`;
const line = (platform: Platform) => ({ receiver: PLATFORMS[platform].example, amount: 0.01 });

/** The same order by each of the three routes. */
const askAll = (word: string, platform: Platform, headers: Record<string, string> = {}) =>
  Promise.all([
    post(url(`${word}/pay`), line(platform), headers),
    post(url(`${word}/batch-pay`), { receivers: [line(platform)] }, headers),
    post(url('batch-pay'), { receivers: [{ platform: word, ...line(platform) }] }, headers),
  ]);
const answersOf = (replies: readonly Reply[]) => replies.map(({ status, body }) => [status, body['error']]);
/** What a caller could tell two answers apart by. */
const tellable = ({ status, headers, body }: Reply, word: string) => {
  const told = JSON.stringify({ ...body, request_id: '' }).replaceAll(word, 'WORD');
  return [status, told, [...headers.keys()].toSorted()];
};

describe('for everybody', () => {
  test.each(words('public'))('%s is %s on every route, in any case', async (word, platform) => {
    for (const text of [word, word.toUpperCase()]) {
      expect(answersOf(await askAll(text, platform))).toEqual(Array(3).fill([402, 'payment_required']));
    }
  });

  test('an alias is the same request as the name: one proof answers both', async () => {
    const account = await chain.createAccount({ usdc: microUsdc(10_000n), wei: 0n });
    const from = { from: account.address, signer: account, payTo: service.parts.treasury.address };
    const proof = { 'PAYMENT-SIGNATURE': await makeProof({ ...from, value: 10_000n }) };
    const [paid, again] = [
      await post(url('github/pay'), line('code'), proof),
      await post(url('code/pay'), line('code'), proof),
    ];
    expect([paid.status, again.body]).toEqual([200, paid.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    const [stored] = await service.store.read.select().from(service.store.tables.lines);
    expect(stored).toMatchObject({ platform: 'code', recipientKey: 'octocat' });
  });

  test.each(words('bot'))('%s does not exist, exactly like a word that is no platform', async (word, platform) => {
    const replies = await askAll(word, platform);
    expect(answersOf(replies)).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'platform_unavailable'],
    ]);
    const unknown = await askAll('myspace', platform);
    expect(replies.map((reply) => tellable(reply, word))).toEqual(unknown.map((reply) => tellable(reply, 'myspace')));
  });

  test.each([
    ['no scheme', 'the-bot-token-of-the-test-0123456789'],
    ['another scheme', 'Basic the-bot-token-of-the-test-0123456789'],
    ['a shorter token', 'Bearer the-bot-token-of-the-test-012345678'],
    ['a longer token', 'Bearer the-bot-token-of-the-test-01234567890'],
    ['another token', 'Bearer the-bot-token-of-the-test-0123456780'],
    ['nothing', 'Bearer '],
  ])('with %s it does not exist either', async (_case, authorization) => {
    const replies = await askAll('photo', 'photo', { Authorization: authorization });
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 400]);
  });

  test.each(['GET', 'PUT', 'OPTIONS'])('%s tells no more', async (method) => {
    const answers = await Promise.all(
      ['photo', 'myspace'].map(async (word) => {
        const answer = await fetch(url(`${word}/pay`), { method });
        return [answer.status, answer.headers.get('Allow'), (await answer.text()).replace(/req_[\w-]+/, '')];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('the documents do not name what is for the bot alone', async () => {
    const docs = createOpenApiApp({ ...api, identity: { platforms: PLATFORM_NAMES } });
    for (const path of ['/openapi.json', '/.well-known/x402', '/llms.txt', '/docs']) {
      const text = await (await docs.request(path)).text();
      expect(text, path).toContain('x402');
      for (const [word] of words('bot')) expect(text, path).not.toMatch(new RegExp(`\\b${word}\\b`, 'i'));
    }
    // The control: the same search finds what is there for everybody.
    expect(await (await docs.request('/openapi.json')).text()).toMatch(/\bwarpcast\b/i);
  });
});

describe('for our bot', () => {
  test.each([...words('bot'), ...words('public')])('%s is %s on every route', async (word, platform) => {
    expect(answersOf(await askAll(word, platform, BOT))).toEqual(Array(3).fill([402, 'payment_required']));
  });

  test('the scheme’s case does not matter', async () => {
    const { status } = await post(url('ig/pay'), line('photo'), { Authorization: BOT.Authorization.replace('B', 'b') });
    expect(status).toBe(402);
  });

  test('a word that is no platform is none for it either', async () => {
    expect(answersOf(await askAll('myspace', 'x', BOT)).map(([status]) => status)).toEqual([404, 404, 400]);
  });

  test('without a token in the configuration nobody is the bot', async () => {
    const { settings } = api;
    api.settings = { ...settings, botApiToken: null };
    const replies = await askAll('photo', 'photo', BOT).finally(() => (api.settings = settings));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 400]);
  });

  test('a platform that is not offered is refused before anybody is asked for money', async () => {
    const { identity } = api;
    api.identity = { ...identity, platforms: ['x', 'discord'] };
    const replies = await askAll('photo', 'photo', BOT).finally(() => (api.identity = identity));
    expect(answersOf(replies)).toEqual(Array(3).fill([400, 'platform_unavailable']));
  });
});

describe('a payment of our bot', () => {
  const order = { ...line('discord'), meta: { agent_name: 'alice on Discord' } };

  let paid: Awaited<ReturnType<typeof pay>>;
  beforeAll(async () => {
    paid = await pay('discord/pay', order, BOT);
  });

  async function pay(path: string, body: object, headers: Record<string, string>) {
    const account = await chain.createAccount({ usdc: microUsdc(10_000n), wei: 0n });
    const from = { from: account.address, signer: account, payTo: service.parts.treasury.address };
    const proof = await makeProof({ ...from, value: 10_000n });
    const reply = await post(url(path), body, { 'PAYMENT-SIGNATURE': proof, ...headers });
    const row = await findReceipt(service.store, reply.body.data.receipt.split('/').at(-1) ?? '', Date.now());
    const view = row && toReceiptView(row, { baseUrl: service.url, localMode: true, networks: [] });
    return { reply, view, proof };
  }

  test('reaches a person on a platform for bots, and its sender is known', () => {
    const { reply, view } = paid;
    expect([reply.status, reply.body.data.status]).toEqual([200, 'pending_claim']);
    expect(view).toMatchObject({ platform: 'discord', senderName: 'alice on Discord', isSenderKnown: true });
  });

  test('from any other caller the same name is only what they call themselves', async () => {
    const { view } = await pay('x/pay', { ...order, receiver: 'alice' }, {});
    expect(view).toMatchObject({ senderName: 'alice on Discord', isSenderKnown: false });
  });

  test('is found by its receiver for the bot, and for nobody else', async () => {
    const ask = async (query: string, headers = {}) => {
      const answer = await fetch(url(`validate?amount=0.01&receiver=${order.receiver}${query}`), { headers });
      const body = (await answer.json()) as Record<string, unknown>;
      return [answer.status, body['error']];
    };
    expect(await ask('&platform=discord', BOT)).toEqual([200, undefined]);
    expect(await ask('', BOT)).toEqual([200, undefined]);
    expect(await ask('&platform=discord')).toEqual(await ask('&platform=myspace'));
    expect(await ask('')).toEqual([400, 'payment_not_found']);
  });

  test('without the token even its own proof finds no route', async () => {
    const again = await post(url('discord/pay'), order, { 'PAYMENT-SIGNATURE': paid.proof });
    expect([again.status, again.body['error']]).toEqual([404, 'not_found']);
  });
});
