import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuseAfterRestore, refuseLostProof } from '../../api/payments/restored.ts';
import { refusalWhilePaused } from '../../api/payments/serving.ts';
import type { ApiNetwork } from '../../api/environment/dependencies.ts';
import { AppError } from '../../core/errors.ts';
import { microUsdc } from '../../core/money.ts';
import type { LostState } from '../../core/transfers/lost.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const TOTAL = 1_000_000n;
const LATER_SECONDS = START_MS / 1_000 + 301;
const DAY_MS = 24 * 3_600_000;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const reconciled = () =>
  books.store.tx((db) =>
    db.insert(books.store.tables.reconciliations).values({ noticedAtMs: START_MS - 1, atMs: START_MS }),
  );

/** A payment of the lost time. */
async function lose(state: LostState, nonce = '0xlost'): Promise<void> {
  const { lostInbounds, observedTransfers } = books.store.tables;
  const place = { transaction: '0x1', logIndex: 0, block: 1, blockHash: '0x1', authorizer: PAYER, nonce };
  const what = { fromAddress: PAYER, toAddress: TREASURY, amountMicroUsdc: TOTAL, outgoing: false, landed: true };
  const seen = { fact: 'lost', network: 'base' as const, ...place, ...what, landings: 1, returnWanted: false };
  const lost = { fact: 'lost', network: 'base' as const, payer: PAYER, amountMicroUsdc: TOTAL, paidMicroUsdc: 0n };
  await books.store.tx(async (db) => {
    await db.insert(observedTransfers).values({ ...seen, seenAtMs: START_MS, consumedBy: 'suspense' });
    await db.insert(lostInbounds).values({ ...lost, state, atMs: START_MS });
  });
}

const NETWORK: ApiNetwork = {
  terms: {
    network: 'base',
    v1Name: 'base',
    caip2: 'eip155:8453',
    aliases: [],
    asset: '0x2',
    payTo: TREASURY,
    extra: { name: 'USD Coin', version: '2' },
  },
  checker: {
    read: () => null,
    check: async () => 'ok',
    isCancelledBy: async () => false,
    isEndpointOf: async () => false,
    endpointWords: () => '',
    isUsed: async () => false,
    lookUp: async () => 'unused',
    tryOut: async () => 'ok',
    isBound: ({ nonce }, hash) => nonce === `names ${hash}`,
  },
};

type Asking = { validBefore?: number; idempotencyKey?: string | null; nowMs?: number; total?: bigint };

/** The error's word, or null where the proof is taken. */
async function ask({
  validBefore = LATER_SECONDS,
  idempotencyKey = null,
  nowMs = START_MS,
  total = TOTAL,
}: Asking = {}) {
  const terms = { from: PAYER, to: TREASURY, value: total, validAfter: 0, payerAccount: null, nonce: '0xnew' };
  const checked = { proof: { network: NETWORK, authorization: { ...terms, validBefore } }, hash: 'hash' };
  const price = { total: microUsdc(total) };
  try {
    await refuseAfterRestore({ store: books.store, now: () => nowMs }, { idempotencyKey }, { ...checked, price });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test('a proof that comes while the service ends is looked up before anything is said about it', async () => {
  const terms = { from: PAYER, to: TREASURY, value: TOTAL, validAfter: 0, payerAccount: null, nonce: '0xnew' };
  const refused = await refusalWhilePaused(
    { network: NETWORK, authorization: { ...terms, validBefore: LATER_SECONDS } },
    true,
  );
  expect(refused.code).toBe('service_closing');
  expect(refused.context.detail).toMatch(
    /^This service is closing: it takes no more payments\. Not charged so far; it cannot be after 20.*Z\.$/,
  );
});

test('where nothing was restored every proof is taken', async () => {
  await lose('held');
  expect(await ask({ validBefore: 1, idempotencyKey: 'k' })).toBeNull();
});

describe('after a restore', () => {
  beforeEach(reconciled);

  test('a proof that may be older than the reconciliation is refused until it is over', async () => {
    expect(await ask({ validBefore: LATER_SECONDS - 1 })).toBe('service_paused');
    expect(await ask({ validBefore: LATER_SECONDS })).toBeNull();
  });

  test('a proof on Solana, which lives for 150 blocks, is refused for two minutes', async () => {
    expect(await ask({ validBefore: 0, nowMs: START_MS + 119_999 })).toBe('service_paused');
    expect(await ask({ validBefore: 0, nowMs: START_MS + 120_000 })).toBeNull();
  });

  test('a payer whose money is unresolved is not charged the same sum again, and another sum they are', async () => {
    await lose('held');
    expect(await ask()).toBe('settlement_pending');
    expect(await ask({ nowMs: START_MS + 30 * DAY_MS })).toBe('settlement_pending');
    expect(await ask({ total: TOTAL + 1n })).toBeNull();
  });

  test('a request that was paid for in the lost time is not charged again when its key comes within a day', async () => {
    await lose('paid');
    expect(await ask()).toBeNull();
    expect(await ask({ idempotencyKey: 'k' })).toBe('settlement_pending');
    expect(await ask({ idempotencyKey: 'k', nowMs: START_MS + DAY_MS })).toBeNull();
  });

  test('a proof whose money is unresolved is not said to go back', async () => {
    await lose('held');
    await expect(refuseLostProof({ store: books.store }, 'lost')).rejects.toThrow('settlement_pending');
  });

  test('the very request that a lost payment names is not charged again', async () => {
    await lose('paid', 'names hash');
    expect(await ask()).toBe('settlement_pending');
  });

  test('a payer who got the money back may pay again', async () => {
    await lose('returned');
    expect(await ask({ idempotencyKey: 'k' })).toBeNull();
    await refuseLostProof({ store: books.store }, 'lost');
  });
});
