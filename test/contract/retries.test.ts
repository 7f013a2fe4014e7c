import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, post } from '../support/pay.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** What a caller's second attempt means, while the first is open, once it is refused, and by which name it comes. */
type Hex = `0x${string}`;
type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
const PRICE = 1_000_000n;
const ORDER = { receiver: 'alice', amount: 1 };
const randomKey = (): Hex => `0x${randomBytes(32).toString('hex')}`;

let chain: BaseChain;
let dir: string;
const running = new Set<TestService>();
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  dir = mkdtempSync(join(tmpdir(), 'pennypost-retries-'));
});
afterEach(async () => {
  for (const service of running) await service.close();
  running.clear();
});
afterAll(async () => {
  await chain?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** One installation that first takes payments without settling any, and later settles them. */
function install() {
  const places = {
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey: randomKey(), laneKeys: [randomKey()] },
    databasePath: join(dir, `${randomBytes(6).toString('hex')}.sqlite`),
  };
  const start = async (more: { runWorker?: boolean; settlementWaitMs?: number } = {}) => {
    const service = await startTestService({ ...places, ...more });
    running.add(service);
    return service;
  };
  return { idle: () => start({ runWorker: false, settlementWaitMs: 50 }), working: () => start() };
}

const proofOf = (service: TestService, account: Account, value = PRICE) =>
  makeProof({ from: account.address, signer: account, payTo: service.parts.treasury.address, value });
const ask = (service: TestService, proof: string, headers: Record<string, string> = {}, body: unknown = ORDER) =>
  post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': proof, ...headers });
const newKey = () => ({ 'Idempotency-Key': `key-${randomBytes(12).toString('hex')}` });
const funded = (usdc: bigint) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });

describe('a request whose outcome is open', () => {
  test('answers 500 with the attempt, in Retry-After seconds, under the same name for a new proof', async () => {
    const service = await install().idle();
    const account = await funded(5n * PRICE);
    const first = await ask(service, await proofOf(service, account));
    expect([first.status, first.body['error'], first.body['retryable']]).toEqual([500, 'settlement_pending', true]);
    expect(first.body['settlement_attempt_id']).toMatch(/^attempt_[0-9]{13}_[0-9a-z]+$/);
    expect(Number(first.headers.get('Retry-After'))).toBeGreaterThan(0);
    const joined = await ask(service, await proofOf(service, account));
    expect(joined.body['settlement_attempt_id']).toBe(first.body['settlement_attempt_id']);
  });

  test('under another idempotency key is another payment, missed or not', async () => {
    const place = install();
    const idle = await place.idle();
    const account = await funded(5n * PRICE);
    const proofs = await Promise.all([1, 2, 3].map(() => proofOf(idle, account)));
    const names = [newKey(), newKey(), {}];
    const open = [];
    for (const [index, proof] of proofs.entries()) open.push(await ask(idle, proof, names[index]));
    expect(open.map(({ body }) => body['error'])).toEqual(Array(3).fill('settlement_pending'));
    expect(new Set(open.map(({ body }) => body['settlement_attempt_id'])).size).toBe(3);
    const service = await place.working();
    const paid = await Promise.all(proofs.map((proof, index) => ask(service, proof, names[index])));
    expect(paid.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await chain.usdcBalance(account.address)).toBe(2n * PRICE);
    await eventually(() => service.assertSound());
  });

  test('is asked for by its attempt: 500 until it is settled, because 200 is read as paid', async () => {
    const place = install();
    const idle = await place.idle();
    const account = await funded(PRICE);
    const proof = await proofOf(idle, account);
    const attempt = String((await ask(idle, proof)).body['settlement_attempt_id']);
    const questions: [string, RequestInit][] = [
      [`?settlement_attempt_id=${attempt}`, {}],
      ['?amount=1&receiver=alice', {}],
      ['', { headers: { 'PAYMENT-SIGNATURE': proof } }],
    ];
    for (const [query, init] of questions) {
      const open = await fetch(`${idle.url}/payments/validate${query}`, init);
      expect([open.status, await open.json()]).toMatchObject([
        500,
        { error: 'settlement_pending', settlement_attempt_id: attempt },
      ]);
      expect(Number(open.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    const service = await place.working();
    expect((await ask(service, proof)).status).toBe(200);
    for (const [query, init] of questions) {
      expect((await fetch(`${service.url}/payments/validate${query}`, init)).status).toBe(200);
    }
  });
});

describe('a request that was refused', () => {
  test('frees its idempotency key: another request may have it', async () => {
    const service = await install().working();
    const account = await funded(0n);
    const key = newKey();
    const refused = await ask(service, await proofOf(service, account), key);
    expect([refused.status, refused.body['error']]).toEqual([402, 'insufficient_funds']);
    await chain.fundUsdc(account.address, microUsdc(PRICE));
    const other = await ask(service, await proofOf(service, account), key, { receiver: 'bob', amount: 1 });
    expect(other.status).toBe(200);
    await eventually(() => service.assertSound());
  });

  test('refuses the proof that joined it too, for good', async () => {
    const place = install();
    const idle = await place.idle();
    const account = await funded(0n);
    const [first, alias] = [await proofOf(idle, account), await proofOf(idle, account)];
    const open = [await ask(idle, first), await ask(idle, alias)];
    expect(new Set(open.map(({ body }) => body['settlement_attempt_id'])).size).toBe(1);
    const service = await place.working();
    await eventually(async () => {
      const replies = [await ask(service, first), await ask(service, alias)];
      expect(replies.map(({ status, body }) => [status, body['error']])).toEqual(
        Array(2).fill([402, 'insufficient_funds']),
      );
    });
    // With money the first may come again, as any refused proof; the one that joined it is never settled.
    await chain.fundUsdc(account.address, microUsdc(5n * PRICE));
    expect((await ask(service, alias)).status).toBe(402);
    expect((await ask(service, first)).status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4n * PRICE);
    await eventually(() => service.assertSound());
  });
});
