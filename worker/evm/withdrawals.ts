import {
  authorizationDigest,
  encodeTransfer,
  recoverSigner,
  type Authorization,
} from '../../chain/evm/authorization.ts';
import { gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import { isForbiddenAddress, type EvmProfile } from '../../chain/evm/rpc/profile.ts';
import { withdrawalNonce } from '../../chain/evm/nonces.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { assignedTransfers } from '../../db/transfers/find.ts';
import { refuseWithdrawal } from '../../db/withdrawals/end.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import type { EvmWorker } from '../dependencies.ts';
import { sizeLimit, type Composition } from './lanes/composition.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
const RETRY_MS = 2_000;

/** A withdrawal whose stored signature is the wallet's own, for exactly what the row says. */
type Ready = { row: TransferRow; authorization: Authorization; call: Hex };

/**
 * Chooses signed withdrawals for one batch. The money is people's own and in none of our accounts: a lane gives only
 * gas. One that would fail is refused as long as nothing containing it was ever sent; later only the chain decides.
 */
export async function composeWithdrawals(worker: EvmWorker, lane: Lane): Promise<Composition | null> {
  const { network } = worker.profile;
  const due = { network, kind: 'withdrawal' as const, nowMs: worker.now(), limit: CANDIDATES_MAX };
  const candidates = await assignedTransfers(worker.store, due);
  const [first] = candidates;
  if (first === undefined) return null;
  const together = candidates.filter(({ tries }) => tries === first.tries).slice(0, sizeLimit(first.tries));
  const ready = await keepReady(worker, together);
  if (ready.length === 0) return null;
  const calls = ready.map(({ call }) => call);
  const results = await worker.rpc.simulateBatch({ calls, from: lane.address, gasLimit: gasLimitFor(calls.length) });
  const working = ready.filter((_, index) => results[index]?.success === true);
  await setAside(
    worker,
    ready.filter((_, index) => results[index]?.success !== true),
  );
  if (working.length === 0) return null;
  return {
    kind: 'withdrawal',
    itemIds: working.map(({ row }) => row.id),
    calls: working.map(({ call }) => call),
    gasLimit: gasLimitFor(working.length),
  };
}

/** Refuses what cannot be sent, so that it does not stop the rest of the batch. */
async function keepReady(worker: EvmWorker, rows: readonly TransferRow[]): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const row of rows) {
    const one = toReady(row, worker.profile);
    if (one === null) await refuseOrWait(worker, row, 'invalid_signature');
    else if (touchesOurs(one.authorization, worker)) await refuseOrWait(worker, row, 'forbidden_address');
    else ready.push(one);
  }
  return ready;
}

/** A withdrawal that was sent before ends when it expires; until then it must not stand first and delay the others. */
async function refuseOrWait(worker: EvmWorker, row: TransferRow, failure: WithdrawalFailure): Promise<void> {
  if (await refuse(worker, row, failure)) return;
  await postponeTransfers(worker.store, [row.id], worker.now() + RETRY_MS);
}

function touchesOurs({ from, to }: Authorization, { ownAddresses }: EvmWorker): boolean {
  return isForbiddenAddress(to, ownAddresses) || isForbiddenAddress(from, ownAddresses);
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * Null unless the row holds the requested withdrawal, signed by its wallet under this generation's only nonce, which
 * makes the token land it at most once.
 */
function toReady(row: TransferRow, profile: EvmProfile): Ready | null {
  const [from, to] = [row.fromAddress.toLowerCase(), row.toAddress.toLowerCase()];
  const { validBefore, signature, amountMicroUsdc: value } = row;
  const nonce = withdrawalNonce(row);
  if (!ADDRESS.test(from) || !ADDRESS.test(to) || row.nonce !== nonce) return null;
  if (validBefore === null || signature === null) return null;
  const authorization: Authorization = {
    from: from as Hex,
    to: to as Hex,
    value,
    validAfter: 0,
    validBefore,
    nonce,
  };
  const signer = recoverSigner(authorizationDigest(profile)(authorization), signature as Hex);
  if (signer !== from) return null;
  return { row, authorization, call: encodeTransfer(authorization, signature as Hex) };
}

/** A withdrawal that was sent before, or whose nonce is used, waits for the chain. */
async function setAside(worker: EvmWorker, failing: readonly Ready[]): Promise<void> {
  if (failing.length === 0) return;
  const { rpc } = worker;
  const [used, balances, barred] = await Promise.all([
    rpc.authorizationStates(
      failing.map(({ authorization: { from, nonce } }) => ({ authorizer: from, nonce })),
      'pending',
    ),
    Promise.all(failing.map(({ authorization: { from } }) => rpc.balanceOf(from))),
    rpc.areBlacklisted(failing.flatMap(({ authorization: { from, to } }) => [from, to])),
  ]);
  const waiting: string[] = [];
  for (const [index, { row }] of failing.entries()) {
    const seen = { balance: balances[index] ?? 0n, sender: barred[2 * index], recipient: barred[2 * index + 1] };
    const failure = used[index] === true || row.tries > 0 ? null : failureOf(row, seen);
    if (failure === null) waiting.push(row.id);
    else await refuse(worker, row, failure);
  }
  await postponeTransfers(worker.store, waiting, worker.now() + RETRY_MS);
}

type Seen = { balance: bigint; sender: boolean | undefined; recipient: boolean | undefined };

/** Null for what passes (the token is paused) or ends when it expires. */
function failureOf({ amountMicroUsdc }: TransferRow, { balance, sender, recipient }: Seen): WithdrawalFailure | null {
  if (sender === true) return 'sender_blacklisted';
  if (recipient === true) return 'recipient_blacklisted';
  return balance < amountMicroUsdc ? 'insufficient_funds' : null;
}

async function refuse(worker: EvmWorker, row: TransferRow, failure: WithdrawalFailure): Promise<boolean> {
  if (!(await refuseWithdrawal(worker.store, row, failure, worker.now()))) return false;
  worker.log.info({ withdrawalId: row.id, failure }, 'withdrawal refused before anything was sent');
  return true;
}
