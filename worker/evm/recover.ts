import { authorizationHistory, type AuthorizationHistory } from '../../chain/evm/authorization-history.ts';
import { readTransfersAgain, type Place } from '../../chain/evm/scan.ts';
import { applyTransfers } from '../../db/scan/apply.ts';
import { bookedPlaces } from '../../db/scan/places.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { isReturned } from '../../db/refunds/return-transfer.ts';
import type { EvmWorker } from '../dependencies.ts';
import { settleOptions } from '../settle-options.ts';

type Hex = `0x${string}`;
/** Blocks per question: half an hour of Base, a range in which providers find one authorization. */
const CHUNK_BLOCKS = 900;
/** An hour and a half: longer than an authorization, ours or a payer's, lives and takes to become final. Its number may be older. */
const CHUNKS_MAX = 3;

/**
 * `before`: it moved money before the books began. `untraced`: the blocks that were searched know nothing of it. `unknown`:
 * they do, and not all of it can be seen.
 */
export type Recovery = 'taken' | 'spent' | 'before' | 'untraced' | 'unknown';

/**
 * An authorization is used on the chain, but the scan saw no transfer. The chain is asked for it by name: a transfer
 * that the scan missed is booked now; only the trace of another use proves that there was none. What came before the books
 * began is in their opening balances, so it is not booked.
 */
export async function recover(
  worker: EvmWorker,
  key: { authorizer: Hex; nonce: Hex },
  toBlock: number,
): Promise<Recovery> {
  const history = await lookBack(worker, key, toBlock);
  if (history.kind !== 'transfer') return history.kind;
  const { transfer } = history;
  const touchesUs = worker.ownAddresses.some((address) => address === transfer.from || address === transfer.to);
  if (!touchesUs) return 'spent';
  const { network } = worker.profile;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null || transfer.block <= cursor.firstBlock) return 'before';
  const seen = { network, transfers: [transfer], ownAddresses: worker.ownAddresses };
  const result = await applyTransfers(worker.store, seen, settleOptions(worker));
  worker.log.warn({ transaction: transfer.transaction }, 'a transfer that the scan missed is booked now');
  worker.announce(result.changedPayments);
  const { changedPayments, changedTransfers } = result;
  if (changedPayments.length + changedTransfers.length > 0) return 'taken';
  // The money came and goes back: a wrong amount, or it landed before the payment was presented. Any other case is
  // unknown.
  return (await isReturned(worker.store, { network, ...key })) ? 'spent' : 'unknown';
}

/** Newest blocks first, because the use is usually recent. */
async function lookBack(
  worker: EvmWorker,
  key: { authorizer: Hex; nonce: Hex },
  toBlock: number,
): Promise<AuthorizationHistory> {
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk += 1) {
    const newest = toBlock - chunk * CHUNK_BLOCKS;
    if (newest < 0) break;
    const range = { fromBlock: Math.max(0, newest - CHUNK_BLOCKS + 1), toBlock: newest };
    const history = await authorizationHistory(worker.rpc, worker.profile, key, range);
    if (history.kind !== 'untraced') return history;
  }
  return { kind: 'untraced' };
}

/** Half an hour of Base. Books and chain are compared every minute, so what is missing is new. */
const REREAD_BLOCKS = 900;

/**
 * Reads blocks up to this one again, the newest first, and books what an earlier reading missed. A node may have hidden a
 * block's logs once; that is no reason to stop for good. What came before the books began is in their opening balances.
 * Resolves with how many transfers there were.
 */
export async function bookMissed(worker: EvmWorker, at: { block: number; hash: string }): Promise<number> {
  const { store, rpc, profile, ownAddresses, log } = worker;
  const { network, rules } = profile;
  let booked = 0;
  const { firstBlock } = (await readCursor(store, network)) ?? { firstBlock: at.block };
  const last = Math.max(firstBlock, at.block - REREAD_BLOCKS);
  for (let to = at.block; to > last && booked === 0; to -= rules.logBlocksMax) {
    const range = { from: Math.max(last, to - rules.logBlocksMax) + 1, to };
    const known = new Set((await bookedPlaces(store, network, range)).map(nameOf));
    const isKnown = (place: Place) => known.has(nameOf(place));
    const transfers = await readTransfersAgain(rpc, { profile, ownAddresses }, { ...range, isKnown });
    if (transfers.length === 0) continue;
    const { applied, changedPayments } = await applyTransfers(
      store,
      { network, transfers, ownAddresses, at },
      settleOptions(worker),
    );
    if (!applied) return 0;
    const transactions = [...new Set(transfers.map(({ transaction }) => transaction))];
    log.warn({ transactions }, 'transfers that the scan missed are booked now');
    worker.announce(changedPayments);
    booked = transfers.length;
  }
  return booked;
}

const nameOf = ({ blockHash, logIndex }: Place) => `${blockHash.toLowerCase()}/${logIndex}`;
