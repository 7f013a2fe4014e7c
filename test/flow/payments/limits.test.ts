import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const options = { requestsPerMinute: 20, paymentsPerMinute: 3 };
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });
});
afterAll(async () => {
  await service.close();
  await chain.close();
});

const order = { receiver: 'alice', amount: 0.01 };
/** Each test is another caller, as a trusted proxy tells it. */
const ask = (caller: string, headers: Record<string, string> = {}) =>
  post(`${service.url}/payments/x/pay`, order, { 'x-forwarded-for': caller, ...headers });

test('the 21st request of a minute answers 429 with Retry-After; another caller and the bot are served', async () => {
  const first = await Promise.all(Array.from({ length: 20 }, () => ask('203.0.113.1')));
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([402]));
  const refused = await ask('203.0.113.1');
  expect([refused.status, refused.body['error'], refused.body['retryable']]).toEqual([429, 'rate_limited', true]);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await ask('203.0.113.2')).status).toBe(402);
  const bot = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };
  expect((await ask('203.0.113.1', bot)).status).toBe(402);
  expect((await ask('203.0.113.1', { Authorization: 'Bearer wrong' })).status).toBe(429);
});

test('a header that an untrusted hop wrote does not make another caller', async () => {
  for (let index = 0; index < 20; index += 1) await ask(`198.51.100.${index}, 203.0.113.3`);
  expect((await ask('198.51.100.99, 203.0.113.3')).status).toBe(429);
});

test('a caller who comes for the answer of a known proof is never turned away', async () => {
  const account = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const header = {
    'PAYMENT-SIGNATURE': await makeProof({ from: account.address, signer: account, payTo, value: 10_000n }),
  };
  expect((await ask('203.0.113.4', header)).status).toBe(200);
  for (let index = 0; index < 20; index += 1) await ask('203.0.113.4');
  expect((await ask('203.0.113.4')).status).toBe(429);
  expect((await ask('203.0.113.4', header)).status).toBe(200);
});

test('the fourth payment of a payer in a minute answers 429 and moves nothing', async () => {
  const account = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const pay = async () => {
    const proof = await makeProof({ from: account.address, signer: account, payTo, value: 10_000n });
    return ask('203.0.113.5', { 'PAYMENT-SIGNATURE': proof });
  };
  for (let index = 0; index < 3; index += 1) expect((await pay()).status).toBe(200);
  const fourth = await pay();
  expect([fourth.status, fourth.body['error']]).toEqual([429, 'rate_limited']);
  expect(await chain.usdcBalance(account.address)).toBe(970_000n);
});
