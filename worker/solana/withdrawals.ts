import { isForbiddenAddress, tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import type { TokenAccountView } from '../../chain/solana/rpc/rpc.ts';
import {
  coSignWithdrawal,
  isWithdrawalFor,
  readWithdrawal,
  type SolanaWithdrawal,
} from '../../chain/solana/transactions/withdrawal-transaction.ts';
import { inFlightFrom } from '../../db/payments/candidates.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { assignedTransfers } from '../../db/transfers/find.ts';
import { openWithdrawal } from '../../db/withdrawals/open-transaction.ts';
import { sendingAddresses } from '../../db/withdrawals/carry.ts';
import { markUnsentDead, refuseWithdrawal } from '../../db/withdrawals/end.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { mayOpen } from './accounts.ts';
import { accountsCounter } from './counters.ts';
import { storeAndSend } from './send.ts';

const CANDIDATES_MAX = 100;
const AT_ONCE = 8;
const RETRY_MS = 2_000;
/** Blocks for which a blockhash is accepted after the one that carries it. Source: Solana's MAX_PROCESSING_AGE. */
const BLOCKHASH_BLOCKS = 150;

/** A signed withdrawal whose transaction says exactly what its row says. */
type Ready = { row: TransferRow; content: SolanaWithdrawal };

/**
 * Sends signed withdrawals, one per wallet at a time. Until our fee payer signs, none can land, so one that would fail
 * is refused; after that the transaction is followed like any other. The money is the person's own, so withdrawals go
 * on while signing is stopped. Answers how many were sent.
 */
export async function sendWithdrawals(worker: SolanaWorker): Promise<number> {
  const { store, profile, now } = worker;
  const due = { network: profile.network, kind: 'withdrawal' as const, nowMs: now(), limit: CANDIDATES_MAX };
  const candidates = await assignedTransfers(store, due);
  if (candidates.length === 0) return 0;
  const busy = await sendingAddresses(store, profile.network);
  const free = candidates.filter(({ fromAddress }) => !busy.has(fromAddress));
  const oldest = new Map(free.toReversed().map((row) => [row.fromAddress, row]));
  const rows = [...oldest.values()].toReversed().slice(0, AT_ONCE);
  const sent = await Promise.all(rows.map((row) => sendAlone(worker, row)));
  return sent.filter(Boolean).length;
}

/** A withdrawal that cannot be judged now must not stop the others. */
async function sendAlone(worker: SolanaWorker, row: TransferRow): Promise<boolean> {
  try {
    return await judgeAndSend(worker, row);
  } catch (error) {
    worker.log.warn({ withdrawalId: row.id, err: error }, 'withdrawal could not be judged; it is tried again');
    return putOff(worker, row);
  }
}

async function judgeAndSend(worker: SolanaWorker, row: TransferRow): Promise<boolean> {
  const { store, rpc, profile } = worker;
  const content = readFor(worker, row);
  if (content === null) return refuse(worker, row, 'invalid_signature');
  if ([row.fromAddress, row.toAddress].some((address) => isForbiddenAddress(address, worker.ownAddresses))) {
    return refuse(worker, row, 'forbidden_address');
  }
  const ready: Ready = { row, content };
  const simulated = await rpc.simulate(content.wire);
  if (!simulated.ok && simulated.reason === 'blockhash') return judgeOld(worker, ready);
  const source = tokenAccountOf(row.fromAddress, profile);
  const [[held, destination], inFlight] = await Promise.all([
    rpc.tokenAccounts([source, content.account]),
    inFlightFrom(store, profile.network, source),
  ]);
  const isDone = !simulated.ok && simulated.reason === 'already-processed';
  // The books are older than the chain: it has landed, and is followed like any other.
  if (isDone) return send(worker, ready, { height: await rpc.height('processed', simulated.slot), opens: false });
  const failure = failureOf(worker, ready, held, destination);
  if (failure !== null) return refuse(worker, row, failure);
  // It would pass the simulation and fail on the chain, at our cost.
  const isShort = held?.kind === 'usdc' && held.amount < row.amountMicroUsdc + inFlight;
  if (!simulated.ok || isShort) {
    if (!simulated.ok && simulated.reason === 'fee-payer') {
      worker.log.error({ address: worker.feePayer.address }, 'the fee payer has too little SOL; withdrawals wait');
    }
    return putOff(worker, row);
  }
  // The blockhash, no matter who chose it, was good at this slot, so it expires 150 blocks above this height at the
  // latest.
  const height = await rpc.height('processed', simulated.slot);
  // An account that exists now may be closed before this lands and then be opened again at our cost, so it counts as
  // opened.
  return send(worker, ready, { height, opens: content.opensFor !== null });
}

function readFor({ profile, feePayer }: SolanaWorker, row: TransferRow): SolanaWithdrawal | null {
  const content = row.signature === null ? null : readWithdrawal(row.signature, profile);
  if (content === null) return null;
  const { id, generation, fromAddress: from, toAddress: to, amountMicroUsdc: amount } = row;
  const wanted = { id, generation, from, to, amount, feePayer: feePayer.address };
  return isWithdrawalFor(content, wanted, profile) ? content : null;
}

/** Null where nothing permanent stands in its way. */
function failureOf(
  worker: SolanaWorker,
  { row, content }: Ready,
  held: TokenAccountView | undefined,
  destination: TokenAccountView | undefined,
): WithdrawalFailure | null {
  const { amountMicroUsdc, fromAddress, toAddress } = row;
  const isHeld = held?.kind === 'usdc' && held.owner === fromAddress && held.amount >= amountMicroUsdc;
  if (!isHeld) return 'insufficient_funds';
  if (held.frozen) return 'sender_blacklisted';
  if (destination === undefined || destination.kind === 'none') {
    return content.opensFor !== null && mayOpen(worker, amountMicroUsdc) ? null : 'no_token_account';
  }
  // An account can change its owner, so the one at this address may not be the recipient's any more.
  if (destination.kind !== 'usdc' || destination.owner !== toAddress) return 'token_account_not_theirs';
  return destination.frozen ? 'recipient_blacklisted' : null;
}

type Way = { height: number; opens: boolean };

async function send(worker: SolanaWorker, { row, content }: Ready, { height, opens }: Way): Promise<boolean> {
  const { store, profile, feePayer, accounts, now } = worker;
  const { wire, signature } = coSignWithdrawal(content.wire, feePayer, profile);
  const transaction = {
    id: worker.ids.carrierId(),
    network: profile.network,
    signed: { hash: signature, bytes: wire },
    sender: feePayer.address,
    lastValidHeight: height + BLOCKHASH_BLOCKS,
  };
  const opening = { count: opens ? 1 : 0, counter: accountsCounter(now()), dailyMax: accounts.dailyMax };
  const opened = await storeAndSend(worker, 'withdrawal', transaction, {
    open: (stored) => openWithdrawal(store, stored, row, opening, now()),
    opened: 'opened',
  });
  if (opened === 'accounts-limit') return refuse(worker, row, 'no_token_account');
  return opened === 'opened';
}

/**
 * No node takes its blockhash: it is too new for this node, or too old. Past its height the withdrawal is dead, because
 * nothing with our signature was sent; unless these books are older than the chain, which then knows the signature.
 */
async function judgeOld(worker: SolanaWorker, ready: Ready): Promise<boolean> {
  const { store, rpc, profile, feePayer } = worker;
  const { row, content } = ready;
  const finalized = await rpc.finalized();
  if (row.validBefore !== null && finalized.height <= row.validBefore) return putOff(worker, row);
  const { signature } = coSignWithdrawal(content.wire, feePayer, profile);
  const { contextSlot, statuses } = await rpc.statuses([signature]);
  if (contextSlot < finalized.slot) return putOff(worker, row);
  if (statuses[0]) return send(worker, ready, { height: finalized.height, opens: false });
  if (!(await markUnsentDead(store, row))) return false;
  const { id, generation } = row;
  worker.log.info({ withdrawalId: id, generation }, 'withdrawal was signed too long ago; it may be signed again');
  return false;
}

async function putOff({ store, now }: SolanaWorker, row: TransferRow): Promise<false> {
  await postponeTransfers(store, [row.id], now() + RETRY_MS);
  return false;
}

async function refuse(worker: SolanaWorker, row: TransferRow, failure: WithdrawalFailure): Promise<false> {
  if (!(await refuseWithdrawal(worker.store, row, failure, worker.now()))) return false;
  worker.log.info({ withdrawalId: row.id, failure }, 'withdrawal refused before anything was sent');
  return false;
}
