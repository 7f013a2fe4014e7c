import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, USDC, type ProofOptions } from '../support/pay.ts';
import { jsonPost, startInstallation, type Installation } from './installation.ts';

/** What the 402 offers, to whom, and in which forms a proof may come back. */
let chain: BaseChain;
let installation: Installation;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  try {
    await installation?.service.assertSound();
  } finally {
    await installation?.close();
    await chain?.close();
  }
});

const order = { receiver: 'alice', amount: 1 };
const secondOf = (headers: Headers) =>
  JSON.parse(atob(headers.get('PAYMENT-REQUIRED') ?? '')) as {
    accepts: Record<string, unknown>[];
    [key: string]: unknown;
  };

describe('the challenge', () => {
  test('says all of the published fields to the first generation', async () => {
    const reply = await installation.send('/payments/x/pay', jsonPost(order));
    expect(reply.status).toBe(402);
    expect(reply.body).toEqual({
      x402Version: 1,
      code: 402,
      msg: 'The payment header is required',
      error: 'payment_required',
      detail: 'The payment header is required',
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '1000000',
          resource: `${installation.url}/payments/x/pay`,
          description: 'Send 1 USDC',
          mimeType: 'application/json',
          outputSchema: expect.objectContaining({ input: expect.objectContaining({ method: 'POST' }) }),
          payTo: installation.service.parts.treasury.address,
          maxTimeoutSeconds: 60,
          asset: USDC,
          extra: { name: 'USD Coin', version: '2', requestHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      ],
      request_id: reply.headers.get('X-Request-Id'),
    });
  });

  test('says the same to the second generation, in two headers', async () => {
    const { headers, body } = await installation.send('/payments/x/pay', jsonPost(order));
    const [first] = body.accepts;
    expect(secondOf(headers)).toEqual({
      x402Version: 2,
      error: 'payment_required',
      resource: {
        url: first?.['resource'],
        description: 'Send 1 USDC',
        mimeType: 'application/json',
        serviceName: 'pennypost',
      },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '1000000',
          asset: USDC,
          payTo: first?.['payTo'],
          maxTimeoutSeconds: 60,
          extra: first?.['extra'],
        },
      ],
      extensions: {
        'payment-identifier': expect.objectContaining({ info: { required: false } }),
        bazaar: expect.objectContaining({ info: expect.objectContaining({ input: expect.anything() }) }),
      },
    });
    expect(headers.get('x-payment-request')).toBe(headers.get('PAYMENT-REQUIRED'));
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test('for 100 receivers is as short as for one, and names none of them', async () => {
    const receivers = Array.from({ length: 100 }, (_, index) => ({ receiver: `receiver_${index}`, amount: 10 }));
    const one = await installation.send('/payments/x/batch-pay', jsonPost({ receivers: receivers.slice(0, 1) }));
    const all = await installation.send('/payments/x/batch-pay', jsonPost({ receivers }));
    expect(all.body.accepts[0]).toMatchObject({ maxAmountRequired: '1000000000' });
    const [short, long] = [one, all].map(({ headers }) => headers.get('PAYMENT-REQUIRED')?.length ?? 0);
    // Only the digits of the amount differ, twice, in base64.
    expect((long ?? 0) - (short ?? 0)).toBeLessThanOrEqual(16);
    expect(all.text + JSON.stringify(secondOf(all.headers))).not.toContain('receiver_');
    expect(String(all.body.accepts[0]?.['description']).length).toBeLessThanOrEqual(200);
  });
});

describe('a page of any origin', () => {
  const paths = [
    '/payments/x/pay',
    '/payments/x/batch-pay',
    '/payments/batch-pay',
    '/payments/validate',
    '/payments/1/cancel',
  ];
  test.each(paths)('may ask %s, without credentials', async (path) => {
    const asked = ['content-type', 'payment-signature', 'x-payment', 'x-payment-response', 'idempotency-key'];
    // The published client sets this one on its request, which is why it must be allowed.
    const headers = {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': [...asked, 'access-control-expose-headers'].join(','),
    };
    const reply = await installation.send(path, { method: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(reply.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(reply.headers.get('Access-Control-Allow-Methods')).toMatch(/\bGET\b.*\bPOST\b/);
    const allowed = (reply.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining([...asked, 'access-control-expose-headers', 'authorization']));
  });

  test.each([
    ['a price', '/payments/x/pay', jsonPost(order)],
    ['a refusal', '/payments/x/pay', jsonPost({})],
    ['a wrong address', '/payments/nowhere/pay', jsonPost(order)],
    ['a wrong method', '/payments/x/pay', { method: 'PUT' }],
  ])('may read %s and the headers that carry a meaning', async (_name, path, init) => {
    const { headers } = await installation.send(path, init);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    const exposed = (headers.get('Access-Control-Expose-Headers') ?? '').split(', ');
    const promised = [
      'PAYMENT-REQUIRED',
      'x-payment-request',
      'PAYMENT-RESPONSE',
      'X-PAYMENT-RESPONSE',
      'Idempotent-Replayed',
      'X-Request-Id',
      'Retry-After',
    ];
    expect(exposed).toEqual(expect.arrayContaining(promised));
  });
});

describe('a proof', () => {
  let account: Awaited<ReturnType<BaseChain['createAccount']>>;
  beforeAll(async () => {
    account = await chain.createAccount({ usdc: microUsdc(20_000_000n), wei: 0n });
  });
  const proof = async (change: Partial<ProofOptions> = {}) => {
    const payTo = installation.service.parts.treasury.address;
    return makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n, ...change });
  };
  const present = (headers: Record<string, string>) => installation.send('/payments/x/pay', jsonPost(order, headers));

  test.each([
    [1, 'base'],
    [1, 'eip155:8453'],
    [2, 'base'],
    [2, 'eip155:8453'],
  ] as const)(
    'of generation %i may call the network %s, and is answered with the name of its generation',
    async (version, network) => {
      const { status, headers } = await present({ 'PAYMENT-SIGNATURE': await proof({ version, network }) });
      expect(status).toBe(200);
      const settled = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'].map((name) =>
        JSON.parse(atob(headers.get(name) ?? '')),
      );
      const own = expect.objectContaining({ success: true, network: version === 1 ? 'base' : 'eip155:8453' });
      expect(settled).toEqual([own, own]);
    },
  );

  test.each([
    ['X-PAYMENT', 2],
    ['PAYMENT-SIGNATURE', 1],
    ['x-payment-response', 1],
  ] as const)('is read by its own version, though %s is not where generation %i puts it', async (name, version) => {
    expect((await present({ [name]: await proof({ version }) })).status).toBe(200);
  });

  test.each([
    ['PAYMENT-SIGNATURE', 'X-PAYMENT'],
    ['PAYMENT-SIGNATURE', 'x-payment-response'],
    ['X-PAYMENT', 'x-payment-response'],
  ])('in %s counts before one in %s', async (first, second) => {
    const good = await proof();
    const refused = await present({ [first]: '!!!', [second]: good });
    expect([refused.status, refused.body['error']]).toEqual([402, 'invalid_payload']);
    expect((await present({ [first]: good, [second]: '!!!' })).status).toBe(200);
  });

  test('in an empty header is none', async () => {
    expect((await present({ 'PAYMENT-SIGNATURE': '', 'X-PAYMENT': await proof({ version: 1 }) })).status).toBe(200);
  });
});
