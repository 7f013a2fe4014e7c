import type { Address } from 'viem';
import type { ObservedBlock } from '../../core/observed.ts';
import type { Head } from './rpc/chain-reads.ts';
import { type Cursor, findFork, type KnownHash } from './fork.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { BlockHeader, ChainLog, TransactionReceipt } from './rpc/rpc-shapes.ts';
import type { EvmRpc } from './rpc/rpc.ts';
import { type Transfer, transfersOf } from './transfers.ts';
import { readTransfer } from './rpc/usdc-logs.ts';

export type ScanRpc = Pick<EvmRpc, 'head' | 'blocks' | 'transfersTouching' | 'transfersInBlock' | 'receipts'>;

export type ScanRequest = {
  profile: EvmProfile;
  /** Transfers that touch none of these are not reported. */
  ownAddresses: readonly Address[];
  /** The last block that was applied; reading goes on after it. */
  cursor: Cursor;
  maxBlocks: number;
  knownHash: KnownHash;
};

export type ScanResult =
  | { kind: 'nothing-new'; head: Head }
  /** The node's answers do not fit together: it lags, or the chain moved meanwhile. Read again later. */
  | { kind: 'unsettled-view'; head: Head }
  /**
   * The cursor's block is no longer part of the chain. `forkCandidate` is the highest known block that still is: undo
   * the blocks above it and read on from there. Null: none of the last 1,024 blocks is known, which no reorganisation
   * explains.
   */
  | { kind: 'reorganised'; forkCandidate: Cursor | null; head: Head }
  /** The next blocks without a gap, and every transfer of more than zero in them, in the order of the chain. */
  | { kind: 'blocks'; blocks: ObservedBlock[]; transfers: Transfer[]; head: Head };

/**
 * Reads what happened after the cursor and writes nothing: the caller books it and moves the cursor in one transaction.
 */
export async function readBlocks(rpc: ScanRpc, request: ScanRequest): Promise<ScanResult> {
  const { cursor, maxBlocks } = request;
  const head = await rpc.head();
  const hash = await hashAtCursor(rpc, cursor, head);
  if (hash !== cursor.hash.toLowerCase()) return await explainLostCursor(rpc, request, head, hash === null);
  const newest = newestCredited(head, request.profile);
  if (newest <= cursor.block) return { kind: 'nothing-new', head };

  const to = Math.min(newest, cursor.block + maxBlocks);
  const headers = await readHeaders(rpc, head, cursor.block + 1, to);
  if (!formChain(cursor, headers, to)) return { kind: 'unsettled-view', head };
  const transfers = await readTransfers(rpc, request, headers, head);
  if (!transfers) return { kind: 'unsettled-view', head };
  const blocks = headers.map(({ number, hash, time }) => ({ number, hash, time }));
  return { kind: 'blocks', blocks, transfers, head };
}

/** Mostly the newest block is the cursor's or its child, which tells where the head is. */
async function hashAtCursor(rpc: ScanRpc, { block }: Cursor, { latest }: Head): Promise<string | null> {
  if (latest.number === block) return latest.hash;
  if (latest.number === block + 1) return latest.parentHash;
  const [header] = await rpc.blocks(block, block);
  return header?.hash ?? null;
}

/** The newest block that counts as landed: it is safe, or followed by as many blocks as the chain's rules want. */
export function newestCredited({ latest, safe }: Head, { rules }: EvmProfile): number {
  return Math.max(latest.number - rules.creditedDepth, safe.number);
}

async function explainLostCursor(
  rpc: ScanRpc,
  { cursor, knownHash }: ScanRequest,
  head: Head,
  beyondHead: boolean,
): Promise<ScanResult> {
  const forkCandidate = await findFork(rpc, { cursor, head, knownHash });
  // A node whose newest block we know merely lags behind the one asked before.
  if (beyondHead && forkCandidate?.block === head.latest.number) return { kind: 'unsettled-view', head };
  return { kind: 'reorganised', forkCandidate, head };
}

/** Usually there is one new block, and the head is its header. */
function readHeaders(rpc: ScanRpc, head: Head, from: number, to: number): Promise<BlockHeader[]> {
  return from === head.latest.number ? Promise.resolve([head.latest]) : rpc.blocks(from, to);
}

/** True when each header is the child of the one before, from the cursor up to block `to`. */
function formChain(cursor: Cursor, headers: readonly BlockHeader[], to: number): boolean {
  const parents = [cursor.hash.toLowerCase(), ...headers.map(({ hash }) => hash)];
  return headers.at(-1)?.number === to && headers.every(({ parentHash }, index) => parentHash === parents[index]);
}

/** Null when logs, receipts and headers contradict each other. */
async function readTransfers(
  rpc: ScanRpc,
  { profile, ownAddresses }: ScanRequest,
  headers: readonly BlockHeader[],
  head: Head,
): Promise<Transfer[] | null> {
  const found = moving(await readLogs(rpc, ownAddresses, headers, head));
  const transfers = await transfersBehind(rpc, { profile, ownAddresses }, found);
  return haveSamePlaces(found, transfers) && areIn(headers, transfers) ? transfers : null;
}

/** Anyone can make transfers of zero in any name; they move nothing and must not cost us a question each. */
const moving = (logs: readonly ChainLog[]) => logs.filter((log) => readTransfer(log)?.value !== 0n);

/** As the receipts of their transactions show them, in the order of the chain. */
async function transfersBehind(
  rpc: Pick<ScanRpc, 'receipts'>,
  { profile, ownAddresses }: Pick<ScanRequest, 'profile' | 'ownAddresses'>,
  logs: readonly ChainLog[],
): Promise<Transfer[]> {
  const own = new Set<string>(ownAddresses.map((address) => address.toLowerCase()));
  const receipts = await rpc.receipts([...new Set(logs.map((log) => log.transaction))]);
  const sealed = receipts.filter((receipt): receipt is TransactionReceipt => receipt !== null);
  return sealed
    .flatMap((receipt) => transfersOf(receipt, profile))
    .filter(({ from, to, value }) => value > 0n && (own.has(from) || own.has(to)))
    .sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}

/**
 * The transfers of blocks that were read before, but for those at places that are known. A node that hides logs once is
 * found out so.
 */
export async function readTransfersAgain(
  rpc: Pick<ScanRpc, 'transfersTouching' | 'receipts'>,
  request: Pick<ScanRequest, 'profile' | 'ownAddresses'>,
  { from, to, isKnown }: { from: number; to: number; isKnown: (place: Place) => boolean },
): Promise<Transfer[]> {
  const logs = moving(await rpc.transfersTouching(request.ownAddresses, from, to)).filter((log) => !isKnown(log));
  const transfers = await transfersBehind(rpc, request, logs);
  return transfers.filter((transfer) => !isKnown(transfer));
}

/** Blocks that every node has are asked for as one range; newer ones by hash, so that a node that lacks one refuses. */
async function readLogs(
  rpc: ScanRpc,
  ownAddresses: readonly Address[],
  headers: readonly BlockHeader[],
  head: Head,
): Promise<ChainLog[]> {
  const settled = headers.filter(({ number }) => number <= head.safe.number);
  const recent = headers.slice(settled.length);
  const [first, last] = [settled.at(0), settled.at(-1)];
  const answers = await Promise.all([
    first && last ? rpc.transfersTouching(ownAddresses, first.number, last.number) : [],
    ...recent.map(({ hash }) => rpc.transfersInBlock(ownAddresses, hash)),
  ]);
  return answers.flat();
}

export type Place = { blockHash: string; logIndex: number };

function haveSamePlaces(some: readonly Place[], others: readonly Place[]): boolean {
  const places = new Set(some.map(({ blockHash, logIndex }) => `${blockHash}/${logIndex}`));
  return some.length === others.length && others.every((place) => places.has(`${place.blockHash}/${place.logIndex}`));
}

function areIn(headers: readonly BlockHeader[], transfers: readonly Transfer[]): boolean {
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]));
  return transfers.every(({ block, blockHash }) => hashes.get(block) === blockHash);
}
