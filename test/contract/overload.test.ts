/** What is refused while more payments wait than can land, and what is answered all the same. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmission } from '../../api/admission/admission.ts';
import type { ApiDependencies } from '../../api/environment/dependencies.ts';
import { awaitOutcome } from '../../api/payments/outcome.ts';
import { microUsdc } from '../../core/money.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, post } from '../support/pay.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PRICE = 1_000_000n;
/** So many wait that one more lands in time, and two do not. */
const LAST_PLACE = 1_620;
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

test('a proof that two requests present at once takes the last place once, and both have its answer', async () => {
  const account = await chain.createAccount({ usdc: microUsdc(2n * PRICE), wei: 0n });
  const payTo = service.parts.treasury.address;
  const proof = await makeProof({
    from: account.address,
    signer: account,
    payTo,
    value: PRICE,
    validBefore: Math.floor(Date.now() / 1_000) + 90,
  });
  await fillQueue(LAST_PLACE);
  const [one, other] = await Promise.all([send(proof), send(proof)]);
  await fillQueue(0);
  expect([one.status, other.status, other.body]).toEqual([200, 200, one.body]);
  expect(await chain.usdcBalance(account.address)).toBe(PRICE);
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
  const held: ApiDependencies[] = [];
  const idle = await startTestService({
    ...place,
    runWorker: false,
    settlementWaitMs: 50,
    decorate: (plain) => {
      held.push(plain);
      return { ...plain, admission: { ...admission, isMoving: () => states.isMoving } };
    },
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
    // No longer than clients wait, however long its network moves.
    const [plain] = held;
    if (plain === undefined) throw new Error('the service was never put together');
    let nowMs = 0;
    const timed: ApiDependencies = {
      ...plain,
      now: () => nowMs,
      admission: { ...admission, isMoving: () => true },
      waitForChange: async (_id, ms) => {
        nowMs += ms;
        return false;
      },
    };
    const connection = { id: 'patient', signal: new AbortController().signal, destroy: () => undefined };
    const paymentId = String(reply.body['settlement_attempt_id']);
    const [network] = plain.networks;
    if (network === undefined) throw new Error('no network is served');
    const terms = { from: account.address, to: payTo, value: PRICE, validAfter: 0, validBefore: 1, nonce: '0x1' };
    const proof = { network, authorization: { ...terms, payerAccount: null } };
    expect((await awaitOutcome(timed, paymentId, { replayed: true, proof, connection })).kind).toBe('pending');
    expect(nowMs).toBe(25_000);
  } finally {
    await idle.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
