import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post, type ProofOptions } from '../../support/pay.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';

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
  try {
    await service.assertSound();
  } finally {
    await service.close();
    await chain.close();
  }
});

const payUrl = (platform = 'x') => `${service.url}/payments/${platform}/pay`;
const funded = (usdc = 5_000_000n) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });

async function proofOf(account: Awaited<ReturnType<typeof funded>>, value: bigint, more: Partial<ProofOptions> = {}) {
  return makeProof({ from: account.address, signer: account, payTo, value, ...more });
}

describe('a paid request', () => {
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
  let account: Awaited<ReturnType<typeof funded>>;
  beforeAll(async () => {
    account = await funded();
  });

  /** Times are seconds from when the proof is made. */
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
    ['that has expired', { validBefore: -5 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    ['that is valid too long', { validBefore: 3_600 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    ['that is not valid yet', { validAfter: 50 }, 'invalid_exact_evm_payload_authorization_valid_after'],
  ];
  test.each(refusals)('%s answers 402 with the reason and moves nothing', async (_name, { ...change }, reason) => {
    for (const time of ['validAfter', 'validBefore'] as const) {
      const seconds = change[time];
      if (seconds !== undefined) change[time] = Math.floor(Date.now() / 1000) + seconds;
    }
    const header = await proofOf(account, 1_000_000n, change);
    const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
    expect([reply.status, reply.body['error']]).toEqual([402, reason]);
    expect(reply.headers.get('payment-error')).toBe(reason);
    expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
  });

  test.each(['!!!', 'e30=', btoa('{"x402Version":3}'), btoa('[]'), 'x'.repeat(4_000)])(
    'that is no payment at all (%#) answers 402',
    async (header) => {
      const reply = await post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
      expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_payload']);
    },
  );
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
    ['an empty object', '{}', 'validation_failed'],
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

test('30 different payers at once share transactions and are all answered', async () => {
  const accounts = await Promise.all(Array.from({ length: 30 }, () => funded(1_000_000n)));
  const payers = new Set(accounts.map(({ address }) => address.toLowerCase()));
  const [fromBlock, before] = await Promise.all([chain.client.getBlockNumber(), chain.usdcBalance(payTo)]);
  // No block until all have come, however slowly they do: a block for each would be a transaction for each.
  onTestFinished(() => chain.releaseBlocks());
  await chain.holdBlocks();
  const paying = Promise.all(
    accounts.map(async (account) =>
      post(payUrl(), { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': await proofOf(account, 1_000_000n) }),
    ),
  );
  const statuses = async () =>
    (await service.store.read.select().from(service.store.tables.payments))
      .filter(({ payer }) => payers.has(payer))
      .map(({ status }) => status);
  await eventually(async () => expect(await statuses()).toHaveLength(30), 20_000);
  await eventually(async () => {
    await chain.mine();
    expect(new Set(await statuses())).toEqual(new Set(['final']));
  }, 20_000);
  const replies = await paying;
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect((await chain.usdcBalance(payTo)) - before).toBe(30_000_000n);
  const toBlock = await chain.client.getBlockNumber();
  const lanes = service.parts.lanes.map(({ address }) => address.toLowerCase());
  const senders = await chain.sendersOf({ fromBlock, toBlock });
  const settlements = senders.filter((sender) => lanes.includes(sender.toLowerCase()));
  console.log(`30 payments in ${settlements.length} transactions`);
  expect(settlements.length).toBeLessThan(10);
  await eventually(() => service.assertSound());
});
