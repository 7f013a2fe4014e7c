import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { clearStop } from './stops.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, type ProofOptions } from '../support/pay.ts';
import { expectRefusal, jsonPost, startInstallation, type Installation } from './installation.ts';

/** The order in which a request is judged: each step is reached only when all before it are passed. */
type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
const ORDER = { receiver: 'alice', amount: 1 };
const PRICE = 1_000_000n;

let chain: BaseChain;
let installation: Installation;
/** How far the service's clock is ahead. */
let skewMs = 0;
/** Names that a platform was asked for. */
let asked: string[] = [];

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  installation = await startInstallation({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    now: () => Date.now() + skewMs,
    decorate: (plain) => ({
      ...plain,
      identity: {
        ...plain.identity,
        resolve: async (recipient) => {
          asked.push(recipient.key);
          return recipient.key === 'nobody' ? { kind: 'not-found' } : plain.identity.resolve(recipient);
        },
      },
    }),
  });
});
afterAll(async () => {
  try {
    await installation?.service.assertSound();
  } finally {
    await installation?.close();
    await chain?.close();
  }
});
beforeEach(() => {
  asked = [];
});

const funded = (usdc = 5n * PRICE) => chain.createAccount({ usdc: microUsdc(usdc), wei: 0n });
const proofOf = (account: Account, change: Partial<ProofOptions> = {}) => {
  const payTo = installation.service.parts.treasury.address;
  return makeProof({ from: account.address, signer: account, payTo, value: PRICE, ...change });
};
const pay = (body: unknown, headers: Record<string, string> = {}) =>
  installation.send('/payments/x/pay', jsonPost(body, headers));
const newKey = () => `key-${randomBytes(12).toString('hex')}`;

describe('before there is a proof', () => {
  test('the syntax is judged, and no platform is asked', async () => {
    expect((await pay(ORDER)).status).toBe(402);
    expect((await pay({ receiver: 'nobody', amount: 1 })).status).toBe(402);
    expect((await pay({ receiver: 'a b', amount: 1 })).status).toBe(400);
    expect(asked).toEqual([]);
    expect(await installation.claimed()).toBe(0);
  });
});

describe('a proof that is no good', () => {
  test.each([
    ['of another form', async () => '!!!', 'invalid_payload'],
    [
      'that has expired',
      async () => proofOf(await funded(), { validBefore: 1 }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'of another payer',
      async () => proofOf(await funded(), { signer: await funded() }),
      'invalid_exact_evm_payload_signature',
    ],
  ])('%s is reported before the receiver is looked up', async (_name, header, reason) => {
    const reply = await pay({ receiver: 'nobody', amount: 1 }, { 'PAYMENT-SIGNATURE': await header() });
    expect([reply.status, reply.body['error']]).toEqual([402, reason]);
    expect(asked).toEqual([]);
  });

  test('of another payer learns nothing from a key: neither the stored answer nor that there is one', async () => {
    const [victim, thief] = [await funded(), await funded()];
    const key = { 'Idempotency-Key': newKey() };
    expect((await pay(ORDER, { ...key, 'PAYMENT-SIGNATURE': await proofOf(victim) })).status).toBe(200);
    const forged = await proofOf(victim, { signer: thief });
    for (const body of [ORDER, { receiver: 'mallory', amount: 1 }]) {
      const reply = await pay(body, { ...key, 'PAYMENT-SIGNATURE': forged });
      expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_exact_evm_payload_signature']);
    }
    expect(await chain.usdcBalance(victim.address)).toBe(4n * PRICE);
  });
});

describe('a proof that is good', () => {
  test('is held to its key before the receiver is looked up', async () => {
    const account = await funded();
    const key = { 'Idempotency-Key': newKey() };
    expect((await pay(ORDER, { ...key, 'PAYMENT-SIGNATURE': await proofOf(account) })).status).toBe(200);
    asked = [];
    const other = await pay({ receiver: 'nobody', amount: 1 }, { ...key, 'PAYMENT-SIGNATURE': await proofOf(account) });
    expect([other.status, other.body['error']]).toEqual([400, 'idempotency_key_reused']);
    expect(asked).toEqual([]);
  });

  test('for nobody is refused with nothing moved and nothing claimed', async () => {
    const account = await funded();
    const before = await installation.claimed();
    const reply = await pay({ receiver: 'nobody', amount: 1 }, { 'PAYMENT-SIGNATURE': await proofOf(account) });
    expectRefusal(installation, 'pay', reply, { status: 400, error: 'receiver_not_found', field: 'receiver' });
    expect(asked).toEqual(['nobody']);
    expect(await installation.claimed()).toBe(before);
    expect(await chain.usdcBalance(account.address)).toBe(5n * PRICE);
  });
});

describe('a proof that was claimed', () => {
  test('gets its stored answer, and nothing else is judged: neither its window, a key, a name, nor whether we sign', async () => {
    const account = await funded();
    const header = { 'PAYMENT-SIGNATURE': await proofOf(account) };
    const first = await pay(ORDER, header);
    expect(first.status).toBe(200);
    asked = [];
    skewMs = 3_600_000;
    await stopSigning(installation.service.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
    try {
      for (const headers of [header, { ...header, 'Idempotency-Key': newKey() }]) {
        const again = await pay(ORDER, headers);
        expect([again.status, again.body]).toEqual([200, first.body]);
        expect(again.headers.get('Idempotent-Replayed')).toBe('true');
        expect(again.headers.get('PAYMENT-RESPONSE')).toBe(first.headers.get('PAYMENT-RESPONSE'));
      }
      expect(asked).toEqual([]);
    } finally {
      skewMs = 0;
      await clearStop(installation.service.store);
    }
    expect(await chain.usdcBalance(account.address)).toBe(4n * PRICE);
  });

  test('control: another proof is judged by all of that', async () => {
    const stale = { 'PAYMENT-SIGNATURE': await proofOf(await funded()) };
    skewMs = 3_600_000;
    const late = await pay(ORDER, stale);
    skewMs = 0;
    expect([late.status, late.body['error']]).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before']);
  });
});

describe('while nothing is signed', () => {
  test('a stop of payouts takes nothing out of the terms, and a payment is settled', async () => {
    const account = await funded();
    const stop = { reason: 'operator_payouts', network: 'all', detail: 'a test' } as const;
    await stopSigning(installation.service.store, stop, Date.now());
    try {
      expect((await pay(ORDER)).status).toBe(402);
      expect((await pay(ORDER, { 'PAYMENT-SIGNATURE': await proofOf(account) })).status).toBe(200);
    } finally {
      await clearStop(installation.service.store);
    }
  });

  test.each(['operator', 'operator_payments'] as const)(
    'every request that would be answered 402 is answered 500, so that nobody signs: %s',
    async (reason) => {
      const account = await funded();
      const good = await proofOf(account);
      await stopSigning(installation.service.store, { reason, network: 'all', detail: 'a test' }, Date.now());
      try {
        const headers = [{}, { 'PAYMENT-SIGNATURE': '!!!' }, { 'PAYMENT-SIGNATURE': good }];
        const replies = await Promise.all(headers.map((header) => pay(ORDER, header as Record<string, string>)));
        for (const reply of replies) {
          expect([reply.status, reply.body['error'], reply.body['retryable']]).toEqual([500, 'service_paused', true]);
          expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
          expect(reply.headers.get('PAYMENT-REQUIRED')).toBeNull();
        }
        // A wrong body is wrong all the same.
        expect((await pay({})).status).toBe(400);
      } finally {
        await clearStop(installation.service.store);
      }
      expect(await chain.usdcBalance(account.address)).toBe(5n * PRICE);
      expect((await pay(ORDER, { 'PAYMENT-SIGNATURE': good })).status).toBe(200);
    },
  );
});
