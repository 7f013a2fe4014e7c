import { newestCredited, readBlocks, type ScanResult } from '../../chain/evm/scan.ts';
import type { SealedCarrier } from '../../core/observed.ts';
import { openCarriers, type OpenCarrier } from '../../db/carriers/carriers.ts';
import { applyBlocks } from '../../db/scan/apply.ts';
import { readCursor, recentBlocks, type Cursor } from '../../db/scan/cursor.ts';
import { rollBack } from '../../db/scan/rollback.ts';
import type { EvmWorker } from '../dependencies.ts';
import { firstCursor } from './first-cursor.ts';
import { landedOf, settleOptions } from '../settle-options.ts';

type Hex = `0x${string}`;

/** `moved`: new blocks are in the books and the head is reached; `idle`: there was nothing new. */
export type ScanOutcome = 'idle' | 'moved' | 'more' | 'not-yet';

/**
 * Books the next blocks. Only the chain says what happened: which authorization landed, in any sender's transaction,
 * and which of our own transactions are in a block.
 */
export async function scanStep(worker: EvmWorker): Promise<ScanOutcome> {
  const cursor = (await readCursor(worker.store, worker.profile.network)) ?? (await firstCursor(worker));
  const known = await recentBlocks(worker.store, worker.profile.network);
  const found = await readBlocks(worker.rpc, {
    profile: worker.profile,
    ownAddresses: worker.ownAddresses,
    cursor: { block: cursor.block, hash: cursor.blockHash as `0x${string}` },
    knownHash: (number) => known.find((block) => block.number === number)?.hash ?? null,
    maxBlocks: worker.profile.rules.logBlocksMax,
  });
  switch (found.kind) {
    case 'unsettled-view':
      return 'not-yet';
    case 'reorganised':
      return undo(worker, cursor, found.forkCandidate);
    case 'nothing-new':
      await apply(worker, cursor, known, { blocks: [], transfers: [], head: found.head });
      return 'idle';
    case 'blocks':
      await apply(worker, cursor, known, found);
      return newestCredited(found.head, worker.profile) > (found.blocks.at(-1)?.number ?? 0) ? 'more' : 'moved';
  }
}

type NewBlocks = Pick<Extract<ScanResult, { kind: 'blocks' }>, 'blocks' | 'transfers' | 'head'>;

async function apply(
  worker: EvmWorker,
  cursor: Cursor,
  known: readonly { number: number; hash: string }[],
  found: NewBlocks,
): Promise<void> {
  const { head } = found;
  const scannedTo = found.blocks.at(-1)?.number ?? cursor.block;
  const nothingMoved =
    found.blocks.length === 0 &&
    cursor.safeBlock === Math.min(head.safe.number, scannedTo) &&
    cursor.finalizedBlock === Math.min(head.finalized.number, scannedTo);
  if (nothingMoved) return;
  const hashes = new Map([...known, ...found.blocks].map(({ number, hash }) => [number, hash]));
  const sealed = await findSealed(worker, scannedTo, hashes);
  const movesMoney = found.transfers.length > 0;
  const sinceMs = worker.now();
  if (movesMoney) worker.failpoint('scan.before-apply');
  const result = await applyBlocks(
    worker.store,
    {
      network: worker.profile.network,
      from: { block: cursor.block, hash: cursor.blockHash },
      blocks: found.blocks,
      transfers: found.transfers,
      sealed,
      // Finality counts only as far as we have read: blocks above are not in the books yet.
      safeBlock: Math.min(head.safe.number, scannedTo),
      finalizedBlock: Math.min(head.finalized.number, scannedTo),
      ownAddresses: worker.ownAddresses,
    },
    settleOptions(worker),
  );
  if (movesMoney) worker.failpoint('scan.after-apply', landedOf(worker, result, sinceMs));
  worker.announce(result.changedPayments);
}

/** Which of our open batches are in a block that we have read. */
async function findSealed(
  worker: EvmWorker,
  scannedTo: number,
  hashes: ReadonlyMap<number, string>,
): Promise<SealedCarrier[]> {
  const open = await openCarriers(worker.store, worker.profile.network);
  const sealed = await Promise.all(open.map((batch) => findPlace(worker, batch, scannedTo, hashes)));
  return sealed.filter((batch) => batch !== null);
}

/** How long a lane nonce may be spent by none of our versions before the batch is given up. */
const FOREIGN_AFTER_MS = 3_000;

async function findPlace(
  worker: EvmWorker,
  open: OpenCarrier,
  scannedTo: number,
  hashes: ReadonlyMap<number, string>,
): Promise<SealedCarrier | null> {
  const { carrier, transactions } = open;
  const [spent, receipts] = await Promise.all([
    worker.rpc.transactionCount(carrier.sender as Hex, 'latest'),
    worker.rpc.receipts(transactions.map(({ hash }) => hash as Hex)),
  ]);
  const receipt = receipts.find((found) => found !== null);
  if (receipt) {
    // A node on another fork may show it in a block that is not ours.
    const isOurs = (hashes.get(receipt.block) ?? receipt.blockHash) === receipt.blockHash;
    if (receipt.block > scannedTo || !isOurs) return null;
    const { transaction, block, blockHash, feeWei } = receipt;
    return { carrierId: carrier.id, transaction, block, blockHash, feeWei };
  }
  // Another program used the lane's key. The items go on in another batch: their authorizations can land only once
  // anyway.
  const isForeign =
    carrier.laneNonce !== null && spent > carrier.laneNonce && worker.now() - carrier.createdAtMs >= FOREIGN_AFTER_MS;
  return isForeign
    ? { carrierId: carrier.id, transaction: null, block: scannedTo, blockHash: null, feeWei: null }
    : null;
}

async function undo(
  worker: EvmWorker,
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
