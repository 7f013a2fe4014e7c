import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  await service.close();
  await chain.close();
});
afterEach(() => service.assertSound());

const url = (path: string) => `${service.url}/payments/${path}`;

/** Pays a body with a new payer who has just enough. */
async function pay(path: string, body: unknown, value: bigint) {
  const account = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
  const header = await makeProof({
    from: account.address,
    signer: account,
    payTo: service.parts.treasury.address,
    value,
  });
  return { account, reply: await post(url(path), body, { 'PAYMENT-SIGNATURE': header }) };
}

type BatchData = { txn_id: number; username: string; amount: number; status: string; receipt: string }[];
const dataOf = (body: unknown) => (body as { data: BatchData }).data;

describe('a batch', () => {
  test('is priced as a whole and answered with a line per receiver in the order of the request', async () => {
    const receivers = [
      { receiver: 'carol', amount: 0.03 },
      { receiver: 'alice', amount: '0.01' },
      { username: 'carol', amount: 0.02 },
    ];
    const challenge = await post(url('x/batch-pay'), { receivers });
    expect(challenge.status).toBe(402);
    expect(challenge.body['accepts'][0]).toMatchObject({ maxAmountRequired: '60000' });
    expect(String(challenge.body['accepts'][0]?.['description'])).not.toMatch(/carol|alice/);
    const { reply, account } = await pay('x/batch-pay', { receivers }, 60_000n);
    expect(reply.status).toBe(200);
    expect(reply.body['settlement_attempt_id']).toMatch(/^attempt_\d+_[a-z0-9]+$/);
    expect(dataOf(reply.body).map(({ username, amount }) => [username, amount])).toEqual([
      ['carol', 0.03],
      ['alice', 0.01],
      ['carol', 0.02],
    ]);
    expect(new Set(dataOf(reply.body).map(({ txn_id }) => txn_id)).size).toBe(3);
    expect(await chain.usdcBalance(account.address)).toBe(0n);
  });

  test('goes across platforms, aliases included', async () => {
    const receivers = [
      { platform: 'twitter', receiver: 'alice', amount: 0.01 },
      { platform: 'email', receiver: 'bob@example.com', amount: 0.02 },
      { platform: 'web', receiver: 'example.com', amount: 0.03 },
    ];
    const { reply } = await pay('batch-pay', { receivers }, 60_000n);
    expect(reply.status).toBe(200);
    expect(dataOf(reply.body).map((line) => (line as Record<string, unknown>)['platform'])).toEqual([
      'x',
      'email',
      'web',
    ]);
  });
});

describe('a batch is refused as a whole, naming the line', () => {
  const good = { receiver: 'alice', amount: 0.01 };
  const cases: [string, string, unknown, string, string | undefined][] = [
    [
      'a bad handle',
      'x/batch-pay',
      { receivers: [good, { receiver: 'a b', amount: 1 }] },
      'invalid_receiver',
      'receivers[1].receiver',
    ],
    [
      'a bad amount',
      'x/batch-pay',
      { receivers: [good, good, { receiver: 'bob', amount: 11 }] },
      'invalid_amount',
      'receivers[2].amount',
    ],
    ['no receiver', 'x/batch-pay', { receivers: [{ amount: 1 }] }, 'validation_failed', 'receivers[0].receiver'],
    ['nobody', 'x/batch-pay', { receivers: [] }, 'validation_failed', 'receivers'],
    [
      '101 receivers',
      'x/batch-pay',
      { receivers: Array.from({ length: 101 }, () => good) },
      'validation_failed',
      'receivers',
    ],
    ['no list', 'x/batch-pay', { receivers: 'alice' }, 'validation_failed', 'receivers'],
    ['a text as line', 'x/batch-pay', { receivers: ['alice'] }, 'validation_failed', 'receivers[0]'],
    [
      'an unknown platform',
      'batch-pay',
      { receivers: [{ ...good, platform: 'myspace' }] },
      'platform_unavailable',
      'receivers[0].platform',
    ],
    [
      'a platform for bots',
      'batch-pay',
      { receivers: [{ ...good, platform: 'photo' }] },
      'platform_unavailable',
      'receivers[0].platform',
    ],
    ['no platform', 'batch-pay', { receivers: [good] }, 'validation_failed', 'receivers[0].platform'],
  ];
  test.each(cases)('%s', async (_name, path, body, error, field) => {
    const reply = await post(url(path), body);
    expect([reply.status, reply.body['error'], reply.body['field']]).toEqual([400, error, field]);
  });
});
