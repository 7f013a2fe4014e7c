import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { startBaseChain, type BaseChain } from '../support/base-chain.ts';
import { makeProof, post, type ProofOptions } from '../support/pay.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startTestService, type TestService } from '../support/service.ts';

type Hex = `0x${string}`;
let chain: BaseChain;
let service: TestService;
let payTo: Hex;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
  payTo = service.parts.treasury.address;
});
afterAll(async () => {
  await service.close();
  await chain.close();
});
afterEach(() => service.assertSound());

const payUrl = (platform = 'x') => `${service.url}/payments/${platform}/pay`;
const funded = (usdc = 5_000_000n) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
const treasuryHolds = () => chain.usdcBalance(payTo);

async function proofOf(account: Awaited<ReturnType<typeof funded>>, value: bigint, more: Partial<ProofOptions> = {}) {
  return makeProof({ from: account.address, signer: account, payTo, value, ...more });
}

describe('paying with the published client', () => {
  function client(account: Awaited<ReturnType<typeof funded>>) {
    const x402 = new x402Client();
    registerExactEvmScheme(x402, { signer: account });
    return x402;
  }
  const order = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"receiver":"alice","amount":0.5}',
  };

  test('@x402/fetch pays a handle in v2', async () => {
    const account = await funded();
    const before = await treasuryHolds();
    const response = await wrapFetchWithPayment(fetch, client(account))(payUrl(), order);
    expect(response.status).toBe(200);
    expect(await treasuryHolds()).toBe(before + 500_000n);
    expect(await chain.usdcBalance(account.address)).toBe(4_500_000n);
    expect(response.headers.get('PAYMENT-RESPONSE')).toBe(response.headers.get('X-PAYMENT-RESPONSE'));
  });

  test('@x402/fetch pays in v1 behind a fetch that drops the PAYMENT-REQUIRED header', async () => {
    const account = await funded();
    const before = await treasuryHolds();
    const versions: unknown[] = [];
    const v1Fetch: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const header = request.headers.get('X-PAYMENT');
      if (header) versions.push((JSON.parse(atob(header)) as { x402Version: number }).x402Version);
      const response = await fetch(request);
      const headers = new Headers(response.headers);
      headers.delete('PAYMENT-REQUIRED');
      return new Response(await response.text(), { status: response.status, headers });
    };
    const response = await wrapFetchWithPayment(v1Fetch, client(account))(payUrl('code'), order);
    expect(response.status).toBe(200);
    expect(versions).toEqual([1]);
    expect(await treasuryHolds()).toBe(before + 500_000n);
    expect(await chain.usdcBalance(account.address)).toBe(4_500_000n);
  });
});

describe('a paid request', () => {
  test('is answered 402 first, with both generations, and moves nothing', async () => {
    const before = await treasuryHolds();
    const reply = await post(payUrl(), { receiver: '@alice', amount: 1 });
    expect(reply.status).toBe(402);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toMatchObject({ x402Version: 1, code: 402, msg: 'The payment header is required' });
    expect(reply.body['accepts'][0]).toMatchObject({
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '1000000',
      payTo,
    });
    const v2 = JSON.parse(atob(reply.headers.get('PAYMENT-REQUIRED') ?? ''));
    expect(v2).toMatchObject({ x402Version: 2, accepts: [{ network: 'eip155:8453', amount: '1000000', payTo }] });
    expect(reply.headers.get('x-payment-request')).toBe(reply.headers.get('PAYMENT-REQUIRED'));
    expect(await treasuryHolds()).toBe(before);
  });

  test.each(['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'])('takes its proof from %s', async (name) => {
    const account = await funded();
    const reply = await post(
      payUrl(),
      { receiver: 'alice', amount: '0.01' },
      { [name]: await proofOf(account, 10_000n) },
    );
    expect(reply.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_990_000n);
  });

  test('of a contract wallet (ERC-1271) settles too', async () => {
    const owner = await chain.createAccount();
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(2_000_000n));
    const header = await makeProof({ from: wallet, signer: owner, payTo, value: 1_000_000n });
    const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
    expect(reply.status).toBe(200);
    expect(await chain.usdcBalance(wallet)).toBe(1_000_000n);
  });

  test('of a contract wallet that burns all gas is refused and the others settle', async () => {
    const owner = await chain.createAccount();
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(2_000_000n));
    await chain.setBurning(wallet, true);
    const other = await funded();
    const header = await makeProof({ from: wallet, signer: owner, payTo, value: 1_000_000n });
    const [burning, plain] = await Promise.all([
      post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header }),
      post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': await proofOf(other, 1_000_000n) }),
    ]);
    expect(burning.status).toBe(402);
    expect(plain.status).toBe(200);
    expect(await chain.usdcBalance(wallet)).toBe(2_000_000n);
  });

  test('ten times at once with the same proof is one charge and one txn_id', async () => {
    const account = await funded();
    const header = await proofOf(account, 1_000_000n);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => post(payUrl(), { receiver: 'bob', amount: 1 }, { 'PAYMENT-SIGNATURE': header })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(replies.map(({ body }) => body['data'].txn_id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(9);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });

  test('whose proof was used for another body or route answers 400', async () => {
    const account = await funded();
    const header = { 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) };
    expect((await post(payUrl(), { receiver: 'alice', amount: 1 }, header)).status).toBe(200);
    const otherBody = await post(payUrl(), { receiver: 'mallory', amount: 1 }, header);
    const otherRoute = await post(payUrl('code'), { receiver: 'alice', amount: 1 }, header);
    expect([otherBody.status, otherBody.body['error']]).toEqual([400, 'payment_already_used']);
    expect([otherRoute.status, otherRoute.body['error']]).toEqual([400, 'payment_already_used']);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });

  test('races with another body for one proof: exactly one of them is paid', async () => {
    const account = await funded();
    const header = { 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) };
    const names = ['alice', 'mallory', 'carol', 'dave', 'erin'];
    const replies = await Promise.all(names.map((receiver) => post(payUrl(), { receiver, amount: 1 }, header)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body['error'] === 'payment_already_used')).toHaveLength(4);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });

  test('under one idempotency key is one payment, and the key of another request is refused', async () => {
    const account = await funded();
    const key = { 'Idempotency-Key': 'order-0123456789abcdef' };
    const pay = async (receiver: string) =>
      post(payUrl(), { receiver, amount: 1 }, { ...key, 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) });
    const first = await pay('alice');
    const again = await pay('alice');
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    const other = await pay('bob');
    expect([other.status, other.body['error']]).toEqual([400, 'idempotency_key_reused']);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });

  test('under one payment-identifier is one payment; one that contradicts the header is refused', async () => {
    const account = await funded();
    const challenge = await post(payUrl(), { receiver: 'alice', amount: 1 });
    const offered = JSON.parse(atob(challenge.headers.get('PAYMENT-REQUIRED') ?? '')) as { extensions: object };
    expect(offered.extensions).toMatchObject({ 'payment-identifier': { info: { required: false } } });
    const extensions = { 'payment-identifier': { info: { id: 'pay_0123456789abcdef' } } };
    const pay = async (headers: Record<string, string> = {}) => {
      const proof = await proofOf(account, 1_000_000n, { extensions });
      return post(payUrl(), { receiver: 'alice', amount: 1 }, { ...headers, 'PAYMENT-SIGNATURE': proof });
    };
    const [first, again] = [await pay(), await pay({ 'Idempotency-Key': 'pay_0123456789abcdef' })];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    const other = await pay({ 'Idempotency-Key': 'another-0123456789abcdef' });
    expect([other.status, other.body['error']]).toEqual([400, 'invalid_idempotency_key']);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  });

  test('made twice with two proofs, both answered, is two payments', async () => {
    const account = await funded();
    const pay = async () =>
      post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) });
    const first = await pay();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await pay();
    expect(second.body['data'].txn_id).not.toBe(first.body['data'].txn_id);
    expect(await chain.usdcBalance(account.address)).toBe(3_000_000n);
  });
});

describe('a refused proof', () => {
  const refusals: [string, Partial<ProofOptions>, string][] = [
    [
      'for another amount',
      { value: 999_999n, acceptedAmount: '1000000' },
      'invalid_exact_evm_payload_authorization_value',
    ],
    ['whose accepted amount is not the price', { acceptedAmount: '1' }, 'invalid_payment_requirements'],
    ['for another account', { payTo: '0x00000000000000000000000000000000000000ff' }, 'invalid_payment_requirements'],
    ['for another asset', { asset: '0x00000000000000000000000000000000000000ff' }, 'invalid_payment_requirements'],
    ['for another network', { network: 'eip155:1' }, 'invalid_network'],
    [
      'that has expired',
      { validBefore: Math.floor(Date.now() / 1000) - 5 },
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'that is valid too long',
      { validBefore: Math.floor(Date.now() / 1000) + 3_600 },
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'that is not valid yet',
      { validAfter: Math.floor(Date.now() / 1000) + 50 },
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
  ];
  test.each(refusals)('%s answers 402 with the reason and moves nothing', async (_name, change, reason) => {
    const account = await funded();
    const header = await proofOf(account, 1_000_000n, change);
    const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
    expect([reply.status, reply.body['error']]).toEqual([402, reason]);
    expect(reply.headers.get('payment-error')).toBe(reason);
    expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
  });

  test('signed by somebody else answers 402', async () => {
    const [victim, thief] = [await funded(), await funded()];
    const header = await makeProof({ from: victim.address, signer: thief, payTo, value: 1_000_000n });
    const reply = await post(payUrl(), { receiver: 'thief', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
    expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_exact_evm_payload_signature']);
  });

  test.each(['!!!', 'e30=', btoa('{"x402Version":3}'), btoa('[]'), 'x'.repeat(4_000)])(
    'that is no payment at all (%#) answers 402',
    async (header) => {
      const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
      expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_payload']);
    },
  );

  test('of a payer without money is released: the same proof pays once the money is there', async () => {
    const account = await funded(400_000n);
    const header = { 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) };
    const poor = await post(payUrl(), { receiver: 'alice', amount: 1 }, header);
    expect([poor.status, poor.body['error']]).toEqual([402, 'insufficient_funds']);
    await chain.fundUsdc(account.address, microUsdc(600_000n));
    const rich = await post(payUrl(), { receiver: 'alice', amount: 1 }, header);
    expect(rich.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(0n);
  });

  test("of the service's own treasury answers 402", async () => {
    const { signature, authorization } = await service.parts.treasury.signPayout({
      payoutId: 'stolen',
      generation: 0,
      to: '0x1111111111111111111111111111111111111111',
      value: 1_000_000n,
      validAfter: 0,
      validBefore: Math.floor(Date.now() / 1000) + 60,
    });
    const payload = {
      signature,
      authorization: {
        ...authorization,
        to: payTo,
        value: '1000000',
        validAfter: '0',
        validBefore: String(authorization.validBefore),
      },
    };
    const header = btoa(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base', payload }));
    const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'X-PAYMENT': header });
    expect([reply.status, reply.body['error']]).toEqual([402, 'payer_not_allowed']);
  });
});

describe('bad input', () => {
  const bodies: [string, unknown, string][] = [
    ['no receiver', { amount: 1 }, 'validation_failed'],
    ['a null receiver', { receiver: null, amount: 1 }, 'validation_failed'],
    ['a number as receiver', { receiver: 7, amount: 1 }, 'validation_failed'],
    ['an empty receiver', { receiver: '', amount: 1 }, 'validation_failed'],
    ['a handle that is too long', { receiver: 'a'.repeat(16), amount: 1 }, 'invalid_receiver'],
    ['a look-alike letter', { receiver: '\u0430lice', amount: 1 }, 'invalid_receiver'],
    ['no amount', { receiver: 'alice' }, 'validation_failed'],
    ['0.009', { receiver: 'alice', amount: 0.009 }, 'invalid_amount'],
    ['10.01', { receiver: 'alice', amount: 10.01 }, 'invalid_amount'],
    ['7 decimals', { receiver: 'alice', amount: 1.0000001 }, 'invalid_amount'],
    ['"1e-2"', { receiver: 'alice', amount: '1e-2' }, 'invalid_amount'],
    ['"1,5"', { receiver: 'alice', amount: '1,5' }, 'invalid_amount'],
    ['EURC', { receiver: 'alice', amount: 1, currency: 'EURC' }, 'invalid_currency'],
    ['a text as meta', { receiver: 'alice', amount: 1, meta: 'x' }, 'validation_failed'],
    ['a list as body', [], 'validation_failed'],
    ['broken JSON', '{"receiver":', 'invalid_json'],
    ['an empty body', '', 'validation_failed'],
  ];
  test.each(bodies)('%s answers 400', async (_name, body, error) => {
    const reply = await post(payUrl(), body);
    expect([reply.status, reply.body['error'], reply.body['msg']]).toEqual([400, error, 'Validation failed']);
    expect(reply.body['detail'].length).toBeGreaterThan(15);
    expect(reply.headers.get('X-Request-Id')).toBe(reply.body['request_id']);
  });

  test.each([
    ['an unknown platform', '/payments/myspace/pay', 404, 'not_found'],
    ['a platform for bots only', '/payments/photo/pay', 404, 'not_found'],
    ['an alias', '/payments/twitter/pay', 402, 'payment_required'],
  ])('%s answers %s', async (_name, path, status, error) => {
    const reply = await post(`${service.url}${path}`, { receiver: 'alice', amount: 1 });
    expect([reply.status, reply.body['error']]).toEqual([status, error]);
  });

  test('a body above 64 KiB answers 413, headers above 16 KiB answer 431, GET answers 405', async () => {
    const large = await post(payUrl(), { receiver: 'alice', amount: 1, description: 'x'.repeat(70_000) });
    expect([large.status, large.body['error']]).toEqual([413, 'body_too_large']);
    const headers = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'X-PAYMENT': 'x'.repeat(20_000) });
    expect([headers.status, headers.body['error']]).toEqual([431, 'headers_too_large']);
    expect((await fetch(payUrl())).status).toBe(405);
  });
});

test('50 different payers at once share transactions and are all answered', async () => {
  const slow = await startBaseChain({ blockTimeMs: 1_000 });
  const busy = await startTestService({ rpcUrl: slow.rpcUrl, fundEth: slow.fundEth });
  try {
    const to = busy.parts.treasury.address;
    const accounts = await Promise.all(
      Array.from({ length: 50 }, () => slow.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n })),
    );
    const fromBlock = await slow.client.getBlockNumber();
    const replies = await Promise.all(
      accounts.map(async (account) => {
        const header = await makeProof({ from: account.address, signer: account, payTo: to, value: 1_000_000n });
        return post(`${busy.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
      }),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(await slow.usdcBalance(to)).toBe(50_000_000n);
    const toBlock = await slow.client.getBlockNumber();
    const lanes = busy.parts.lanes.map(({ address }) => address.toLowerCase());
    const senders = await slow.sendersOf({ fromBlock, toBlock });
    const settlements = senders.filter((sender) => lanes.includes(sender.toLowerCase()));
    console.log(`50 payments in ${settlements.length} transactions`);
    expect(settlements.length).toBeLessThan(15);
    await eventually(() => busy.assertSound());
  } finally {
    await busy.close();
    await slow.close();
  }
});
