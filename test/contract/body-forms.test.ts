import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof } from '../support/pay.ts';
import { expectRefusal, jsonPost, startInstallation, type Installation } from './installation.ts';

/** What else is accepted, besides the published names and forms, and what it costs. */
let chain: BaseChain;
let installation: Installation;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  await installation?.close();
  await chain?.close();
});

const priceOf = async (path: string, body: unknown) => {
  const reply = await installation.send(path, jsonPost(body));
  expect([reply.status, reply.body['error']]).toEqual([402, 'payment_required']);
  return reply.body.accepts[0]?.['maxAmountRequired'];
};

describe('a body that is accepted', () => {
  test.each<[string, string, unknown, string]>([
    ['with receiver_username', '/payments/x/pay', { receiver_username: 'alice', amount: 1 }, '1000000'],
    ['with username in a list', '/payments/x/batch-pay', { receivers: [{ username: 'alice', amount: 1 }] }, '1000000'],
    ['with decimal text', '/payments/x/pay', { receiver: 'alice', amount: '0.010000' }, '10000'],
    ['with the least amount', '/payments/x/pay', { receiver: 'alice', amount: 0.01 }, '10000'],
    ['with the largest amount', '/payments/x/pay', { receiver: 'alice', amount: '10' }, '10000000'],
    ['with six decimals', '/payments/x/pay', { receiver: 'alice', amount: 1.000001 }, '1000001'],
    ['with an exponent in a number', '/payments/x/pay', '{"receiver":"alice","amount":1e-2}', '10000'],
    [
      'with null for what is optional',
      '/payments/x/pay',
      { receiver: 'alice', amount: 1, description: null, meta: null, transaction_hash: null },
      '1000000',
    ],
    ['with keys that nobody knows', '/payments/x/pay', { receiver: 'alice', amount: 1, future: { a: [1] } }, '1000000'],
    [
      'with the published meta',
      '/payments/x/batch-pay',
      { receivers: [{ receiver: 'alice', amount: 1 }], meta: { item_name: null, item_amount: 2, agent_name: 'Bob' } },
      '1000000',
    ],
    [
      'with repeated receivers',
      '/payments/x/batch-pay',
      { receivers: Array.from({ length: 3 }, () => ({ receiver: 'alice', amount: 0.1 })) },
      '300000',
    ],
    [
      'with names from aliases',
      '/payments/batch-pay',
      { receivers: [{ platform: 'GitHub', receiver: 'octocat', amount: 0.1 }] },
      '100000',
    ],
  ])('%s', async (_name, path, body, price) => {
    expect(await priceOf(path, body)).toBe(price);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', undefined])(
    'empty under the type %s is {}: its fields are missing, not its type wrong',
    async (type) => {
      const named: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const headers = { ...named, 'PAYMENT-SIGNATURE': 'a proof, well-formed or not' };
      const reply = await installation.send('/payments/x/pay', { method: 'POST', headers });
      expectRefusal(installation, 'pay', reply, { status: 400, error: 'validation_failed', field: 'amount' });
    },
  );
});

test('transaction_hash is the payer’s own reference: stored as it came, and proof of nothing', async () => {
  const body = { receiver: 'alice', amount: 0.01, transaction_hash: `0x${'ab'.repeat(32)}` };
  expect(await priceOf('/payments/x/pay', body)).toBe('10000');
  const account = await chain.createAccount({ usdc: microUsdc(10_000n), wei: 0n });
  const payTo = installation.service.parts.treasury.address;
  const proof = await makeProof({ from: account.address, signer: account, payTo, value: 10_000n });
  const paid = await installation.send('/payments/x/pay', jsonPost(body, { 'PAYMENT-SIGNATURE': proof }));
  expect(paid.status).toBe(200);
  const { payments } = installation.service.store.tables;
  const [row] = await installation.service.store.read.select().from(payments);
  expect(row?.payerReference).toBe(body.transaction_hash);
  const found = await installation.send(`/payments/validate?transaction_hash=${body.transaction_hash}`);
  expectRefusal(installation, 'validatePayment', found, { status: 400, error: 'payment_not_found' });
});

describe('the fee', () => {
  test.each([
    ['none', 0, '0', '0.01', '10000', 'Send 0.01 USDC'],
    ['a share', 200, '0', '1', '1020000', 'Send 1 USDC plus 0.02 USDC fee'],
    [
      'a share that does not come out even, rounded up',
      33,
      '0',
      '0.010001',
      '10035',
      'Send 0.010001 USDC plus 0.000034 USDC fee',
    ],
    ['a flat part', 0, '0.005', '1', '1005000', 'Send 1 USDC plus 0.005 USDC fee'],
    ['both', 100, '0.001', '0.5', '506000', 'Send 0.5 USDC plus 0.006 USDC fee'],
  ])('%s is in the price and named in words', async (_name, feeBps, flat, amount, price, words) => {
    const feeFlat = microUsdc(BigInt(Math.round(Number(flat) * 1_000_000)));
    const taking = await startInstallation({
      rpcUrl: 'http://127.0.0.1:9',
      fundEth: async () => undefined,
      runWorker: false,
      decorate: (plain) => ({ ...plain, settings: { ...plain.settings, feeBps, feeFlat } }),
    });
    try {
      const reply = await taking.send('/payments/x/pay', jsonPost({ receiver: 'alice', amount }));
      expect(reply.body.accepts[0]).toMatchObject({ maxAmountRequired: price, description: words });
    } finally {
      await taking.close();
    }
  });

  test('is taken once for a batch, of its sum', async () => {
    const taking = await startInstallation({
      rpcUrl: 'http://127.0.0.1:9',
      fundEth: async () => undefined,
      runWorker: false,
      decorate: (plain) => ({ ...plain, settings: { ...plain.settings, feeBps: 100, feeFlat: microUsdc(1_000n) } }),
    });
    try {
      const receivers = Array.from({ length: 10 }, () => ({ receiver: 'alice', amount: 0.010001 }));
      const reply = await taking.send('/payments/x/batch-pay', jsonPost({ receivers }));
      // 100,010 of sum, 1,000.1 of share rounded up once, 1,000 flat.
      expect(reply.body.accepts[0]).toMatchObject({ maxAmountRequired: '102011' });
    } finally {
      await taking.close();
    }
  });
});
