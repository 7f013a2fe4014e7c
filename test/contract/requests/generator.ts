import fc from 'fast-check';
import { CATALOG_ROWS } from '../../../core/catalog/operations.ts';
import type { CatalogRow } from '../../../core/catalog/row.ts';
import {
  batchBody,
  cancelBody,
  crossBatchBody,
  payPlatform,
  PLATFORM_SPELLINGS,
  singleBody,
  validateBody,
  type ValidBody,
} from './bodies.ts';
import { decidingHeaders, harmlessHeaders, jsonType, otherType } from './headers.ts';
import { mutation } from './mutations.ts';
import { isSound, proof } from './proofs.ts';
import type { Delivery, Expected, TestRequest } from './request.ts';

/** Requests to every row of the catalog and to everything beside it; most of them have a body, and many a right one. */
export function requests(nowSeconds: number): fc.Arbitrary<TestRequest> {
  return fc.oneof(
    { weight: 34, arbitrary: withBody(paySingle) },
    { weight: 16, arbitrary: withBody(payBatch) },
    { weight: 12, arbitrary: withBody(payAcross) },
    { weight: 8, arbitrary: withBody(validate) },
    { weight: 8, arbitrary: withBody(cancel(nowSeconds)) },
    { weight: 6, arbitrary: withBody(confirmReward) },
    { weight: 5, arbitrary: validateByQuery },
    { weight: 9, arbitrary: reading },
    { weight: 4, arbitrary: otherMethod },
    { weight: 4, arbitrary: unknownAddress },
  );
}

const toBytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

/** Once in so many times, else null. */
function sometimes<T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

type Target = Pick<TestRequest, 'row' | 'method' | 'target'>;
/** Where a body goes, and what the contract answers when everything about it is right. */
type Operation = Target & ValidBody & { expected: Expected };

const rowAt = (path: string) => CATALOG_ROWS.find((row) => row.path === path) ?? null;
const priced = (price: number): Expected => ({ status: 402, error: 'payment_required', price });
const UNKNOWN: Expected = { status: 400, error: 'payment_not_found', price: null };

const paySingle: fc.Arbitrary<Operation> = payPlatform.chain((platform) =>
  fc.tuple(fc.constantFrom(...PLATFORM_SPELLINGS[platform]), singleBody(platform)).map(([spelling, valid]) => ({
    ...valid,
    row: rowAt('/payments/{platform}/pay'),
    method: 'POST',
    target: `/payments/${spelling}/pay`,
    expected: priced(valid.price),
  })),
);

const payBatch: fc.Arbitrary<Operation> = payPlatform.chain((platform) =>
  fc.tuple(fc.constantFrom(...PLATFORM_SPELLINGS[platform]), batchBody(platform)).map(([spelling, valid]) => ({
    ...valid,
    row: rowAt('/payments/{platform}/batch-pay'),
    method: 'POST',
    target: `/payments/${spelling}/batch-pay`,
    expected: priced(valid.price),
  })),
);

const payAcross: fc.Arbitrary<Operation> = crossBatchBody().map((valid) => ({
  ...valid,
  row: rowAt('/payments/batch-pay'),
  method: 'POST',
  target: '/payments/batch-pay',
  expected: priced(valid.price),
}));

const validate: fc.Arbitrary<Operation> = validateBody.map((valid) => ({
  ...valid,
  row: rowAt('/payments/validate'),
  method: 'GET',
  target: '/payments/validate',
  expected: UNKNOWN,
}));

const cancel = (nowSeconds: number): fc.Arbitrary<Operation> =>
  fc.tuple(fc.integer({ min: 1, max: 2 ** 53 - 1 }), cancelBody(nowSeconds)).map(([txnId, valid]) => ({
    ...valid,
    row: rowAt('/payments/{txn_id}/cancel'),
    method: 'POST',
    target: `/payments/${txnId}/cancel`,
    expected: UNKNOWN,
  }));

/** Nobody has created any, so none is known, whatever it is paid with. */
const confirmReward: fc.Arbitrary<Operation> = fc
  .tuple(fc.constantFrom(...PLATFORM_SPELLINGS.decsocial), fc.stringMatching(/^dist_[A-Za-z0-9_-]{22}$/), fc.boolean())
  .map(([spelling, id, isInAddress]) => ({
    body: isInAddress ? {} : { order_id: id },
    price: 10_000,
    row: rowAt(`/rewards/{platform}/confirm-distribution${isInAddress ? '/{order_id}' : ''}`),
    method: 'POST',
    target: `/rewards/${spelling}/confirm-distribution${isInAddress ? `/${id}` : ''}`,
    expected: { status: 404, error: 'distribution_not_found', price: null },
  }));

const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 80, arbitrary: fc.constant<Delivery>('whole') },
  { weight: 6, arbitrary: fc.constant<Delivery>('chunked') },
  { weight: 3, arbitrary: fc.constant<Delivery>('slow') },
  { weight: 6, arbitrary: fc.constant<Delivery>('pipelined') },
  { weight: 3, arbitrary: fc.constant<Delivery>('aborted') },
);

/** A right body mostly stands under a right type; one in five requests carries a proof of some kind. */
function withBody(operation: fc.Arbitrary<Operation>): fc.Arbitrary<TestRequest> {
  const right = fc
    .tuple(operation, jsonType)
    .map(([target, type]) => ({ target, type, body: toBytes(target.body), isValid: true }));
  const mistyped = fc
    .tuple(operation, otherType)
    .map(([target, type]) => ({ target, type, body: toBytes(target.body), isValid: false }));
  const wrong = fc
    .tuple(operation, jsonType, mutation)
    .map(([target, type, mutate]) => ({ target, type, body: mutate(target.body), isValid: false }));
  return fc
    .oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: mistyped }, { weight: 9, arbitrary: wrong })
    .chain((made) =>
      fc.tuple(
        fc.constant(made),
        sometimes(4, proof(made.target.price)),
        harmlessHeaders,
        sometimes(15, decidingHeaders),
        delivery,
      ),
    )
    .map(([{ target, type, body, isValid }, sent, harmless, deciding, how]): TestRequest => {
      const { row, method, target: address } = target;
      return {
        row,
        method,
        target: address,
        headers: [...type, ...harmless, ...(deciding ?? [])],
        body,
        proof: sent,
        delivery: how,
        hasValidBody: isValid,
        expected: isValid && deciding === null ? expectedOf(target, sent) : null,
      };
    });
}

function expectedOf({ expected }: Operation, sent: TestRequest['proof']): Expected | null {
  if (sent === null || expected.status !== 402) return expected;
  // The signer here holds nothing, so the chain is the first to refuse.
  const isPoor = sent.kind === 'base' && isSound(sent.terms);
  return { ...expected, error: isPoor ? 'insufficient_funds' : null };
}

const noBody = { body: null, proof: null, delivery: 'whole', hasValidBody: false, expected: null } as const;

const validateByQuery: fc.Arbitrary<TestRequest> = fc
  .oneof(
    validateBody.map(({ body }) =>
      new URLSearchParams(Object.entries(body).map(([k, v]) => [k, String(v)] as [string, string])).toString(),
    ),
    fc.webQueryParameters(),
    fc
      .tuple(
        fc.constantFrom('txn_id', 'amount', 'receiver', 'transaction_hash', 'platform'),
        fc.string({ unit: 'binary', maxLength: 30 }),
      )
      .map(([key, value]) =>
        new URLSearchParams([
          [key, value],
          [key, value],
        ]).toString(),
      ),
    fc.constantFrom('txn_id=%', 'txn_id=%E0%A4%A', '=&=&', 'txn_id', '%00=1', `txn_id=${'9'.repeat(5_000)}`),
  )
  .chain((query) =>
    fc.tuple(sometimes(3, proof(0)), harmlessHeaders).map(([sent, headers]) => ({
      ...noBody,
      row: rowAt('/payments/validate'),
      method: 'GET',
      target: `/payments/validate?${query}`,
      proof: sent,
      headers,
    })),
  );

const slug = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{22}$/),
  fc.webSegment(),
  fc.constantFrom('%00', '..', 'x'.repeat(3_000)),
);
const html = fc.constantFrom(
  '/',
  '/docs',
  '/claim/x/alice',
  '/claim/email/a%40example.com',
  '/claim/nowhere/x',
  '/claim/x/%F0%9F',
);

/** What is read without a body: rows of the catalog, and what the service says about itself. */
const reading: fc.Arbitrary<TestRequest> = fc
  .tuple(
    fc.oneof(
      slug.map((text) => ({ row: rowAt('/receipts/{slug}'), target: `/receipts/${text}`, expected: null })),
      fc.constantFrom('/health/live', '/health/ready').map((path) => ({
        row: rowAt(path),
        target: path,
        expected: { status: 200, error: null, price: null },
      })),
      fc.constantFrom('/openapi.json', '/.well-known/x402', '/llms.txt').map((path) => ({
        row: null,
        target: path,
        expected: { status: 200, error: null, price: null },
      })),
      html.map((path) => ({ row: null, target: path, expected: null })),
    ),
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    harmlessHeaders,
    fc.constantFrom<Delivery>('whole', 'whole', 'pipelined'),
  )
  .map(([what, method, headers, how]) => ({ ...noBody, ...what, method, headers, delivery: how }));

const addressOf = ({ path }: CatalogRow) =>
  path
    .replace('{platform}', 'x')
    .replace('{txn_id}', '1')
    .replace(/\{(?:slug|id|order_id)\}/, 'a');

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const ADDRESSES = [
  ...CATALOG_ROWS.map(addressOf),
  '/',
  '/docs',
  '/openapi.json',
  '/.well-known/x402',
  '/llms.txt',
  '/payments/nowhere/pay',
  '/payments/photo/pay',
  '/payments',
];

const otherMethod: fc.Arbitrary<TestRequest> = fc
  .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...ADDRESSES), harmlessHeaders)
  .map(([method, target, headers]) => ({ ...noBody, row: rowOf(method, target), method, target, headers }));

/** Now and then the other method is the right one. */
function rowOf(method: string, target: string): TestRequest['row'] {
  return CATALOG_ROWS.find((row) => addressOf(row) === target && row.method === method.toLowerCase()) ?? null;
}

const unknownAddress: fc.Arbitrary<TestRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'GET', 'OPTIONS'),
    fc.oneof(
      fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`),
      fc.constantFrom(
        '//',
        '/..',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/payments/x/pay/',
        '/PAYMENTS/x/pay',
        '/payments//pay',
      ),
      fc.constantFrom(
        '/payments/%00/pay',
        '/payments/x%2fpay',
        '/a\\b',
        '*',
        `/${'x'.repeat(20_000)}`,
        '/assets/../main.ts',
      ),
    ),
    harmlessHeaders,
  )
  .map(([method, target, headers]) => ({ ...noBody, row: null, method, target, headers }));
