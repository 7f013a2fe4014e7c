import { isKnownAddress, isPutOff, knownFrom } from '../../core/wallets/withdrawal-wait.ts';
import type { Store } from '../../db/store/store.ts';
import { failWithdrawal, markMoved } from '../../db/withdrawals/end.ts';
import { findWithdrawal, withdrawalsToSign, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { markWithdrawalSigned, putBehindOthers } from '../../db/withdrawals/signed.ts';
import { addressStanding } from '../../db/withdrawals/standing.ts';
import { putOffUntil } from '../../db/withdrawals/notified.ts';
import { createRunner, type Runner } from '../../queue/runner.ts';
import { LOOK_PACE, type Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Signer } from '../signing/signer.ts';
import { AlreadyLanded, GENERATION_MAX } from '../signing/signing.ts';

/** After this time nobody waits for the money any more, so nothing is signed for it. */
const FRESH_LIMIT_MS = 60 * 60_000;
/**
 * A holder who was given a time a day ahead is not watching, so an hour in which we were away must not end the
 * withdrawal.
 */
const PUT_OFF_LIMIT_MS = 24 * 60 * 60_000;
/** A day may have had no account for the address that it goes to. Each costs a generation, so there are few. */
const ACCOUNT_WAIT_LIMIT_MS = 8 * 24 * 60 * 60_000;
/** After a start, messages of the meantime are heard first, since one may call off what was due while we were away. */
export const HEAR_FIRST_MS = 2 * 60_000;
const AT_ONCE = 100;
/** A withdrawal that cannot be signed stays due, so nothing else may hurry the looks. */
const PACE = { ...LOOK_PACE, leastMs: 5_000 };

export type WithdrawalsDeps = {
  store: Store;
  signer: Pick<Signer, 'signWithdrawal'>;
  clock: Pick<Clock, 'now'>;
  closing: AbortSignal;
  log: Log;
};

/**
 * The part of withdrawals that needs keys; the worker carries what is signed. It ignores a pause of payments: people
 * move their own money to where they want it.
 */
export function createWithdrawals(deps: WithdrawalsDeps): Runner {
  const { store, clock, log } = deps;
  const startedAtMs = clock.now();
  return createRunner({
    ...deps,
    name: 'withdrawals',
    due: (nowMs, limit, except) => withdrawalsToSign(store, nowMs, limit, except),
    step: (withdrawalId) => signOne(deps, withdrawalId, startedAtMs),
    async putOff(withdrawalId, error) {
      log.error({ withdrawalId, error: String(error) }, 'withdrawal not signed; it is tried again');
      await putBehindOthers(store, withdrawalId, clock.now());
    },
    concurrency: AT_ONCE,
    pace: PACE,
  });
}

type Waiting = WithdrawalRow & { status: 'requested' | 'dead' };

function waitsForKey(row: WithdrawalRow): row is Waiting {
  return row.status === 'requested' || row.status === 'dead';
}

async function signOne(deps: WithdrawalsDeps, id: string, startedAtMs: number): Promise<void> {
  const { store, signer, clock, log } = deps;
  const row = await findWithdrawal(store, id);
  if (!row) throw new Error(`there is no withdrawal ${id}`);
  if (!waitsForKey(row) || row.notBeforeMs > clock.now()) return;
  if (await waitsOn(deps, row)) return;
  const cameDueUnheard = isPutOff(row) && row.notBeforeMs < startedAtMs;
  if (cameDueUnheard && clock.now() < startedAtMs + HEAR_FIRST_MS) return putBehindOthers(store, id, clock.now());
  if (isOver(row, clock.now())) {
    if (await failWithdrawal(store, id, row.status, 'gave_up', clock.now())) {
      log.warn({ withdrawalId: id, generation: row.generation }, 'withdrawal could not be carried out in time');
    }
    return;
  }
  try {
    const signed = await signer.signWithdrawal(id);
    // False: another process has signed it. Only what is stored is ever sent, so this signature is forgotten.
    await markWithdrawalSigned(store, id, signed);
  } catch (error) {
    if (!(error instanceof AlreadyLanded)) throw error;
    await markMoved(store, { id, from: row.status, transaction: error.transaction }, clock.now());
    log.warn({ withdrawalId: id, generation: row.generation }, 'withdrawal was paid before these books knew of it');
  }
}

/**
 * The named time has come, but the holders were not told a day ago: the worker was away, or their chat was. So it waits
 * on, and the next notice names a new time.
 */
async function waitsOn({ store, clock, log }: WithdrawalsDeps, row: Waiting): Promise<boolean> {
  if (!isPutOff(row) || row.status !== 'requested') return false;
  const standing = await addressStanding(store.read, store.tables, row);
  const nowMs = clock.now();
  if (isKnownAddress(standing, nowMs)) return false;
  await putOffUntil(store, row.id, knownFrom(standing, nowMs));
  log.warn({ withdrawalId: row.id }, 'withdrawal waits on, because who holds the wallet was not told in time');
  return true;
}

function isOver(row: Waiting, nowMs: number): boolean {
  const { status, generation, notBeforeMs, heldReason } = row;
  const asAsked = isPutOff(row) ? PUT_OFF_LIMIT_MS : FRESH_LIMIT_MS;
  const limitMs = heldReason === null ? asAsked : ACCOUNT_WAIT_LIMIT_MS;
  return nowMs - notBeforeMs >= limitMs || (status === 'dead' && generation > GENERATION_MAX);
}
