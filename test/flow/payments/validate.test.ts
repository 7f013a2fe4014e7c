import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post, type Reply, type ReplyBody } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
let paid: { header: string; reply: Reply };
let email: Reply;
const NOTE = 'for lunch, with love';

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
  paid = await pay(
    'x/pay',
    { receiver: 'Alice', amount: 1.25, description: NOTE, meta: { agent_name: 'Bob' } },
    1_250_000n,
  );
  email = (await pay('email/pay', { receiver: 'carol@example.com', amount: 0.75 }, 750_000n)).reply;
});
afterAll(async () => {
  await service.close();
  await chain.close();
});

async function pay(path: string, body: unknown, value: bigint) {
  const account = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
  const header = await makeProof({
    from: account.address,
    signer: account,
    payTo: service.parts.treasury.address,
    value,
  });
  const reply = await post(`${service.url}/payments/${path}`, body, { 'PAYMENT-SIGNATURE': header });
  expect(reply.status).toBe(200);
  return { header, reply };
}

async function ask(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(`${service.url}/payments/validate?${new URLSearchParams(query).toString()}`, {
    headers,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as ReplyBody };
}

/** `GET` with a JSON body, as the published interface shows it; fetch refuses to send one. */
function askWithBody(body: string): Promise<{ status: number; body: ReplyBody }> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${service.url}/payments/validate`);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'GET', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as ReplyBody }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const transactionOf = (reply: Reply) =>
  (JSON.parse(atob(reply.headers.get('PAYMENT-RESPONSE') ?? '')) as { transaction: string }).transaction;

describe('a payment is found', () => {
  test('by txn_id, without payer and wallet', async () => {
    const { data } = paid.reply.body;
    const found = await ask({ txn_id: String(data.txn_id) });
    expect(found.status).toBe(200);
    expect(found.body.data).toMatchObject({
      txn_id: data.txn_id,
      amount: 1.25,
      status: 'pending_claim',
      network: 'base',
    });
    expect(JSON.stringify(found.body)).not.toMatch(/0x[0-9a-f]{40}/i);
  });

  const byAnyName: [string, () => Record<string, string>, (() => Record<string, string>)?][] = [
    [
      'txn_id, which an answer found by something public carries',
      () => ({ txn_id: String(paid.reply.body.data.txn_id) }),
    ],
    ['settlement_attempt_id', () => ({ settlement_attempt_id: paid.reply.body.data.settlement_attempt_id })],
    ['transaction_hash', () => ({ transaction_hash: transactionOf(paid.reply) })],
    ['amount and receiver', () => ({ amount: '1.25', receiver: '@alice' })],
    ['amount, receiver and platform', () => ({ amount: '1.25', receiver: 'alice', platform: 'twitter' })],
    ['its proof', () => ({}), () => ({ 'PAYMENT-SIGNATURE': paid.header })],
  ];
  test.each(byAnyName)('by %s, with a receipt that shows neither note nor sender', async (_name, query, headers) => {
    const found = await ask(query(), headers?.());
    expect(found.status).toBe(200);
    expect(found.body.data.txn_id).toBe(paid.reply.body.data.txn_id);
    expect(found.body.data.receipt).not.toBe(paid.reply.body.data.receipt);
    const slug = found.body.data.receipt.split('/').at(-1) ?? '';
    const { findReceipt } = await import('../../../db/payments/records/find.ts');
    const receipt = await findReceipt(service.store, slug, Date.now());
    expect(receipt?.payment).toMatchObject({ description: null, meta: null });
    const own = await findReceipt(service.store, paid.reply.body.data.receipt.split('/').at(-1) ?? '', Date.now());
    expect(own?.payment.description).toBe(NOTE);
  });

  test('with a JSON body on GET', async () => {
    const found = await askWithBody(JSON.stringify({ amount: 1.25, receiver: 'alice' }));
    expect(found.status).toBe(200);
    expect(found.body.data.txn_id).toBe(paid.reply.body.data.txn_id);
    expect((await askWithBody('{')).status).toBe(400);
  });

  test('by amount and receiver the newest counts; a hash of two payments is ambiguous', async () => {
    const accounts = await Promise.all([1, 2].map(() => chain.createAccount({ usdc: microUsdc(50_000n), wei: 0n })));
    const payTo = service.parts.treasury.address;
    const replies = await Promise.all(
      accounts.map(async (account) => {
        const header = await makeProof({ from: account.address, signer: account, payTo, value: 50_000n });
        return post(
          `${service.url}/payments/x/pay`,
          { receiver: 'dave', amount: 0.05 },
          { 'PAYMENT-SIGNATURE': header },
        );
      }),
    );
    expect((await ask({ amount: '0.05', receiver: 'dave' })).status).toBe(200);
    const hashes = replies.map(transactionOf);
    if (hashes[0] === hashes[1]) {
      const reply = await ask({ transaction_hash: hashes[0] ?? '' });
      expect([reply.status, reply.body['error']]).toEqual([400, 'ambiguous']);
    }
  });
});

describe('a payment is not found', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['by an unknown txn_id', { txn_id: '4711' }, 'payment_not_found'],
    ['by nothing', {}, 'validation_failed'],
    ['by an amount alone', { amount: '1.25' }, 'validation_failed'],
    ['by a hash of another form', { transaction_hash: '0x12' }, 'validation_failed'],
    ['by an e-mail address', { amount: '0.75', receiver: 'carol@example.com' }, 'payment_not_found'],
  ];
  test.each(cases)('%s', async (_name, query, error) => {
    const reply = await ask(query);
    expect([reply.status, reply.body['error']]).toEqual([400, error]);
  });

  test('by e-mail, but it is by txn_id, and its address is not shown', async () => {
    const reply = await ask({ txn_id: String(email.body.data.txn_id) });
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).not.toContain('carol');
  });

  test('for a proof that was never presented: 402 with empty accepts and no terms', async () => {
    const account = await chain.createAccount();
    const payTo = service.parts.treasury.address;
    const header = await makeProof({ from: account.address, signer: account, payTo, value: 1n });
    const reply = await ask({}, { 'PAYMENT-SIGNATURE': header });
    expect(reply.status).toBe(402);
    expect(reply.body.accepts).toEqual([]);
    expect(reply.headers.get('PAYMENT-REQUIRED')).toBeNull();
  });
});
