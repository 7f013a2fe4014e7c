import { Challenge, Credential, Receipt } from 'mppx';
import { evm, Mppx } from 'mppx/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { jsonPost, startInstallation, toReply, type Installation, type Reply } from '../../contract/installation.ts';
import { call, say } from '../mcp/caller.ts';

/** The Machine Payments Protocol: an unmodified `mppx` pays, and its credential is the same proof as any other. */
const ORDER = { receiver: 'alice', amount: 1 };
const PATH = '/payments/x/pay';

let chain: BaseChain;
let installation: Installation;
/** Pays nothing in any test. */
let refused: Account;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
  refused = await newPayer();
});
afterAll(async () => {
  try {
    await installation?.service.assertSound();
  } finally {
    await installation?.close();
    await chain?.close();
  }
});

const BOT_TOKEN = 'the-bot-token-of-the-test-0123456789';

type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
const balanceOf = (payer: Account) => installation.service.parts.rpc.balanceOf(payer.address, 'latest');
const newPayer = () => chain.createAccount({ usdc: microUsdc(20_000_000n), wei: 0n });
const clientOf = (account: Account) =>
  Mppx.create({ polyfill: false, methods: [evm({ account, currencies: [evm.assets.base.USDC], maxAmount: '5' })] });

/** Signs what a 402 asks for, as the client does. */
async function credentialFor(account: Account, order: object = ORDER, headers: Record<string, string> = {}) {
  const asked = await fetch(installation.url + PATH, jsonPost(order, headers));
  return { challenge: Challenge.fromResponse(asked), text: await clientOf(account).createCredential(asked) };
}

const present = (text: string, order: object = ORDER, headers: Record<string, string> = {}): Promise<Reply> =>
  installation.send(PATH, jsonPost(order, { Authorization: text, ...headers }));

/** The same credential with something changed. */
function changed(text: string, change: (credential: ReturnType<typeof Credential.deserialize>) => void): string {
  const credential = structuredClone(Credential.deserialize(text));
  change(credential);
  return Credential.serialize(credential);
}

function problemOf({ status, headers, text }: Reply): unknown[] {
  expect(headers.get('content-type')).toBe('application/problem+json');
  const problem = JSON.parse(text) as { type: string; error: string };
  return [status, problem.type.replace('https://paymentauth.org/problems/', ''), problem.error];
}

describe('an unmodified mppx', () => {
  test('pays a name and reads the receipt of its chain', async () => {
    const payer = await newPayer();
    const response = await clientOf(payer).fetch(installation.url + PATH, jsonPost(ORDER));
    const reply = await toReply(response.clone());
    expect(reply.status).toBe(200);
    expect(reply.body.data.amount).toBe(1);
    const settlement = JSON.parse(atob(reply.headers.get('PAYMENT-RESPONSE') ?? '')) as { transaction: string };
    expect(Receipt.fromResponse(response)).toMatchObject({
      status: 'success',
      method: 'evm',
      reference: settlement.transaction,
      challengeId: expect.any(String),
    });
    expect(response.headers.get('Cache-Control')).toContain('private');
    expect(await balanceOf(payer)).toBe(19_000_000n);
  });

  test('pays a batch', async () => {
    const payer = await newPayer();
    const receivers = [ORDER, { receiver: 'bob', amount: 0.5 }];
    const response = await clientOf(payer).fetch(`${installation.url}/payments/x/batch-pay`, jsonPost({ receivers }));
    expect([response.status, (await toReply(response)).body.data]).toMatchObject([200, [{}, {}]]);
    expect(await balanceOf(payer)).toBe(18_500_000n);
  });

  test('pays beside a bearer token, in the field that the challenge selects', async () => {
    const bearer = { Authorization: `Bearer ${BOT_TOKEN}` };
    const payer = await newPayer();
    const order = { ...ORDER, meta: { agent_name: 'bot' } };
    const response = await clientOf(payer).fetch(installation.url + PATH, jsonPost(order, bearer));
    expect(response.status).toBe(200);
    const { challenge, text } = await credentialFor(payer, ORDER, bearer);
    expect(challenge.header).toBe('Payment-Authorization');
    expect(problemOf(await present(text))).toEqual([402, 'invalid-challenge', 'invalid_challenge']);
  });

  test('calls a tool of MCP', async () => {
    const payer = await newPayer();
    const path = '/mcp?payment=result';
    const toolCall = call('pay_x', ORDER);
    const accept = { Accept: 'application/json, text/event-stream' };
    const response = await clientOf(payer).fetch(installation.url + path, jsonPost(toolCall, accept));
    const { result } = (await response.json()) as { result: Record<string, Record<string, unknown>> };
    expect(result['structuredContent']).toMatchObject({ amount: 1 });
    expect(result['_meta']?.['org.paymentauth/receipt']).toMatchObject({ status: 'success', method: 'evm' });
    expect(await balanceOf(payer)).toBe(19_000_000n);
  });
});

describe('a challenge', () => {
  test('lasts less than five minutes, takes authorizations only, and is another one each time', async () => {
    const [one, other] = [await credentialFor(refused), await credentialFor(refused)];
    const { expires, request, id } = one.challenge;
    expect(Date.parse(expires ?? '') - Date.now()).toBeLessThanOrEqual(300_000);
    expect(request).toMatchObject({
      amount: '1000000',
      methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
    });
    expect(other.challenge.id).not.toBe(id);
  });

  test('is readable for browsers, and stands only where a request is complete', async () => {
    const { headers } = await installation.send(PATH, jsonPost(ORDER));
    expect(headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
    expect(headers.get('content-type')).toContain('application/json');
    const bare = await installation.send(PATH, { method: 'POST' });
    expect([bare.status, bare.headers.get('WWW-Authenticate')]).toEqual([402, null]);
  });
});

describe('a credential', () => {
  test('is answered like any proof: again the same, with a changed challenge too, and never for another request', async () => {
    const payer = await newPayer();
    const { text } = await credentialFor(payer);
    const first = await present(text);
    const again = await present(text);
    expect([first.status, again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(Receipt.deserialize(again.headers.get('Payment-Receipt') ?? '').status).toBe('success');
    const other = await present(text, { receiver: 'mallory', amount: 1 });
    expect(problemOf(other)).toEqual([400, 'bad-request', 'payment_already_used']);
    // Known with a changed challenge too: never a 402 after a broadcast.
    const late = changed(text, (credential) => {
      credential.challenge.expires = '2026-01-01T00:00:00Z';
    });
    expect((await present(late)).status).toBe(200);
    expect(await balanceOf(payer)).toBe(19_000_000n);
  });

  test.each([
    ['for another request', (text: string) => present(text, { receiver: 'mallory', amount: 1 })],
    [
      'with a longer time',
      (text: string) => present(changed(text, ({ challenge }) => void (challenge.expires = '2099-01-01T00:00:00Z'))),
    ],
    ['with another realm', (text: string) => present(changed(text, ({ challenge }) => void (challenge.realm = 'x')))],
    [
      'of an id that is not ours',
      (text: string) => present(changed(text, ({ challenge }) => void (challenge.id += 'A'))),
    ],
    [
      'without what binds it to the request',
      (text: string) => present(changed(text, ({ challenge }) => void delete challenge.opaque)),
    ],
  ])('%s is refused by its name, with a new challenge', async (_what, send) => {
    const { text, challenge } = await credentialFor(refused);
    const reply = await send(text);
    expect(problemOf(reply)).toEqual([402, 'invalid-challenge', 'invalid_challenge']);
    const fresh = Challenge.fromHeaders(reply.headers);
    expect(fresh.id).not.toBe(challenge.id);
    expect(await balanceOf(refused)).toBe(20_000_000n);
    expect(JSON.parse(reply.text)).toMatchObject({ challengeId: fresh.id, title: 'Invalid Challenge', status: 402 });
    expect(reply.headers.get('Payment-Receipt')).toBeNull();
  });

  test('whose authorization does not answer its challenge is refused', async () => {
    const [one, other] = [await credentialFor(refused), await credentialFor(refused)];
    const mixed = changed(one.text, (credential) => {
      credential.challenge = Credential.deserialize(other.text).challenge;
    });
    expect(problemOf(await present(mixed))).toEqual([402, 'invalid-challenge', 'invalid_challenge']);
  });

  test('that cannot be read, or is of another chain, is refused', async () => {
    expect(problemOf(await present('Payment bm90IGpzb24'))).toEqual([402, 'malformed-credential', 'invalid_payload']);
    const { text } = await credentialFor(refused);
    const elsewhere = changed(text, ({ challenge: { request } }) => {
      (request['methodDetails'] as { chainId: number }).chainId = 1;
    });
    expect(problemOf(await present(elsewhere))).toEqual([402, 'invalid-challenge', 'invalid_network']);
  });

  test('over MCP with changed arguments is no payment', async () => {
    const payer = await newPayer();
    const path = '/mcp?payment=result';
    const asked = await say(installation.url, call('pay_x', ORDER), { path });
    const required = (asked.result['_meta'] as Record<string, { challenges: Challenge.Challenge[] }>)[
      'org.paymentauth/payment-required'
    ];
    const challenge = Challenge.Schema.parse(required?.challenges[0]);
    const [method] = evm({ account: payer, currencies: [evm.assets.base.USDC] });
    const credential = Credential.deserialize(await method.createCredential({ challenge, context: {} } as never));
    const meta = { 'org.paymentauth/credential': credential };
    const mallory = await say(installation.url, call('pay_x', { receiver: 'mallory', amount: 1 }, meta), { path });
    expect(mallory.result).toMatchObject({
      isError: true,
      _meta: {
        'org.paymentauth/payment-required': { problem: { type: expect.stringContaining('invalid-challenge') } },
      },
    });
    expect((await say(installation.url, call('pay_x', ORDER, meta), { path })).result['isError']).not.toBe(true);
    expect(await balanceOf(payer)).toBe(19_000_000n);
  });
});

test('switched off, a 402 has no challenge', async () => {
  const { url, close } = await startInstallation({
    rpcUrl: 'http://127.0.0.1:9',
    fundEth: async () => undefined,
    runWorker: false,
    decorate: (plain) => ({ ...plain, settings: { ...plain.settings, paymentChallenges: false } }),
  });
  try {
    const asked = await fetch(url + PATH, jsonPost(ORDER));
    expect([asked.status, asked.headers.get('WWW-Authenticate')]).toEqual([402, null]);
    const { result } = await say(url, call('pay_x', ORDER), { path: '/mcp?payment=result' });
    expect(Object.keys(result['_meta'] as object)).toEqual(['taskId']);
  } finally {
    await close();
  }
});
