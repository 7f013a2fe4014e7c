import { ChainUnavailable } from '../../chain/errors.ts';
import { TRANSFERS } from '../../core/transfers/purposes.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { expiredTransfers } from '../../db/transfers/find.ts';
import { holdPaidBefore, renewDead } from '../../db/transfers/renew.ts';
import type { EvmWorker } from '../dependencies.ts';
import type { ReadHead } from './death.ts';
import { spentOn } from './formers.ts';
import { recover } from './recover.ts';

type Hex = `0x${string}`;
const CHECKS_MAX = 400;

/**
 * Renews transfers whose authorization expired unused at a finalized block: nothing else proves that it can
 * never land. One whose nonce was used without a transfer cannot be explained, and stops signing. So does one whose nonce was
 * used before these books began; that one is held, and stops it once.
 */
export async function renewExpired(worker: EvmWorker, readHead: ReadHead): Promise<void> {
  const { network } = worker.profile;
  if ((await expiredTransfers(worker.store, network, Number.MAX_SAFE_INTEGER, 1)).length === 0) return;
  const { finalized } = await readHead();
  const expired = await expiredTransfers(worker.store, network, finalized.time, CHECKS_MAX);
  if (expired.length === 0) return;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null || cursor.block < finalized.number) return;
  const used = await worker.rpc.authorizationStates(expired.map(keyOf), finalized.number);
  for (const [index, one] of expired.entries()) {
    await judgeAlone(worker, one, { isUsed: used[index] === true, finalized });
  }
}

type Seen = { isUsed: boolean; finalized: { number: number; time: number } };

/** An item that cannot be judged now must not stop the others. */
async function judgeAlone(worker: EvmWorker, one: TransferRow, seen: Seen): Promise<void> {
  try {
    await judge(worker, one, seen);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn({ id: one.id, err: error }, 'could not find out whether a transfer is dead; it is tried again');
  }
}

async function judge(worker: EvmWorker, transfer: TransferRow, { isUsed, finalized }: Seen): Promise<void> {
  const { store, log, now, profile } = worker;
  const { id, purpose, generation } = transfer;
  if (!isUsed) {
    const renewed = await renewDead(store, transfer, { finalizedTime: finalized.time }, now());
    if (renewed) log.info({ transferId: id, purpose, generation }, 'transfer expired unused and is renewed');
    return;
  }
  // Who knows the key of a former address can spend a nonce there: it can never land then, which stops nothing else.
  if (worker.formers?.some(({ address }) => address === transfer.fromAddress) === true) {
    const isDead = (await spentOn(worker, transfer, keyOf(transfer), finalized.number)) === 'elsewhere';
    const renewed = isDead && (await renewDead(store, transfer, { finalizedTime: finalized.time }, now()));
    if (renewed) log.warn({ transferId: id, purpose, generation }, 'the nonce of a transfer was spent elsewhere');
    return;
  }
  const found = await recover(worker, keyOf(transfer), finalized.number);
  if (found !== 'spent' && found !== 'before') return;
  const how = found === 'spent' ? 'nonce used, no transfer of it' : 'paid before these books began';
  const detail = `${purpose} ${id} generation ${generation}: ${how}`;
  const stop = { reason: 'unexplained_outflow' as const, network: profile.network, detail };
  if (found === 'before' && TRANSFERS[purpose].authority === 'treasury') {
    const death = { finalizedTime: finalized.time };
    const isHeld = await holdPaidBefore(store, transfer, { death, stop }, now());
    if (isHeld) log.error({ transferId: id, purpose, generation }, 'it was paid before these books began, and is held');
    return;
  }
  await stopSigning(store, stop, now());
}

function keyOf({ id, fromAddress, nonce }: TransferRow): { authorizer: Hex; nonce: Hex } {
  if (nonce === null) throw new Error(`${id} has expired and was never signed`);
  return { authorizer: fromAddress as Hex, nonce: nonce as Hex };
}
