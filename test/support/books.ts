import type { Network } from '../../core/networks.ts';
/** The books on a real database over a chain that is a list: payments land, and lose their blocks, when a test says so. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, asc, eq } from 'drizzle-orm';
import { createIds } from '../../core/ids.ts';
import { NOTHING_HEARD } from '../../core/payments/joins.ts';
import type { ObservedBlock, ObservedTransfer } from '../../core/observed.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { readEnded } from '../../db/counts/ended.ts';
import type { Store } from '../../db/store/store.ts';
import type { DatabaseAddress } from '../../db/store/open.ts';
import { openMigrated } from './databases/migrated.ts';
import { reservePayment, type Reservation, type ReservationResult } from '../../db/payments/reserve.ts';
import { findPayment, linesOf, type LineRow, type PaymentRow } from '../../db/payments/records/find.ts';
import { declareDead } from '../../db/payments/reject.ts';
import { isOfKind } from '../../db/transfers/find.ts';
import { applyBlocks } from '../../db/scan/apply.ts';
import { startCursor } from '../../db/scan/cursor.ts';
import { rollBack } from '../../db/scan/rollback.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { testTransferIds } from './transfers/transfer-ids.ts';
import { refuseViolations } from './databases/refuse-violations.ts';

export const TREASURY = `0x${'11'.repeat(20)}`;
export const START_MS = 1_800_000_000_000;
const NETWORK: Network = 'base';

/** `stableId` is null where the platform did not answer. */
type NewPayee = { platform?: string; name: string; stableId: string | null; amount?: bigint };
type NewPayment = {
  payer?: string;
  fee?: bigint;
  cost?: bigint;
  prepaid?: bigint;
  endpointId?: string | null;
  payees: readonly NewPayee[];
};

/** What metrics tell without reading history is what history says; what came back was counted once more. */
async function assertEndsCounted(store: Store): Promise<void> {
  const { payments, transfers } = store.tables;
  const ended = await readEnded(store);
  const sumOf = (rows: readonly { status: string; count: number }[], status: string) =>
    rows.filter((row) => row.status === status).reduce((sum, row) => sum + row.count, 0);
  const isPayout = isOfKind(store.tables, 'payout');
  const rows = [
    ['final', sumOf(ended.payments, 'final'), await store.read.$count(payments, eq(payments.status, 'final'))],
    ['rejected', sumOf(ended.payments, 'rejected'), await store.read.$count(payments, eq(payments.status, 'rejected'))],
    [
      'final',
      sumOf(ended.payouts, 'final'),
      await store.read.$count(transfers, and(eq(transfers.status, 'final'), isPayout)),
    ],
    [
      'void',
      sumOf(ended.payouts, 'void'),
      await store.read.$count(transfers, and(eq(transfers.status, 'void'), isPayout)),
    ],
  ] as const;
  for (const [status, counted, found] of rows) {
    const isRight = status === 'final' ? counted === found : counted >= found;
    if (!isRight) throw new Error(`${counted} counted as ${status}, and ${found} rows are`);
  }
}

export type Books = Awaited<ReturnType<typeof openBooks>>;

/** On SQLite in a folder of its own, unless an empty database is given. `draw`: where ids and nonces come from. */
export async function openBooks(database?: DatabaseAddress, draw: (bytes: number) => Buffer = randomBytes) {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-books-'));
  const store = await openMigrated(database ?? { kind: 'sqlite', path: join(dir, 'books.sqlite') });
  const ids = createIds(draw);
  const clock = { nowMs: START_MS };
  let blocks: ObservedBlock[] = [newBlock(1)];
  await startCursor(store, cursorAt(blocks[0]), [], clock.nowMs);

  const settle = () => ({ transferIdOf: testTransferIds, answerFor: () => ({ code: 200 }), nowMs: clock.nowMs });

  async function claim(payment: NewPayment): Promise<ReservationResult> {
    return reservePayment(store, toClaim(payment));
  }

  function toClaim({
    payer = `0x${'99'.repeat(20)}`,
    fee = 0n,
    cost = 0n,
    prepaid = 0n,
    endpointId = null,
    payees,
  }: NewPayment): Reservation {
    const lines = payees.map(({ platform = 'x', name, stableId, amount = 1_000_000n }) => ({
      txnId: ids.txnId(),
      slug: ids.slug(),
      publicSlug: ids.slug(),
      identityId: ids.identityId(),
      recipient: { platform, stableId, key: name, display: name },
      receiver: name,
      amountMicroUsdc: amount,
      note: null,
    }));
    return {
      paymentId: ids.attemptId(clock.nowMs),
      network: NETWORK,
      payer,
      payerAccount: null,
      nonce: `0x${draw(32).toString('hex')}`,
      payTo: TREASURY,
      validAfter: 0,
      validBefore: 1,
      signature: '0x00',
      payloadHash: 'payload',
      operation: 'rest.pay',
      requestHash: ids.slug(),
      idempotencyKey: null,
      orderId: null,
      sumMicroUsdc: lines.reduce((sum, line) => sum + line.amountMicroUsdc, 0n),
      feeMicroUsdc: fee,
      costMicroUsdc: cost,
      costPrepaid: prepaid,
      description: null,
      meta: null,
      agentKnown: false,
      payerReference: null,
      endpointId,
      response: { id: ids.slug(), process: 'test', epoch: 1 },
      heard: NOTHING_HEARD,
      bound: false,
      landedBefore: false,
      lines,
      resolved: true,
      nowMs: clock.nowMs,
      expiresAtMs: clock.nowMs + 30 * 86_400_000,
    };
  }

  /** A new block, with the transfers of these payments and of these payouts. */
  async function mine(paymentIds: readonly string[] = [], finalizedBlock = 1): Promise<void> {
    const block = newBlock((blocks.at(-1)?.number ?? 0) + 1);
    const payments = await Promise.all(paymentIds.map((id) => paymentOf(id)));
    const transfers = payments.map((payment, index) => toTransfer(payment, block, index));
    const from = lastBlock();
    blocks.push(block);
    const step = { network: NETWORK, blocks: [block], transfers, sealed: [], ownAddresses: [TREASURY] };
    const finality = { safeBlock: finalizedBlock, finalizedBlock };
    const place = { from: { block: from.number, hash: from.hash }, ...step, ...finality };
    const { applied } = await applyBlocks(store, place, settle());
    if (!applied) throw new Error(`block ${block.number} was not taken into the books`);
  }

  /** The newest block is gone; answers the payments that are open again. */
  async function reorganise(): Promise<string[]> {
    const gone = lastBlock();
    const [fork] = blocks.slice(-2);
    if (fork === undefined || fork === gone) throw new Error('there is no block to lose');
    const rollback = { network: NETWORK, from: { block: gone.number, hash: gone.hash }, fork };
    const reopened = await rollBack(store, rollback, clock.nowMs);
    blocks = blocks.slice(0, -1);
    return reopened;
  }

  function lastBlock(): ObservedBlock {
    const last = blocks.at(-1);
    if (last === undefined) throw new Error('there is always a first block');
    return last;
  }

  async function paymentOf(id: string): Promise<PaymentRow> {
    const payment = await findPayment(store, id);
    if (payment === null) throw new Error(`there is no payment ${id}`);
    return payment;
  }

  /** Claims a payment and lands it in a block of its own. */
  async function pay(payment: NewPayment): Promise<{ paymentId: string; lines: LineRow[] }> {
    const claimed = await claim(payment);
    if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
    await mine([claimed.paymentId]);
    return { paymentId: claimed.paymentId, lines: await linesFor(claimed.paymentId) };
  }

  async function linesFor(paymentId: string): Promise<LineRow[]> {
    return (await linesOf(store, paymentId)).map(({ line }) => line);
  }

  return {
    store,
    ids,
    transferIdOf: testTransferIds,
    clock,
    toClaim,
    claim,
    mine,
    reorganise,
    paymentOf,
    pay,
    linesFor,
    height: () => lastBlock().number,
    /** The transaction that carried it can never land again. */
    bury: (paymentId: string) => declareDead(store, paymentId, 'payment_expired', clock.nowMs),
    /** Makes a person known, as if they had been paid before. */
    meet: (name: string, stableId: string, platform = 'x') =>
      store.tx((db) =>
        ensureIdentity(db, store.tables, { platform, stableId, key: name, display: name }, ids.identityId(), START_MS),
      ),
    link: (identityId: string, address = `0x${randomBytes(20).toString('hex')}`, network: Network = NETWORK) =>
      linkWallet(store, { identityId, network, address, source: 'test' }, testTransferIds, clock.nowMs),
    payouts: () => {
      const { read, tables } = store;
      const isPayout = isOfKind(tables, 'payout');
      return read.select().from(tables.transfers).where(isPayout).orderBy(asc(tables.transfers.createdAtMs));
    },
    /** What is owed in an account; what we own is negative here. */
    async owed(account: string): Promise<bigint> {
      const { accounts } = store.tables;
      const [row] = await store.read.select().from(accounts).where(eq(accounts.name, account));
      return -(row?.balance ?? 0n);
    },
    async causes(): Promise<string[]> {
      const rows = await store.read.select().from(store.tables.entries);
      return rows.map(({ cause }) => cause.split(':')[0] ?? '');
    },
    async assertSound(): Promise<void> {
      refuseViolations(await findViolations(store));
      await assertEndsCounted(store);
    },
    async close(): Promise<void> {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function newBlock(number: number): ObservedBlock {
  return { number, hash: `0x${randomBytes(32).toString('hex')}`, time: number };
}

function cursorAt(block: ObservedBlock | undefined) {
  const { number, hash, time } = block ?? newBlock(1);
  const place = { block: number, blockHash: hash, blockTime: time };
  return { network: NETWORK, firstBlock: number, ...place, safeBlock: number, finalizedBlock: number };
}

function toTransfer(payment: PaymentRow, block: ObservedBlock, index: number): ObservedTransfer {
  return {
    transaction: `0x${randomBytes(32).toString('hex')}`,
    logIndex: index,
    position: 0,
    block: block.number,
    blockHash: block.hash,
    from: payment.payer,
    to: payment.payTo,
    value: payment.sumMicroUsdc + payment.feeMicroUsdc,
    authorizer: payment.payer,
    nonce: payment.nonce,
  };
}
