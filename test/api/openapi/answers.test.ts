import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createApi } from '../../../api/app.ts';
import { toSolvencyAnswer } from '../../../api/health/solvency.ts';
import type { OpenApiDocument } from '../../../api/openapi/document.ts';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, type ReplyBody } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createValidator } from './validator.ts';

/** Answers of the whole running API, each held against the document that this API serves. */
let chain: BaseChain;
let service: TestService;
let app: ReturnType<typeof createApi>;
let document: OpenApiDocument;
let violations: ReturnType<typeof createValidator>;
let proof: string;
let paid: Answer;

type Answer = { status: number; headers: Headers; body: ReplyBody };
const ORDER = { receiver: 'someone@example.com', amount: 1.25 };

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  let dependencies: ApiDependencies | undefined;
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    decorate: (plain) => (dependencies = plain),
  });
  if (dependencies === undefined) throw new Error('the test service did not hand out its dependencies');
  app = createApi(dependencies, true);
  document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
  violations = createValidator(document);
  proof = await sign(1_250_000n);
  paid = await send('POST', '/payments/email/pay', ORDER, { 'PAYMENT-SIGNATURE': proof });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

async function sign(value: bigint): Promise<string> {
  const account = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
  return makeProof({ from: account.address, signer: account, payTo: service.parts.treasury.address, value });
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await app.request(path, { method, body: text ?? null, headers: { ...json, ...headers } });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as ReplyBody };
}

const PAY = '/payments/{platform}/pay';
const BATCH = '/payments/{platform}/batch-pay';
const ACROSS = '/payments/batch-pay';

describe('a refusal is as documented', () => {
  const two = [{ receiver: 'someone@example.com', amount: 1 }];
  test.each([
    ['a price', PAY, '/payments/email/pay', ORDER, 402],
    ['a price of a batch', BATCH, '/payments/email/batch-pay', { receivers: two }, 402],
    ['a price across platforms', ACROSS, ACROSS, { receivers: [{ ...two[0], platform: 'email' }] }, 402],
    ['no amount', PAY, '/payments/email/pay', { receiver: 'someone@example.com' }, 400],
    ['too little', PAY, '/payments/email/pay', { ...ORDER, amount: 0.009 }, 400],
    ['another currency', PAY, '/payments/email/pay', { ...ORDER, currency: 'EUR' }, 400],
    ['no e-mail address', PAY, '/payments/email/pay', { ...ORDER, receiver: 'nobody' }, 400],
    ['no JSON', PAY, '/payments/email/pay', '{', 400],
    ['a body that is too large', PAY, '/payments/email/pay', JSON.stringify('a'.repeat(70_000)), 413],
    ['an unknown platform', PAY, '/payments/nowhere/pay', ORDER, 404],
    ['an empty batch', BATCH, '/payments/email/batch-pay', { receivers: [] }, 400],
    ['an unknown platform in a batch', ACROSS, ACROSS, { receivers: [{ ...two[0], platform: 'nowhere' }] }, 400],
    ['no cancellation', '/payments/{txn_id}/cancel', '/payments/1/cancel', {}, 400],
  ])('%s', async (_name, path, address, body, status) => {
    const answer = await send('POST', address, body);
    expect(answer.status).toBe(status);
    expect(violations(path, 'post', status, answer.body)).toEqual([]);
    expectDocumentedHeaders(path, 'post', answer);
  });

  test('another media type', async () => {
    const answer = await send('POST', '/payments/email/pay', 'amount=1', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
    expect(violations(PAY, 'post', 415, answer.body)).toEqual([]);
  });

  test('a key that is too short', async () => {
    const answer = await send('POST', '/payments/email/pay', ORDER, {
      'PAYMENT-SIGNATURE': proof,
      'Idempotency-Key': 'short',
    });
    expect(answer.status).toBe(400);
    expect(violations(PAY, 'post', 400, answer.body)).toEqual([]);
  });

  test('a proof that cannot be read', async () => {
    const answer = await send('POST', '/payments/email/pay', ORDER, { 'PAYMENT-SIGNATURE': 'nonsense' });
    expect(answer.body.error).toBe('invalid_payload');
    expect(violations(PAY, 'post', 402, answer.body)).toEqual([]);
    expectDocumentedHeaders(PAY, 'post', answer);
  });

  test('a proof of another request', async () => {
    const answer = await send('POST', '/payments/email/pay', { ...ORDER, amount: 1 }, { 'PAYMENT-SIGNATURE': proof });
    expect(answer.body.error).toBe('payment_already_used');
    expect(violations(PAY, 'post', 400, answer.body)).toEqual([]);
  });

  test('a payment that nobody knows, a question that asks nothing, and a proof that nobody presented', async () => {
    const unknown = await send('GET', '/payments/validate?txn_id=1');
    expect(violations('/payments/validate', 'get', unknown.status, unknown.body)).toEqual([]);
    const empty = await send('GET', '/payments/validate');
    expect(violations('/payments/validate', 'get', empty.status, empty.body)).toEqual([]);
    const unseen = await send('GET', '/payments/validate', undefined, { 'PAYMENT-SIGNATURE': await sign(10_000n) });
    expect(unseen.status).toBe(402);
    expect(violations('/payments/validate', 'get', 402, unseen.body)).toEqual([]);
  });

  test('a receipt that nobody knows', async () => {
    const answer = await send('GET', '/receipts/AAAAAAAAAAAAAAAAAAAAAA', undefined, { accept: 'application/json' });
    expect(answer.status).toBe(404);
    expect(violations('/receipts/{slug}', 'get', 404, answer.body)).toEqual([]);
  });
});

describe('a success is as documented', () => {
  test('a payment, and the same one again', async () => {
    expect(paid.status).toBe(200);
    expect(violations(PAY, 'post', 200, paid.body)).toEqual([]);
    expectDocumentedHeaders(PAY, 'post', paid);
    const again = await send('POST', '/payments/email/pay', ORDER, { 'PAYMENT-SIGNATURE': proof });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(violations(PAY, 'post', 200, again.body)).toEqual([]);
  });

  test('a batch', async () => {
    const receivers = [ORDER, { receiver: 'another@example.com', amount: 0.75 }];
    const headers = { 'PAYMENT-SIGNATURE': await sign(2_000_000n) };
    const answer = await send('POST', '/payments/email/batch-pay', { receivers }, headers);
    expect(answer.status).toBe(200);
    expect(violations(BATCH, 'post', 200, answer.body)).toEqual([]);
  });

  test('the question what became of it, its receipt, and the health checks', async () => {
    const { txn_id: txnId, receipt } = paid.body.data;
    const found = await send('GET', `/payments/validate?txn_id=${txnId}`);
    expect(found.status).toBe(200);
    expect(violations('/payments/validate', 'get', 200, found.body)).toEqual([]);
    const shown = await send('GET', new URL(receipt).pathname, undefined, { accept: 'application/json' });
    expect(shown.status).toBe(200);
    expect(violations('/receipts/{slug}', 'get', 200, shown.body)).toEqual([]);
    for (const path of ['/health/live', '/health/ready', '/health', '/health/solvency']) {
      const answer = await send('GET', path);
      expect(violations(path, 'get', answer.status, answer.body)).toEqual([]);
    }
  });
});

test('books that do not cover what is owed are told as documented', () => {
  const [none, one, two] = [microUsdc(0n), microUsdc(1n), microUsdc(2n)];
  const sums = { assets: one, onChain: one, liabilities: two, unexplained: none, float: none, reorgLoss: one };
  const books = { network: 'base', block: 1, ...sums, comparedAtMs: 0, ageMs: 0, doubt: 'not_covered' } as const;
  const answer = toSolvencyAnswer({ networks: [books], unknown: [] }, 0);
  expect(answer.code).toBe(503);
  expect(violations('/health/solvency', 'get', 503, answer)).toEqual([]);
  expect(violations('/health/solvency', 'get', 200, answer)).not.toEqual([]);
});

describe('control: an answer that is not as documented is seen', () => {
  test.each([
    ['a text for a number', (body: ReplyBody) => ({ ...body, data: { ...body.data, txn_id: 'one' } })],
    ['an unknown status', (body: ReplyBody) => ({ ...body, data: { ...body.data, status: 'sent' } })],
    ['a key too few', ({ data: _data, ...body }: ReplyBody) => body],
    ['a key that nobody documented', (body: ReplyBody) => ({ ...body, data: { ...body.data, payer: '0x00' } })],
  ])('%s', (_name, spoil) => {
    expect(violations(PAY, 'post', 200, paid.body)).toEqual([]);
    expect(violations(PAY, 'post', 200, spoil(paid.body))).not.toEqual([]);
  });

  test('an error word of another status, and a status that is not documented', async () => {
    const { body } = await send('POST', '/payments/email/pay', {});
    expect(violations(PAY, 'post', 400, { ...body, error: 'not_found' })).not.toEqual([]);
    expect(violations(PAY, 'post', 418, body)).not.toEqual([]);
  });
});

/** Headers with a meaning of their own that an answer carries are in the document. */
function expectDocumentedHeaders(path: string, method: string, { status, headers }: Answer): void {
  const described = document.paths[path]?.[method]?.responses[String(status)]?.['headers'] ?? {};
  const known = Object.keys(document.components['headers'] ?? {});
  const sent = known.filter((name) => headers.has(name));
  expect(Object.keys(described)).toEqual(expect.arrayContaining(sent));
  if (status === 402) expect(sent).toContain('PAYMENT-REQUIRED');
  expect(sent).toContain('X-Request-Id');
}
