import { BLOCKHASH_BLOCKS } from '../../chain/solana/messages/programs.ts';
import { isForbiddenAddress, tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { neededHeight, readLedgerStart, wouldKnow } from '../../chain/solana/rpc/ledger.ts';
import type { TokenAccountView } from '../../chain/solana/rpc/rpc.ts';
import {
  coSignWithdrawal,
  isWithdrawalFor,
  readWithdrawal,
  type SolanaWithdrawal,
} from '../../chain/solana/transactions/withdrawal-transaction.ts';
import { holderOfWithdrawal, openedBefore, type Opening } from '../../db/costs/openings.ts';
import { nextDayMs } from '../../db/limits/daily.ts';
import { inFlightFrom } from '../../db/payments/candidates.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { assignedTransfers } from '../../db/transfers/find.ts';
import { openWithdrawal } from '../../db/withdrawals/open-transaction.ts';
import { sendingAddresses } from '../../db/withdrawals/carry.ts';
import { markPaid, markUnsentDead, refuseWithdrawal } from '../../db/withdrawals/end.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { capsFor, roomOf } from './account-quota.ts';
import { judgeOpening } from './accounts.ts';
import { storeAndSend } from './send.ts';

const CANDIDATES_MAX = 100;
const AT_ONCE = 8;
const RETRY_MS = 2_000;
/** For a node that has the blocks in which it may have landed. */
const UNPROVEN_WAIT_MS = 60_000;

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
    worker.log.warn(
      { withdrawalId: row.id, err: error },
      'could not find out how a withdrawal ended; it is tried again',
    );
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
  // Its fee payer was replaced, so nobody signs it any more: it is dead with its blockhash.
  if (!isOfFeePayer(worker, ready)) return putOff(worker, row);
  const source = tokenAccountOf(row.fromAddress, profile);
  const [[held, destination], inFlight] = await Promise.all([
    rpc.tokenAccounts([source, content.account]),
    inFlightFrom(store, profile.network, source),
  ]);
  const isDone = !simulated.ok && simulated.reason === 'already-processed';
  // The books are older than the chain: it has landed, and is followed like any other.
  if (isDone) return followLanded(worker, ready, await rpc.height('processed', simulated.slot));
  const opening = await findOpening(worker, row);
  const failure = failureOf(ready, { held, destination, mayOpen: opening !== null });
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
  // An account that exists now may be closed before this lands and be opened at our cost after all, so it counts as opened.
  return send(worker, ready, {
    height,
    openings: content.opensFor === null ? [] : [opening].flatMap((one) => one ?? []),
  });
}

/** Only who holds the seed signs it, and names the fee payer of then. */
function readFor({ profile }: SolanaWorker, row: TransferRow): SolanaWithdrawal | null {
  const content = row.signature === null ? null : readWithdrawal(row.signature, profile);
  if (content === null) return null;
  const { id, generation, fromAddress: from, toAddress: to, amountMicroUsdc: amount } = row;
  const wanted = { id, generation, from, to, amount, feePayer: content.feePayer };
  return isWithdrawalFor(content, wanted, profile) ? content : null;
}

const isOfFeePayer = ({ feePayer }: SolanaWorker, { content }: Ready) => content.feePayer === feePayer.address;

/** The same rule as for a payout; the person is the holder of the wallet. */
async function findOpening(worker: SolanaWorker, row: TransferRow): Promise<Opening | null> {
  const { store, profile } = worker;
  const payee = await holderOfWithdrawal(store, row.id);
  const owner = row.toAddress;
  const before = await openedBefore(store, profile.network, {
    owners: [owner],
    persons: payee === null ? [] : [payee.person],
  });
  return judgeOpening(worker, { owner, sum: row.amountMicroUsdc, payee }, before);
}

type Seen = {
  held: TokenAccountView | undefined;
  destination: TokenAccountView | undefined;
  mayOpen: boolean;
};

/** Null where nothing permanent stands in its way. */
function failureOf({ row, content }: Ready, { held, destination, mayOpen }: Seen): WithdrawalFailure | null {
  const { amountMicroUsdc, fromAddress, toAddress } = row;
  const isHeld = held?.kind === 'usdc' && held.owner === fromAddress && held.amount >= amountMicroUsdc;
  if (!isHeld) return 'insufficient_funds';
  if (held.frozen) return 'sender_blacklisted';
  // Also where there is an account now: its owner may close it before this lands.
  if (content.opensFor !== null && !mayOpen) return 'no_token_account';
  if (destination === undefined || destination.kind === 'none') {
    return content.opensFor === null ? 'no_token_account' : null;
  }
  // An account can change its owner, so the one at this address may not be the recipient's any more.
  if (destination.kind !== 'usdc' || destination.owner !== toAddress) return 'token_account_not_theirs';
  return destination.frozen ? 'recipient_blacklisted' : null;
}

type Way = { height: number; openings: readonly Opening[]; hasLanded?: boolean };

async function send(
  worker: SolanaWorker,
  { row, content }: Ready,
  { height, openings, hasLanded = false }: Way,
): Promise<boolean> {
  const { store, profile, feePayer, now } = worker;
  const { wire, signature } = await coSignWithdrawal(content.wire, feePayer, profile);
  const transaction = {
    id: worker.ids.carrierId(),
    network: profile.network,
    signed: { hash: signature, bytes: wire },
    sender: feePayer.address,
    lastValidHeight: height + BLOCKHASH_BLOCKS,
  };
  const caps = { ...capsFor(worker, openings), hasLanded };
  const opened = await storeAndSend(worker, 'withdrawal', transaction, {
    open: (stored) => openWithdrawal(store, stored, row, caps, now()),
    opened: 'opened',
    sinceMs: now(),
  });
  if (opened === 'accounts-limit') return waitForPlace(worker, row);
  return opened === 'opened';
}

/** The chain has it already; what it opened there was at our cost. */
async function followLanded(worker: SolanaWorker, ready: Ready, height: number): Promise<boolean> {
  const { row, content } = ready;
  const owner = row.toAddress;
  const payee = await holderOfWithdrawal(worker.store, row.id);
  const openings = content.opensFor === null ? [] : [{ owner, person: payee?.person ?? owner, isKept: false }];
  return send(worker, ready, { height, openings, hasLanded: true });
}

/** Nothing of it was sent, so it is signed anew once a day has an account for it. Where today has one, it looks again. */
async function waitForPlace(worker: SolanaWorker, row: TransferRow): Promise<false> {
  const { store, now, log } = worker;
  if ((await roomOf(worker)).all > 0) return putOff(worker, row);
  const wait = { reason: 'account_quota' as const, untilMs: nextDayMs(now()) };
  if (await markUnsentDead(store, row, wait))
    log.info({ withdrawalId: row.id, ...wait }, 'withdrawal waits for a new account');
  return false;
}

/**
 * No node takes its blockhash: it is too new for this node, or too old. Past its height the withdrawal is dead, because
 * nothing with our signature was sent; unless these books are older than the chain, which then knows the signature.
 */
async function judgeOld(worker: SolanaWorker, ready: Ready): Promise<boolean> {
  const { rpc, profile, feePayer } = worker;
  const { row, content } = ready;
  const finalized = await rpc.finalized();
  if (row.validBefore !== null && finalized.height <= row.validBefore) return putOff(worker, row);
  if (!isOfFeePayer(worker, ready)) return judgeReplaced(worker, row);
  const { signature } = await coSignWithdrawal(content.wire, feePayer, profile);
  const { contextSlot, statuses } = await rpc.statuses([signature]);
  if (contextSlot < finalized.slot) return putOff(worker, row);
  // It has landed by its own end, which is over: what follows it looks no later than that.
  const height = row.validBefore === null ? finalized.height : row.validBefore - BLOCKHASH_BLOCKS;
  if (statuses[0]) return followLanded(worker, ready, height);
  return bury(worker, row);
}

/** The signature of the former fee payer cannot be made here, so one that books older than the chain forgot is found by its memo. */
async function judgeReplaced(worker: SolanaWorker, row: TransferRow): Promise<false> {
  const { store, rpc, now } = worker;
  const { id, generation, fromAddress, createdAtMs: sinceMs } = row;
  const landing = await rpc.findLanding({ id, generation, fromAddress, sinceMs });
  if (landing === null) return bury(worker, row);
  if (!landing.isFinal) return putOff(worker, row);
  await markPaid(store, row, landing.transaction, now());
  return false;
}

/** Only by a node that would know it: these books may be a backup from before it was sent. */
async function bury({ store, rpc, log, now }: SolanaWorker, row: TransferRow): Promise<false> {
  const ledger = await readLedgerStart(rpc);
  if (!wouldKnow(ledger, row.validBefore ?? 0)) {
    const needed = { neededHeight: neededHeight(row.validBefore ?? 0), oldestHeight: ledger?.height ?? null };
    log.warn(
      { withdrawalId: row.id, ...needed },
      'nobody can tell whether it was sent before: the node does not have the blocks any more in which it could have landed, so it waits; use a node that has all from neededHeight on',
    );
    await postponeTransfers(store, [row.id], now() + UNPROVEN_WAIT_MS);
    return false;
  }
  if (!(await markUnsentDead(store, row))) return false;
  const { id: withdrawalId, generation } = row;
  log.info({ withdrawalId, generation }, 'withdrawal was signed too long ago; it may be signed again');
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
