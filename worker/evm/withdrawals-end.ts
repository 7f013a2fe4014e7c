import { authorizationHistory, type AuthorizationHistory } from '../../chain/evm/authorization-history.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import { freeWithdrawal } from '../../db/carriers/batch.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import type { Death } from '../../db/transfers/death.ts';
import { livingWithdrawals, type LivingWithdrawal } from '../../db/withdrawals/carry.ts';
import { markDead, markPaid } from '../../db/withdrawals/end.ts';
import type { EvmWorker } from '../dependencies.ts';
import type { ReadHead } from './death.ts';

type Hex = `0x${string}`;
const LIVING_MAX = 1_000;
/** Half an hour of Base, a range in which providers find one authorization. */
const LOOK_BACK_BLOCKS = 900;

/** What the chain shows of one authorization. */
type Seen = { usedWhenSafe: boolean; usedWhenScanned: boolean; finalizedTime: number; safeBlock: number };

/**
 * Ends signed withdrawals by what the chain shows, no matter who sent them. Used at a safe block: paid. Unused there and
 * expired at the finalized block: dead. Unused after its batch's block: it may be sent again.
 */
export async function endWithdrawals(worker: EvmWorker, readHead: ReadHead): Promise<void> {
  const { store, rpc, profile } = worker;
  // Rows are read before the cursor, so the cursor is never behind a batch that these rows show as sealed.
  const living = await livingWithdrawals(store, profile.network, LIVING_MAX);
  const signed = living.filter(({ withdrawal }) => withdrawal.nonce !== null);
  if (signed.length === 0) return;
  const cursor = await readCursor(store, profile.network);
  const { safe, finalized } = await readHead();
  if (cursor === null) return;
  const keys = signed.map(({ withdrawal }) => toKey(withdrawal));
  const [whenSafe, whenScanned] = await Promise.all([
    rpc.authorizationStates(keys, safe.number),
    rpc.authorizationStates(keys, cursor.block),
  ]);
  for (const [index, one] of signed.entries()) {
    const [usedWhenSafe, usedWhenScanned] = [whenSafe[index] === true, whenScanned[index] === true];
    const seen = { usedWhenSafe, usedWhenScanned, finalizedTime: finalized.time, safeBlock: safe.number };
    await judgeAlone(worker, one, seen);
  }
}

/** A withdrawal that cannot be judged now must not stop the others. */
async function judgeAlone(worker: EvmWorker, one: LivingWithdrawal, seen: Seen): Promise<void> {
  try {
    await judge(worker, one, seen);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn(
      { withdrawalId: one.withdrawal.id, err: error },
      'could not find out how a withdrawal ended; it is tried again',
    );
  }
}

async function judge(worker: EvmWorker, { withdrawal, sealedBlock }: LivingWithdrawal, seen: Seen): Promise<void> {
  const { id, carrierId, validBefore } = withdrawal;
  if (seen.usedWhenSafe) return explainUsed(worker, withdrawal, { sealedBlock, safeBlock: seen.safeBlock });
  // Unused at a safe block was unused at the finalized one as well, and no later block has an earlier time.
  if (validBefore !== null && validBefore <= seen.finalizedTime)
    return bury(worker, withdrawal, { finalizedTime: seen.finalizedTime });
  if (carrierId === null || sealedBlock === null || seen.usedWhenScanned) return;
  if (!(await freeWithdrawal(worker.store, withdrawal, worker.now()))) return;
  worker.log.warn({ withdrawalId: id, carrierId }, 'withdrawal did not land in its batch; it is sent again');
}

type Place = { sealedBlock: number | null; safeBlock: number };

/** A cancellation uses up a nonce too, but moves nothing: the log says which it was, and in which transaction. */
async function explainUsed(worker: EvmWorker, withdrawal: TransferRow, place: Place): Promise<void> {
  const history = await findHistory(worker, withdrawal, place);
  if (history.kind === 'spent') return bury(worker, withdrawal, { spentNonce: toKey(withdrawal).nonce });
  // Our code signs no cancellations, so the money has moved even where the node no longer shows a trace.
  const transaction = history.kind === 'transfer' ? history.transfer.transaction : null;
  if (!(await markPaid(worker.store, withdrawal, transaction, worker.now()))) return;
  worker.log.info({ withdrawalId: withdrawal.id, transaction }, 'withdrawal is paid');
}

/** Looks in the block of its batch; else in recent blocks, because another sender may just have landed it. */
async function findHistory(
  { rpc, profile }: EvmWorker,
  withdrawal: TransferRow,
  { sealedBlock, safeBlock }: Place,
): Promise<AuthorizationHistory> {
  const key = toKey(withdrawal);
  if (sealedBlock !== null) {
    const range = { fromBlock: sealedBlock, toBlock: sealedBlock };
    const history = await authorizationHistory(rpc, profile, key, range);
    if (history.kind === 'transfer' || history.kind === 'spent') return history;
  }
  const range = { fromBlock: Math.max(0, safeBlock - LOOK_BACK_BLOCKS + 1), toBlock: safeBlock };
  return authorizationHistory(rpc, profile, key, range);
}

async function bury(worker: EvmWorker, withdrawal: TransferRow, death: Death): Promise<void> {
  if (!(await markDead(worker.store, withdrawal, death))) return;
  const { id, generation } = withdrawal;
  worker.log.info({ withdrawalId: id, generation }, 'withdrawal can never land; it may be signed again');
}

/** In lower case, as logs are compared. */
function toKey({ id, fromAddress, nonce }: TransferRow): { authorizer: Hex; nonce: Hex } {
  if (nonce === null) throw new Error(`withdrawal ${id} has no authorization`);
  return { authorizer: fromAddress.toLowerCase() as Hex, nonce: nonce as Hex };
}
