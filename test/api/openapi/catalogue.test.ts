import { setImmediate as nextTurn } from 'node:timers/promises';
import { extractDiscoveryInfo, validateAndExtract, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { validate } from 'mppx/discovery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../api/openapi/document.ts';
import { CATALOG_ROWS } from '../../../core/catalog/operations.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { jsonPost, startInstallation, type Installation, type Reply } from '../../contract/installation.ts';
import { clearStop } from '../../contract/stops.ts';
import { USDC } from '../../support/pay.ts';
import { call, say } from '../mcp/caller.ts';

/** What indexes ask, with the validators that they publish: without a network, and without paying. */
let installation: Installation;
let document: OpenApiDocument;
beforeAll(async () => {
  installation = await startInstallation();
  document = (await installation.send('/openapi.json')).body as unknown as OpenApiDocument;
});
afterAll(() => installation.close());

type Json = Record<string, unknown>;
type Listed = { url: string; method: string; extensions: Json };

const listed = async (): Promise<Listed[]> =>
  ((await installation.send('/.well-known/x402')).body as unknown as { resources: Listed[] }).resources;
const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
const headerOf = ({ headers }: Reply) => JSON.parse(atob(headers.get('PAYMENT-REQUIRED') ?? '')) as Json;

/** The four checks of a catalogue: it answers, with 402, names how to call it, and reads. The input it then lists. */
function inputOf(reply: Reply): Json {
  expect(reply.status).toBe(402);
  const required = PaymentRequiredV2Schema.parse(headerOf(reply));
  expect(PaymentRequiredV1Schema.parse(reply.body).accepts.length).toBeGreaterThan(0);
  const bazaar = required.extensions?.['bazaar'] as Parameters<typeof validateAndExtract>[0];
  expect(validateDiscoveryExtensionSpec(bazaar as unknown as Json)).toEqual({ valid: true });
  const { valid, info, errors } = validateAndExtract(bazaar);
  expect([valid, errors]).toEqual([true, undefined]);
  const [terms] = reply.body.accepts;
  const asV1 = extractDiscoveryInfo({ x402Version: 1 } as never, terms as never);
  expect(asV1).toMatchObject({ method: 'POST', x402Version: 1, resourceUrl: terms?.['resource'] });
  const input = info?.input as unknown as { body: Json };
  const fields = (asV1?.discoveryInfo.input ?? {}) as { body?: Json };
  expect(Object.keys(fields.body ?? {})).toEqual(expect.arrayContaining(Object.keys(input.body)));
  return input;
}

describe('a catalogue that asks with an empty body', () => {
  test('lists every paid route, with the least price and an example that is priced as it stands', async () => {
    const resources = await listed();
    expect(resources.length).toBeGreaterThan(10);
    for (const resource of resources) {
      const bare = await installation.send(pathOf(resource), { method: resource.method });
      const input = inputOf(bare);
      expect(resource.extensions['bazaar']).toEqual((headerOf(bare)['extensions'] as Json)['bazaar']);
      expect(bare.body.accepts[0]).toMatchObject({ maxAmountRequired: '10000', resource: resource.url });
      expect(String(bare.body.accepts[0]?.['description']).length).toBeLessThanOrEqual(200);
      if (pathOf(resource).startsWith('/rewards/')) continue;
      const priced = await installation.send(pathOf(resource), jsonPost(input['body']));
      expect([pathOf(resource), priced.status]).toEqual([pathOf(resource), 402]);
      expect(inputOf(priced)).toEqual(input);
    }
  });

  test('finds what the document promises: a price for each paid operation and for no other', async () => {
    const priced = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => operation['x-payment-info'] !== undefined);
    expect(priced.map(({ operationId }) => operationId)).toEqual(
      CATALOG_ROWS.filter(({ paid }) => paid !== null).map(({ id }) => id),
    );
    const [single, batch] = priced.map((operation) => operation['x-payment-info']);
    const price = { mode: 'dynamic', currency: 'USD', min: '0.01', max: '10' };
    const mpp = { method: 'evm', intent: 'charge', currency: USDC };
    const offers = [{ ...mpp, amount: null }];
    expect(single).toEqual({ price, protocols: [{ x402: {} }, { mpp }], offers });
    expect(batch).toMatchObject({ price: { max: '1000' } });
  });

  test('has no fault in the eyes of the Machine Payments Protocol', () => {
    expect(validate(document).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('is refused with a proof, for its form, so that a payment for nothing cannot be', async () => {
    const headers = { 'PAYMENT-SIGNATURE': 'a proof, well-formed or not' };
    const refused = await installation.send('/payments/x/pay', { method: 'POST', headers });
    expect([refused.status, refused.body['error'], refused.body['field']]).toEqual([
      400,
      'validation_failed',
      'amount',
    ]);
  });

  test('gets no price while nothing is signed', async () => {
    const { store } = installation.service;
    await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
    try {
      const bare = await installation.send('/payments/x/pay', { method: 'POST' });
      expect([bare.status, bare.body['error']]).toEqual([500, 'service_paused']);
    } finally {
      await clearStop(store);
    }
  });

  test('gets no price once the service ends, and reads that asking again is no use', async () => {
    const { store } = installation.service;
    await stopSigning(store, { reason: 'wind_down', network: 'all', detail: 'a test' }, Date.now());
    try {
      const bare = await installation.send('/payments/x/pay', { method: 'POST' });
      expect([bare.status, bare.body['error'], bare.body['retryable']]).toEqual([500, 'service_closing', false]);
      expect(bare.body['detail']).toBe('This service is closing: it takes no more payments.');
    } finally {
      await clearStop(store);
    }
  });
});

describe('the examples of the document', () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  test('have the form of their answers, one for each status', async () => {
    let seen = 0;
    for (const { path, method, operation } of operations()) {
      // Seconds of schemas at a stretch, and the next request would go out on a connection that was over meanwhile.
      await nextTurn();
      for (const [status, response] of Object.entries(operation.responses)) {
        const json = (response['content'] as Json | undefined)?.['application/json'] as Json | undefined;
        if (json === undefined) continue;
        const named = Object.keys((json['examples'] ?? {}) as Json).map(
          (name) => ((document.components['examples'] ?? {})[name] as { value: Json }).value,
        );
        const all = json['example'] === undefined ? named : [json['example']];
        expect([path, status, all.length > 0]).toEqual([path, status, true]);
        for (const example of all) {
          expect([path, status, installation.violations(path, method, Number(status), example)]).toEqual([
            path,
            status,
            [],
          ]);
          seen += 1;
        }
      }
    }
    expect(seen).toBeGreaterThan(100);
  });

  test('of a price are what is answered here to an empty body, but for the ids of the request', async () => {
    for (const { path, method, operation } of operations()) {
      if (operation['x-payment-info'] === undefined || path.includes('{order_id}')) continue;
      const platform = path.startsWith('/rewards/') ? 'decsocial' : 'email';
      const { body } = await installation.send(path.replace('{platform}', platform), { method: method.toUpperCase() });
      const content = operation.responses['402']?.['content'] as { 'application/json': { example: Json } };
      const { example } = content['application/json'];
      const plain = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replaceAll(/"[0-9a-f]{64}"|"req_[^"]*"/g, '"id"'));
      expect(plain(body)).toEqual(plain(example));
    }
  });
});

test('the price of a tool of MCP says how it is called', async () => {
  const arguments_ = { receiver: 'alice', amount: 0.01 };
  const { error } = await say(installation.url, call('pay_x', arguments_));
  const required = PaymentRequiredV2Schema.parse(error.data['paymentRequired']);
  const bazaar = required.extensions?.['bazaar'] as Parameters<typeof validateAndExtract>[0];
  expect(validateDiscoveryExtensionSpec(bazaar as unknown as Json)).toEqual({ valid: true });
  const { valid, info } = validateAndExtract(bazaar);
  expect(valid).toBe(true);
  expect(info?.input).toMatchObject({ type: 'mcp', toolName: 'pay_x', example: arguments_ });
});

test('a challenge stays small: with two networks each header has room in what proxies let pass', async () => {
  const { headers, text } = await installation.send('/payments/batch-pay', { method: 'POST' });
  expect(headers.get('PAYMENT-REQUIRED')?.length).toBeLessThan(3_500);
  expect(text.length).toBeLessThan(2_500);
});

test('the draft card of the MCP server is where the draft and where indexes look', async () => {
  const cards = ['/mcp/server-card', '/.well-known/mcp/server-card.json'].map((path) => installation.send(path));
  const [first, second] = await Promise.all(cards);
  expect(first?.body).toEqual(second?.body);
  expect(first?.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(first?.body).toMatchObject({
    name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    description: expect.stringMatching(/^.{1,100}$/),
    remotes: [{ type: 'streamable-http', url: `${installation.url}/mcp` }],
    _meta: { status: 'draft' },
  });
});
