import { ChainUnavailable } from '../../chain/errors.ts';
import { expiredPayouts, renewDeadPayout } from '../../db/transfers/authorize.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { expiredSweeps, renewDeadSweep } from '../../db/tasks/sweeps.ts';
import type { EvmWorker } from '../dependencies.ts';
import { recover } from './recover.ts';

type Hex = `0x${string}`;
const CHECKS_MAX = 400;

/** A signed authorization of ours, a payout's or a sweep's. */
type Signed = { id: string; generation: number; fromAddress: string; nonce: string | null };
type Expired = { name: 'payout' | 'sweep'; signed: Signed; renew: () => Promise<boolean> };

/**
 * Renews payouts and sweeps whose authorization expired unused at a finalized block: nothing else proves that it can
 * never land. One whose nonce was used without a transfer cannot be explained, and stops signing.
 */
export async function renewDead(worker: EvmWorker): Promise<void> {
  const { finalized } = await worker.rpc.head();
  const expired = await findExpired(worker, finalized.time);
  if (expired.length === 0) return;
  const cursor = await readCursor(worker.store, worker.profile.network);
  if (cursor === null || cursor.block < finalized.number) return;
  const used = await worker.rpc.authorizationStates(
    expired.map(({ signed }) => keyOf(signed)),
    finalized.number,
  );
  for (const [index, one] of expired.entries()) {
    await judgeAlone(worker, one, { isUsed: used[index] === true, toBlock: finalized.number });
  }
}

async function findExpired({ store, profile, now }: EvmWorker, chainTime: number): Promise<Expired[]> {
  const death = { finalizedTime: chainTime };
  const [payouts, sweeps] = [
    await expiredPayouts(store, profile.network, chainTime, CHECKS_MAX),
    await expiredSweeps(store, profile.network, chainTime),
  ];
  return [
    ...payouts.map((signed) => ({
      name: 'payout' as const,
      signed,
      renew: () => renewDeadPayout(store, signed, death, now()),
    })),
    ...sweeps.map((signed) => ({
      name: 'sweep' as const,
      signed,
      renew: () => renewDeadSweep(store, signed, death, now()),
    })),
  ];
}

type Seen = { isUsed: boolean; toBlock: number };

/** An item that cannot be judged now must not stop the others. */
async function judgeAlone(worker: EvmWorker, one: Expired, seen: Seen): Promise<void> {
  try {
    await judge(worker, one, seen);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn({ id: one.signed.id, err: error }, 'could not be judged; it is tried again');
  }
}

async function judge(worker: EvmWorker, { name, signed, renew }: Expired, { isUsed, toBlock }: Seen): Promise<void> {
  const { id, generation } = signed;
  if (!isUsed) {
    if (await renew()) worker.log.info({ [`${name}Id`]: id, generation }, `${name} expired unused and is renewed`);
    return;
  }
  if ((await recover(worker, keyOf(signed), toBlock)) !== 'spent') return;
  const detail = `${name} ${id} generation ${generation}: nonce used, no transfer of it`;
  await stopSigning(worker.store, 'unexplained_outflow', detail, worker.now());
}

function keyOf({ id, fromAddress, nonce }: Signed): { authorizer: Hex; nonce: Hex } {
  if (nonce === null) throw new Error(`${id} has expired and was never signed`);
  return { authorizer: fromAddress as Hex, nonce: nonce as Hex };
}
