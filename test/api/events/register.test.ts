/** An endpoint cannot be aimed at a host that did not ask for it. */
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Keypair } from '@solana/web3.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Events } from '../../../api/environment/dependencies.ts';
import { cancellationDomain } from '../../../chain/evm/wallet-forms.ts';
import { ENDPOINT_TYPES } from '../../../chain/evm/endpoint-consent.ts';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { endpointText } from '../../../chain/solana/transactions/endpoint-consent.ts';
import { isGlobalAddress } from '../../../identity/addresses.ts';
import { createGuardedFetch } from '../../../identity/guarded-fetch.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { createEvmParts } from '../../../service/networks/evm.ts';
import { createSolanaParts } from '../../../service/networks/solana.ts';
import { createTestEvents, testEventSecrets } from '../../support/events/event-parts.ts';
import { startEventReceiver } from '../../support/events/event-receiver.ts';
import { post } from '../../support/pay.ts';
import { layTestRoles, type TestRoles } from '../../support/test-roles.ts';

/** Knows accounts without code only. */
const node = createServer((request, response) => {
  void text(request).then((body) => {
    const asked = JSON.parse(body) as { id: number } | { id: number }[];
    const answers = [asked].flat().map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x' }));
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
});
node.listen(0, '127.0.0.1');
await once(node, 'listening');
const NODE = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
afterAll(() => void node.close());
const solanaKey = () => toBase58(Keypair.generate().secretKey);
const base = createEvmParts('base', 'local', NODE, { treasuryKey: generatePrivateKey(), laneKeys: [] });
const solana = createSolanaParts('local', NODE, { treasuryKey: solanaKey(), feePayerKey: solanaKey() });
const payer = privateKeyToAccount(generatePrivateKey());
const soon = () => Math.floor(Date.now() / 1_000) + 300;

let roles: TestRoles;
let parts: ReturnType<typeof createTestEvents>;
beforeEach(async () => {
  parts = createTestEvents();
});
afterEach(async () => {
  await parts.close();
  await roles.close();
});

async function serve(events: Partial<Events> = {}): Promise<void> {
  roles = await layTestRoles({ runWorker: false, events: { ...parts, api: { ...parts.api, ...events } } });
  await roles.run([base.apiNetwork, solana.apiNetwork], []);
}

type Asked = { url: string; signedUrl?: string; by?: typeof payer; validBefore?: number; more?: object };

async function register({ url, signedUrl = url, by = payer, validBefore = soon(), more = {} }: Asked) {
  const signature = await by.signTypedData({
    domain: cancellationDomain(base.profile),
    types: ENDPOINT_TYPES,
    primaryType: 'RegisterEndpoint',
    message: { url: signedUrl, validBefore: BigInt(validBefore) },
  });
  const body = { network: 'base', payer: payer.address, url, valid_before: validBefore, signature, ...more };
  return post(`${roles.url}/events/endpoints`, body);
}

const stored = () => roles.store.read.select().from(roles.store.tables.eventEndpoints);

async function startHost(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

async function startReceiver() {
  const receiver = await startEventReceiver();
  onTestFinished(receiver.close);
  return receiver;
}

describe('an address that echoes the challenge', () => {
  test('is registered, and its secret shown once', async () => {
    await serve();
    const receiver = await startReceiver();
    const { status, body } = await register({ url: receiver.url });
    expect([status, receiver.challenges(), receiver.faults]).toEqual([201, 1, []]);
    const [row, ...others] = await stored();
    expect(others).toEqual([]);
    const secret = testEventSecrets.secretOf('base', row?.id ?? '');
    expect(body.data).toEqual({ endpoint_id: row?.id, network: 'base', url: receiver.url, secret });
    expect(row).toMatchObject({ network: 'base', payer: payer.address.toLowerCase(), url: receiver.url });
    expect(JSON.stringify(row)).not.toContain(secret?.slice(6));
  });

  test('is registered by the signature of an account on Solana', async () => {
    await serve();
    const receiver = await startReceiver();
    const own = readSolanaKey(solanaKey());
    const consent = { network: solana.profile.caip2, url: receiver.url, validBefore: soon() };
    const signature = toBase58(own.sign(Buffer.from(endpointText(consent))));
    const body = { network: 'solana', payer: own.address, url: receiver.url, signature };
    const asked = { ...body, valid_before: consent.validBefore };
    expect((await post(`${roles.url}/events/endpoints`, asked)).status).toBe(201);
    const wrong = await post(`${roles.url}/events/endpoints`, { ...asked, valid_before: consent.validBefore + 1 });
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_signature']);
    // The answer shows what has to be signed.
    expect(String(wrong.body['detail'])).toContain(endpointText({ ...consent, validBefore: consent.validBefore + 1 }));
  });
});

describe('a host that did not ask for it is told nothing:', () => {
  const hosts: [string, (challenge: string, whole: string) => { status: number; text?: string; location?: string }][] =
    [
      ['it answers as it answers anything', () => ({ status: 200, text: 'welcome' })],
      ['it answers with nothing', () => ({ status: 204 })],
      ['it shows what it was sent', (_challenge, whole) => ({ status: 200, text: whole })],
      ['it shows what it was sent in a page', (challenge) => ({ status: 200, text: `<p>not found: ${challenge}</p>` })],
      ['it shows the challenge in an error', (challenge) => ({ status: 404, text: challenge })],
      ['it answers with more than 64 KiB', (challenge) => ({ status: 200, text: challenge + ' '.repeat(70_000) })],
    ];
  test.each(hosts)('%s', async (_what, answer) => {
    await serve();
    let asked = 0;
    const url = await startHost((request, response) => {
      asked += 1;
      void text(request).then((whole) => {
        const { challenge } = (JSON.parse(whole) as { data: { challenge: string } }).data;
        const { status, text: answered = '' } = answer(challenge, whole);
        response.writeHead(status).end(answered);
      });
    });
    const { status, body } = await register({ url });
    expect([status, body['error'], body['field'], asked]).toEqual([400, 'event_endpoint_refused', 'url', 1]);
    expect(await stored()).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])('another host leads there by a redirect (%i)', async (code) => {
    await serve();
    const victim = await startReceiver();
    const url = await startHost((_request, response) => response.writeHead(code, { location: victim.url }).end());
    const { body } = await register({ url });
    expect([body['error'], victim.challenges(), await stored()]).toEqual(['event_endpoint_refused', 0, []]);
  });

  test('it is on this machine or its network', async () => {
    const fetch = createGuardedFetch({
      timeoutMs: 5_000,
      bytesMax: 1_000,
      redirectsMax: 0,
      allowsAddress: isGlobalAddress,
    });
    onTestFinished(() => fetch.close());
    await serve({ fetch });
    const victim = await startReceiver();
    const { body } = await register({ url: victim.url });
    expect([body['error'], victim.challenges(), await stored()]).toEqual(['event_endpoint_refused', 0, []]);
    // It answers like a host that is not there.
    const absent = await register({ url: 'http://127.0.0.1:9999/events' });
    expect(absent.body['detail']).toBe(body['detail']);
  });

  test.each<[string, (url: string) => Asked]>([
    ['signed for another address', (url) => ({ url, signedUrl: 'http://127.0.0.1:1/' })],
    ['signed by another account', (url) => ({ url, by: privateKeyToAccount(generatePrivateKey()) })],
    ['signed too long ago', (url) => ({ url, validBefore: Math.floor(Date.now() / 1_000) - 1 })],
    ['signed for too long', (url) => ({ url, validBefore: Math.floor(Date.now() / 1_000) + 900 })],
    ['for a payer who is no account', (url) => ({ url, more: { payer: '0x12' } })],
    ['for a network that is not offered', (url) => ({ url, more: { network: 'polygon' } })],
    ['with a port of other services', () => ({ url: 'http://127.0.0.1:25/' })],
    ['with a user name before the host', (url) => ({ url: url.replace('http://', 'http://user@') })],
  ])('the request is %s', async (_what, asked) => {
    await serve();
    const victim = await startReceiver();
    expect((await register(asked(victim.url))).status).toBe(400);
    expect([victim.challenges(), await stored()]).toEqual([0, []]);
  });
});

test('outside local mode an address without TLS is refused, and one of many readings is named in its own', async () => {
  await serve({ allowsHttp: false });
  expect((await register({ url: 'http://agent.example.com/' })).body['field']).toBe('url');
  const { body } = await register({ url: 'https://AGENT.example.com/events' });
  expect([body['field'], body['suggestion']]).toEqual(['url', 'https://agent.example.com/events']);
});

test.each(['caller', 'host', 'all'] as const)(
  'the minute of %s limits the challenges, no matter who asks',
  async (name) => {
    const limits = { ...parts.api.limits, [name]: createRateLimits(() => Date.now()).perMinute('', 2) };
    await serve({ limits });
    const receiver = await startReceiver();
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push((await register({ url: receiver.url })).status);
    expect([answers, receiver.challenges()]).toEqual([[201, 201, 429], 2]);
  },
);

test('an account has ten endpoints at most', async () => {
  await serve();
  const receiver = await startReceiver();
  for (let count = 0; count < 10; count += 1) expect((await register({ url: receiver.url })).status).toBe(201);
  const { status, body } = await register({ url: receiver.url });
  expect([status, body['error']]).toEqual([400, 'too_many_event_endpoints']);
});
