import { readBlocks, type ScanResult } from '../../chain/base/scan.ts';
import { batchPaymentAnswer, singlePaymentAnswer, type AnsweredLine } from '../../core/answers.ts';
import { isBatch } from '../../core/operations.ts';
import type { SealedBatch } from '../../core/observed.ts';
import { openBatches } from '../../db/batches.ts';
import type { LineRow, PaymentRow } from '../../db/payments/find.ts';
import { applyBlocks } from '../../db/scan/apply.ts';
import { readCursor, recentBlocks, startCursor, type Cursor } from '../../db/scan/cursor.ts';
import { rollBack } from '../../db/scan/rollback.ts';
import type { BaseWorker } from '../dependencies.ts';

const BLOCKS_PER_STEP = 50;

/** `moved`: new blocks are in the books and the head is reached; `idle`: there was nothing new. */
export type ScanOutcome = 'idle' | 'moved' | 'more' | 'not-yet';

/**
 * Takes the next blocks into the books. The chain alone says what happened: which authorization landed, in whoever's
 * transaction, and which of our own transactions found their place.
 */
export async function scanStep(worker: BaseWorker): Promise<ScanOutcome> {
  const cursor = (await readCursor(worker.store, worker.profile.network)) ?? (await firstCursor(worker));
  const known = await recentBlocks(worker.store, worker.profile.network);
  const found = await readBlocks(worker.rpc, {
    profile: worker.profile,
    ownAddresses: worker.ownAddresses,
    cursor: { block: cursor.block, hash: cursor.blockHash as `0x${string}` },
    knownHash: (number) => known.find((block) => block.number === number)?.hash ?? null,
    maxBlocks: BLOCKS_PER_STEP,
  });
  switch (found.kind) {
    case 'unsettled-view':
      return 'not-yet';
    case 'reorganised':
      return undo(worker, cursor, found.forkCandidate);
    case 'nothing-new':
      await apply(worker, cursor, { blocks: [], transfers: [], head: found.head });
      return 'idle';
    case 'blocks':
      await apply(worker, cursor, found);
      return found.head.latest.number > (found.blocks.at(-1)?.number ?? 0) ? 'more' : 'moved';
  }
}

type NewBlocks = Pick<Extract<ScanResult, { kind: 'blocks' }>, 'blocks' | 'transfers' | 'head'>;

async function apply(worker: BaseWorker, cursor: Cursor, found: NewBlocks): Promise<void> {
  const { head } = found;
  const scannedTo = found.blocks.at(-1)?.number ?? cursor.block;
  const nothingMoved =
    found.blocks.length === 0 &&
    cursor.safeBlock === Math.min(head.safe.number, scannedTo) &&
    cursor.finalizedBlock === Math.min(head.finalized.number, scannedTo);
  if (nothingMoved) return;
  const sealed = await findSealed(worker, scannedTo);
  const movesMoney = found.transfers.length > 0;
  if (movesMoney) worker.failpoint('scan.before-apply');
  const result = await applyBlocks(
    worker.store,
    {
      network: worker.profile.network,
      from: { block: cursor.block, hash: cursor.blockHash },
      blocks: found.blocks,
      transfers: found.transfers,
      sealed,
      // Finality counts only up to where we have read: what is above is not in the books yet.
      safeBlock: Math.min(head.safe.number, scannedTo),
      finalizedBlock: Math.min(head.finalized.number, scannedTo),
      ownAddresses: worker.ownAddresses,
    },
    {
      newPayoutId: worker.ids.payoutId,
      answerFor: (payment, lines) => answerFor(worker, payment, lines),
      nowMs: worker.now(),
    },
  );
  if (movesMoney) worker.failpoint('scan.after-apply');
  worker.announce(result.changedPayments);
}

/** Which of our open transactions have their place in a block that we have read. */
async function findSealed(worker: BaseWorker, scannedTo: number): Promise<SealedBatch[]> {
  const open = await openBatches(worker.store, worker.profile.network);
  const sent = open.flatMap(({ batch, transactions }) =>
    transactions.map(({ hash }) => ({ batchId: batch.id, hash: hash as `0x${string}` })),
  );
  const receipts = await worker.rpc.receipts(sent.map(({ hash }) => hash));
  return receipts.flatMap((receipt, index): SealedBatch[] => {
    const batchId = sent[index]?.batchId;
    if (receipt === null || batchId === undefined || receipt.block > scannedTo) return [];
    const { transaction, block, blockHash, succeeded, feeWei } = receipt;
    return [{ batchId, transaction, block, blockHash, succeeded, feeWei }];
  });
}

async function undo(
  worker: BaseWorker,
  cursor: Cursor,
  fork: { block: number; hash: string } | null,
): Promise<ScanOutcome> {
  const [header] = fork === null ? [] : await worker.rpc.blocks(fork.block, fork.block);
  if (fork === null || header === undefined || header.hash !== fork.hash) {
    if (fork !== null) return 'not-yet';
    throw new Error('the chain shares no recent block with our books: it is another chain, or it was reset');
  }
  const { network } = worker.profile;
  const from = { block: cursor.block, hash: cursor.blockHash };
  const reopened = await rollBack(worker.store, { network, from, fork: header }, worker.now());
  worker.log.warn(
    { network, from: cursor.block, to: fork.block, payments: reopened.length },
    'blocks were reorganised',
  );
  worker.announce(reopened);
  return 'more';
}

/** Scanning starts at today's head: what our addresses received earlier is not in these books. */
async function firstCursor(worker: BaseWorker): Promise<Cursor> {
  const { latest, safe, finalized } = await worker.rpc.head();
  const cursor: Cursor = {
    network: worker.profile.network,
    block: latest.number,
    blockHash: latest.hash,
    blockTime: latest.time,
    safeBlock: safe.number,
    finalizedBlock: finalized.number,
  };
  await startCursor(worker.store, cursor);
  return (await readCursor(worker.store, worker.profile.network)) ?? cursor;
}

function answerFor(worker: BaseWorker, payment: PaymentRow, lines: readonly LineRow[]): Record<string, unknown> {
  const { baseUrl } = worker.settings;
  const answered = lines.map(toAnsweredLine);
  const [first] = answered;
  if (first === undefined) throw new Error(`payment ${payment.id} has no lines`);
  return isBatch(payment.operation)
    ? batchPaymentAnswer(baseUrl, payment.id, answered)
    : singlePaymentAnswer(baseUrl, payment.id, first);
}

function toAnsweredLine(line: LineRow): AnsweredLine {
  return {
    txnId: line.txnId,
    slug: line.slug,
    platform: line.platform,
    key: line.recipientKey,
    amountMicroUsdc: line.amountMicroUsdc,
    lineStatus: line.status,
    payoutStatus: line.payoutId === null ? null : 'queued',
    expiresAtMs: line.expiresAtMs,
  };
}
