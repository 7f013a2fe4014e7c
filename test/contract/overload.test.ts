/** What is refused while more payments wait than can land, and what is answered all the same. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmission } from '../../api/admission/admission.ts';
import { microUsdc } from '../../core/money.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, post } from '../support/pay.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PRICE = 1_000_000n;
const ORDER = { receiver: 'alice', amount: 1 };

let chain: BaseChain;
let service: TestService;
const backlog = { waiting: 0, oldestMs: null as number | null, settled: 0 };
const admission = createAdmission({ now: () => Date.now(), read: async () => () => backlog, networks: ['base'] });
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    decorate: (plain) => ({ ...plain, admission }),
  });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

async function fillQueue(waiting: number): Promise<void> {
  backlog.waiting = waiting;
  await admission.look();
}

const ask = (headers: Record<string, string>) => post(`${service.url}/payments/x/pay`, ORDER, headers);
const send = (proof: string, headers: Record<string, string> = {}) => ask({ 'PAYMENT-SIGNATURE': proof, ...headers });

async function countRows(): Promise<number[]> {
  const { read, tables } = service.store;
  const rows = await Promise.all([read.select().from(tables.proofs), read.select().from(tables.payments)]);
  return rows.map(({ length }) => length);
}

test('over what can land in time 503 with Retry-After comes before anything is reserved; what is reserved is answered', async () => {
  const account = await chain.createAccount({ usdc: microUsdc(9n * PRICE), wei: 0n });
  const payTo = service.parts.treasury.address;
  const sign = () => makeProof({ from: account.address, signer: account, payTo, value: PRICE });
  const key = { 'Idempotency-Key': `key-${randomBytes(12).toString('hex')}` };
  const paid = await sign();
  const first = await send(paid, key);
  expect(first.status).toBe(200);
  const before = await countRows();

  await fillQueue(100_000);
  const price = await ask({});
  expect([price.status, price.body['error'], price.body['retryable']]).toEqual([503, 'overloaded', true]);
  const refused = await sign();
  for (const seconds of [price, await send(refused)].map(({ headers }) => Number(headers.get('Retry-After')))) {
    expect(seconds).toBeGreaterThan(0);
  }
  expect((await send(refused)).body['error']).toBe('overloaded');
  expect(await countRows()).toEqual(before);
  // The same proof, and another one for what is paid already.
  for (const again of [await send(paid, key), await send(await sign(), key)]) {
    expect([again.status, again.body]).toEqual([200, first.body]);
  }
  expect(await chain.usdcBalance(account.address)).toBe(8n * PRICE);

  await fillQueue(0);
  expect((await ask({})).status).toBe(402);
  expect((await send(refused)).status).toBe(200);
  expect(await chain.usdcBalance(account.address)).toBe(7n * PRICE);
  await service.assertSound();
});

test('a response waits longer than its time while payments of its network do settle', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-overload-'));
  const place = {
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey()] },
    databasePath: join(dir, 'books.sqlite'),
  };
  const states = { isMoving: true };
  const idle = await startTestService({
    ...place,
    runWorker: false,
    settlementWaitMs: 50,
    decorate: (plain) => ({ ...plain, admission: { ...admission, isMoving: () => states.isMoving } }),
  });
  const account = await chain.createAccount({ usdc: microUsdc(2n * PRICE), wei: 0n });
  const payTo = idle.parts.treasury.address;
  const pay = async () => {
    const proof = await makeProof({ from: account.address, signer: account, payTo, value: PRICE });
    return post(`${idle.url}/payments/x/pay`, ORDER, { 'PAYMENT-SIGNATURE': proof });
  };
  const waiting = pay();
  const working = await startTestService(place);
  try {
    expect((await waiting).status).toBe(200);
    await working.close();
    states.isMoving = false;
    const reply = await pay();
    expect([reply.status, reply.body['error']]).toEqual([500, 'settlement_pending']);
  } finally {
    await idle.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
