import { createHash } from 'node:crypto';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import type { SolanaPersonalWallets } from '../../chain/solana/personal-wallets.ts';
import type { SolanaProfile } from '../../chain/solana/messages/profile.ts';
import type { SolanaSigner } from '../../chain/solana/messages/signer.ts';
import { wouldKnow } from '../../chain/solana/rpc/ledger.ts';
import type { SignatureStatus, SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import { coSignWithdrawal, withdrawalMemo } from '../../chain/solana/transactions/withdrawal-transaction.ts';
import type { Attempt, AttemptEnd, Journal } from './journal.ts';
import { answered, type Move, type MoveEnd, type MoveReport, type Time } from './move.ts';

const AT_ONCE = 10;
const POLL_MS = 500;
const RESEND_EVERY_MS = 2_000;
const GIVE_UP_MS = 5 * 60_000;
/** An attempt whose fee was too low gets a higher one. */
const MICRO_LAMPORTS_PER_UNIT = [10_000, 20_000] as const;
const MICRO_LAMPORTS_PER_UNIT_MAX = 40_000;
const GENERATION_MAX = 5;

export type SolanaRecovery = Time & {
  rpc: SolanaRpc;
  profile: SolanaProfile;
  wallets: SolanaPersonalWallets;
  feePayer: SolanaSigner;
  journal: Journal;
  /** Names the run: within it each wallet is emptied at most once. */
  run: string;
  report: MoveReport;
};

/**
 * Empties wallets by transactions that the wallet and the fee payer sign. Solana has no nonce here, so a wallet's one
 * live transaction is written down before it is sent, and the next is signed only when that one has failed for good or
 * can never land. Where the journal is lost too, the wallet's history on the chain shows what this run has done.
 */
export async function recoverOnSolana(recovery: SolanaRecovery, moves: readonly Move[]): Promise<void> {
  for (let start = 0; start < moves.length; start += AT_ONCE) {
    const group = moves.slice(start, start + AT_ONCE);
    await Promise.all(group.map(async (move) => recovery.report(move, await recoverAlone(recovery, move))));
  }
}

/** A wallet that the node does not answer for must not end the others. */
async function recoverAlone(recovery: SolanaRecovery, move: Move): Promise<MoveEnd> {
  const end = await answered(() => recoverOne(recovery, move));
  if (end !== null) return end.answer;
  const isOpen = recovery.journal.last(move.walletId)?.end === null;
  return isOpen ? { kind: 'open' } : { kind: 'refused', reason: 'the node did not answer; try again' };
}

async function recoverOne(recovery: SolanaRecovery, move: Move): Promise<MoveEnd> {
  const { journal, rpc, run } = recovery;
  const last = journal.last(move.walletId);
  if (last === null) {
    const wanted = { id: nameOf(run, move.walletId), generation: 0, fromAddress: move.from, sinceMs: 0 };
    if ((await rpc.findLanding(wanted)) !== null) return { kind: 'done-before' };
    return sendNext(recovery, move, 0);
  }
  const end = last.end ?? (await follow(recovery, last.attempt));
  if (end === null) return { kind: 'open' };
  if (end !== 'landed') return sendNext(recovery, move, last.attempt.generation + 1);
  return last.end === null ? { kind: 'moved-before', transaction: last.attempt.signature } : { kind: 'done-before' };
}

async function sendNext(recovery: SolanaRecovery, move: Move, generation: number): Promise<MoveEnd> {
  const { rpc, journal } = recovery;
  if (generation > GENERATION_MAX) return { kind: 'refused', reason: 'it has failed too often' };
  const attempt = await sign(recovery, move, generation);
  const simulated = await rpc.simulate(attempt.wire);
  if (!simulated.ok) return { kind: 'refused', reason: REASONS[simulated.reason] };
  journal.begin(attempt);
  const end = await follow(recovery, attempt);
  if (end === null) return { kind: 'open' };
  if (end === 'landed') return { kind: 'moved', transaction: attempt.signature };
  return end === 'failed'
    ? { kind: 'refused', reason: 'its transfer failed' }
    : sendNext(recovery, move, generation + 1);
}

const REASONS = {
  blockhash: 'the node does not take its own blockhash; try again',
  'already-processed': 'the node has seen it already; try again',
  'fee-payer': 'the fee payer has too little SOL',
  failed: 'the token would refuse it (frozen, or its account is not the recipient’s)',
} as const;

async function sign({ rpc, profile, wallets, feePayer, run }: SolanaRecovery, move: Move, generation: number) {
  const { walletId, to, amountMicroUsdc } = move;
  const { usdc } = await rpc.recipient(to, tokenAccountOf(to, profile));
  // Last, since its blockhash ages from here on.
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const wire = await wallets.signWithdrawal(walletId, {
    to,
    feePayer: feePayer.address,
    amountMicroUsdc,
    blockhash,
    memo: withdrawalMemo({ id: nameOf(run, walletId), generation }),
    opensAccount: usdc.kind === 'none',
    microLamportsPerUnit: MICRO_LAMPORTS_PER_UNIT[generation] ?? MICRO_LAMPORTS_PER_UNIT_MAX,
  });
  const signed = await coSignWithdrawal(wire, feePayer, profile);
  const attempt: Attempt = { walletId, generation, lastValidHeight, ...signed };
  return attempt;
}

/** The certain end of an attempt; null while it is unknown after a long wait. */
async function follow({ rpc, journal, now, sleep }: SolanaRecovery, attempt: Attempt): Promise<AttemptEnd | null> {
  const startedMs = now();
  let sentMs = -Infinity;
  while (now() - startedMs < GIVE_UP_MS) {
    const end = (await answered(() => look(rpc, attempt)))?.answer ?? null;
    if (end !== null) {
      journal.finish(attempt, end);
      return end;
    }
    if (now() - sentMs >= RESEND_EVERY_MS) {
      await rpc.sendRaw(attempt.wire);
      sentMs = now();
    }
    await sleep(POLL_MS);
  }
  return null;
}

/**
 * Reads the height first and the status afterwards, from a node whose view is not behind and which has all the blocks in
 * which it could have landed: only then is "not found" a proof.
 */
async function look(rpc: SolanaRpc, { signature, lastValidHeight }: Attempt): Promise<AttemptEnd | null> {
  const finalized = await rpc.finalized();
  const { contextSlot, statuses } = await rpc.statuses([signature]);
  const status = statuses[0] ?? null;
  const isOver = contextSlot >= finalized.slot && finalized.height > lastValidHeight;
  const isProof = status === null && isOver && wouldKnow(await rpc.ledgerStart(), lastValidHeight);
  return endOf(status, isProof);
}

/** What is not final may be rolled back, and then succeed or fail anew. */
function endOf(status: SignatureStatus | null, isDead: boolean): AttemptEnd | null {
  if (status === null) return isDead ? 'dead' : null;
  if (status.commitment !== 'finalized') return null;
  return status.failed ? 'failed' : 'landed';
}

/** 128 bits: a memo holds few characters, and ids of wallets are of any length. */
function nameOf(run: string, walletId: string): string {
  return createHash('sha256').update(`pennypost/recover/${run}/${walletId}`).digest('hex').slice(0, 32);
}
