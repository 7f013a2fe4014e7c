import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { createPagesApp, placeOf, type PagesDependencies } from '../../../api/pages/app.ts';
import { createPreviews } from '../../../api/receipts/preview.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc, ZERO_USDC } from '../../../core/money.ts';
import { PLATFORM_NAMES } from '../../../core/platforms/platforms.ts';
import type { LineState, PaymentState, TransferState } from '../../../core/states.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { PaymentRow, TransferRow, LineRow } from '../../../db/payments/records/find.ts';
import type { Store } from '../../../db/store/store.ts';

/** Friday, 20 November 2026, 13:05 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 20, 13, 5);
const DAY_MS = 86_400_000;

export const INBOUND = `0x${'1a2b3c4d'.repeat(8)}`;
/** With these on a page, a reader could follow a tip to its owner's or its sender's wallet. */
export const PAYOUT_TRANSACTION = `0x${'deadbeef'.repeat(8)}`;
export const WALLET = `0x${'77'.repeat(20)}`;
export const PAYER = `0x${'99'.repeat(20)}`;

export type Seed = {
  payment?: Partial<PaymentRow>;
  line?: Partial<LineRow>;
  payout?: Partial<TransferRow> | null;
  amountMicroUsdc?: bigint;
  /** Since when it is owed to its payer again. */
  refundedAtMs?: number;
};

export type SeededReceipt = { slug: string; paymentId: string; txnId: number; payoutId: string | null };

/** Announcements as the queue gives them, inside one process. */
export type Announcements = {
  announce: (paymentId: string) => void;
  waiting: () => number;
  stop: () => void;
};

export type Installation = Announcements & {
  store: Store;
  dependencies: PagesDependencies;
  app: ReturnType<typeof createPagesApp>;
  clock: { nowMs: number };
  logged: unknown[];
  seed: (seed?: Seed) => Promise<SeededReceipt>;
  update: (receipt: SeededReceipt, change: Change) => Promise<void>;
  close: () => Promise<void>;
};

export type Change = {
  payment?: Partial<PaymentRow>;
  line?: Partial<LineRow>;
  payout?: Partial<TransferRow>;
};

/** The pages over a real SQLite database in a directory of their own, with a clock that stands still. */
export async function startInstallation(settings: Partial<PagesDependencies['settings']> = {}): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'pennypost-pages-'));
  const store = await openMigrated({ kind: 'sqlite', path: join(directory, 'pages.sqlite') });
  const clock = { nowMs: NOW_MS };
  const { announcements, waitForChange } = createAnnouncements();
  const logged: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => void logged.push(JSON.parse(text)) });
  const dependencies: PagesDependencies = {
    store,
    identity: { platforms: PLATFORM_NAMES },
    ids: createIds(randomBytes),
    now: () => clock.nowMs,
    log,
    settings: {
      baseUrl: 'http://127.0.0.1:8402',
      feeBps: 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: 30 * DAY_MS,
      settlementWaitMs: 0,
      localMode: true,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: null,
      isTrustedProxy: () => false,
      operator: { name: 'localhost', supportUrl: '', termsUrl: '' },
      ...settings,
    },
    networks: [{ terms: BASE_TERMS }],
    waitForChange,
  };
  return {
    ...announcements,
    store,
    dependencies,
    app: createPagesApp(dependencies, undefined, previewsIn(dependencies)),
    clock,
    logged,
    seed: (seed) => seedReceipt(dependencies, seed),
    update: (receipt, change) => updateReceipt(store, receipt, change),
    close: async () => {
      announcements.stop();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** However busy the machine: the pictures are what is tried, not their stand-in. */
const previewsIn = (dependencies: PagesDependencies) => {
  const { store, now, log } = dependencies;
  return createPreviews({ store, now, log, place: placeOf(dependencies), folder: null, lateMs: 60_000 });
};

export const BASE_TERMS = {
  network: 'base' as const,
  v1Name: 'base',
  caip2: 'eip155:8453',
  aliases: [],
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'11'.repeat(20)}`,
  extra: { name: 'USD Coin', version: '2' },
} as const;

function createAnnouncements() {
  const waiting = new Set<{ paymentId: string; end: (isChanged: boolean) => void }>();
  let isStopped = false;

  // No timer: a test says what happens, and one that forgets to is seen to hang.
  const waitForChange: PagesDependencies['waitForChange'] = (paymentId, _timeoutMs, signal) => {
    if (isStopped || signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const entry = { paymentId, end };
      const onAbort = () => end(false);
      signal?.addEventListener('abort', onAbort);
      waiting.add(entry);
      function end(isChanged: boolean): void {
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(entry);
        resolve(isChanged);
      }
    });
  };
  const announcements: Announcements = {
    announce: (paymentId) => {
      for (const entry of waiting) if (entry.paymentId === paymentId) entry.end(true);
    },
    waiting: () => waiting.size,
    stop: () => {
      isStopped = true;
      for (const entry of waiting) entry.end(false);
    },
  };
  return { announcements, waitForChange };
}

/** A payment of 1 USDC to x:alice that settled and waits to be collected, but for what the seed says. */
async function seedReceipt({ store, ids }: PagesDependencies, seed: Seed = {}): Promise<SeededReceipt> {
  const { tables } = store;
  const paymentId = ids.attemptId(NOW_MS);
  const txnId = ids.txnId();
  const slug = ids.slug();
  const payoutId = seed.payout ? ids.payoutId() : null;
  const amountMicroUsdc = seed.amountMicroUsdc ?? microUsdc(1_000_000n);
  const payment = paymentRow(paymentId, amountMicroUsdc);
  const line = lineRow({ txnId, paymentId, slug, publicSlug: ids.slug(), amountMicroUsdc, payoutId });
  await store.tx(async (db) => {
    await db.insert(tables.payments).values({ ...payment, ...seed.payment });
    await db.insert(tables.lines).values({ ...line, ...seed.line });
    if (payoutId !== null) {
      await db.insert(tables.transfers).values({ ...payoutRow(payoutId, amountMicroUsdc), ...seed.payout });
    }
    if (seed.refundedAtMs !== undefined) {
      const refund = { ...refundRow({ txnId, paymentId, payoutId }, amountMicroUsdc), createdAtMs: seed.refundedAtMs };
      await db.insert(tables.refunds).values(refund);
    }
  });
  return { slug, paymentId, txnId, payoutId };
}

function paymentRow(id: string, sumMicroUsdc: bigint) {
  return {
    id,
    network: 'base' as const,
    payer: PAYER,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    payTo: BASE_TERMS.payTo,
    validAfter: 0,
    validBefore: 1,
    signature: '0x00',
    operation: 'rest.pay',
    bound: false,
    landedBefore: false,
    requestHash: 'hash',
    sumMicroUsdc,
    feeMicroUsdc: 0n,
    costMicroUsdc: 0n,
    costPrepaid: 0n,
    description: null as string | null,
    meta: null as Record<string, unknown> | null,
    agentKnown: false,
    status: 'settled' as PaymentState,
    nextTryAtMs: NOW_MS,
    tries: 0,
    delivery: 'handed' as const,
    answer: { code: 200 } as Record<string, unknown> | null,
    landedTransaction: INBOUND as string | null,
    landedBlock: 7 as number | null,
    createdAtMs: NOW_MS,
    reservedAtMs: NOW_MS,
    settledAtMs: (NOW_MS + 4_000) as number | null,
  };
}

type LineIds = {
  txnId: number;
  paymentId: string;
  slug: string;
  publicSlug: string;
  amountMicroUsdc: bigint;
  payoutId: string | null;
};

function lineRow({ txnId, paymentId, slug, publicSlug, amountMicroUsdc, payoutId }: LineIds) {
  return {
    txnId,
    paymentId,
    position: 0,
    identityId: 'person_1',
    platform: 'x',
    receiver: '@Alice',
    recipientKey: 'alice',
    display: 'Alice',
    amountMicroUsdc,
    status: (payoutId === null ? 'escrowed' : 'paying') as LineState,
    payoutId,
    slug,
    publicSlug,
    expiresAtMs: NOW_MS + 30 * DAY_MS,
  };
}

function payoutRow(id: string, amountMicroUsdc: bigint) {
  return {
    id,
    network: 'base' as const,
    purpose: 'payout' as const,
    sourceAccount: 'escrow:base:person_1',
    fromAddress: BASE_TERMS.payTo,
    toAddress: WALLET,
    amountMicroUsdc,
    generation: 0,
    status: 'queued' as TransferState,
    nextTryAtMs: NOW_MS,
    tries: 0,
    exposed: false,
    landedTransaction: PAYOUT_TRANSACTION,
    createdAtMs: NOW_MS,
  };
}

function refundRow({ txnId, paymentId, payoutId }: Pick<LineIds, 'txnId' | 'paymentId' | 'payoutId'>, amount: bigint) {
  return {
    id: `refund:${paymentId}:${txnId}`,
    network: 'base' as const,
    payer: PAYER,
    account: `refund_due:base:${PAYER}`,
    fromAddress: BASE_TERMS.payTo,
    amountMicroUsdc: amount,
    paymentId,
    txnId,
    payoutId,
  };
}

async function updateReceipt(store: Store, receipt: SeededReceipt, change: Change): Promise<void> {
  const { lines, payments, transfers } = store.tables;
  await store.tx(async (db) => {
    if (change.payment) await db.update(payments).set(change.payment).where(eq(payments.id, receipt.paymentId));
    if (change.line) await db.update(lines).set(change.line).where(eq(lines.txnId, receipt.txnId));
    if (change.payout && receipt.payoutId !== null) {
      await db.update(transfers).set(change.payout).where(eq(transfers.id, receipt.payoutId));
    }
  });
}
