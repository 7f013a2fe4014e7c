import { encodeTransfer, type Authorization } from '../../chain/evm/authorization.ts';
import { bumpFees, feesFor, gasLimitFor, type Fees } from '../../chain/evm/rpc/fees.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import type { EvmProfile } from '../../chain/evm/rpc/profile.ts';
import { recoveryNonce } from '../../chain/evm/recovery.ts';
import type { EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import type { PersonalWallets } from '../../chain/wallets/personal-wallets.ts';
import { networkTitle } from '../../core/networks.ts';
import { answered, type Move, type MoveReport, type Time } from './move.ts';

type Hex = `0x${string}`;
const BATCH_MAX = 100;
const VALID_SECONDS = 3_600;
const POLL_MS = 500;
/**
 * After this time the same batch is sent again with higher fees, at the same nonce of the gas key, so that one of them
 * lands.
 */
const PATIENCE_MS = 20_000;
const GIVE_UP_MS = 5 * 60_000;

export type EvmRecovery = Time & {
  rpc: EvmRpc;
  profile: EvmProfile;
  wallets: PersonalWallets;
  /** Pays the gas; needs no other balance. */
  gasLane: Lane;
  /** Names the run: within it each wallet is emptied at most once. */
  run: string;
  report: MoveReport;
};

type Ready = { move: Move; authorizer: Hex; nonce: Hex; call: Hex };

/**
 * Empties wallets by authorizations that each wallet signs, many to a transaction. Their nonces derive from the run, so
 * nothing needs to be written down: after a restart it asks the token which of them are used.
 */
export async function recoverOnEvm(recovery: EvmRecovery, moves: readonly Move[]): Promise<void> {
  for (let start = 0; start < moves.length; start += BATCH_MAX) {
    await recoverBatch(recovery, moves.slice(start, start + BATCH_MAX));
  }
}

async function recoverBatch(recovery: EvmRecovery, moves: readonly Move[]): Promise<void> {
  const { rpc, report } = recovery;
  const all = await Promise.all(moves.map((move) => sign(recovery, move)));
  const used = await rpc.authorizationStates(all, 'latest');
  for (const [index, { move }] of all.entries()) if (used[index] === true) report(move, { kind: 'done-before' });
  const ready = await keepWorking(
    recovery,
    all.filter((_, index) => used[index] === false),
  );
  if (ready.length === 0) return;
  const transaction = await land(recovery, ready);
  // The batch may have landed in another way, and a call in it may have failed: only the token knows.
  const landed = await answered(() => rpc.authorizationStates(ready, 'latest'));
  for (const [index, { move }] of ready.entries()) {
    if (landed?.answer[index] === true)
      report(move, transaction === null ? { kind: 'moved-before', transaction } : { kind: 'moved', transaction });
    else if (landed === null || transaction === null) report(move, { kind: 'open' });
    else report(move, { kind: 'refused', reason: 'its transfer failed' });
  }
}

async function sign({ wallets, run, now }: EvmRecovery, move: Move): Promise<Ready> {
  const nonce = recoveryNonce(run, move.walletId);
  // These addresses were parsed for this network before.
  const [from, to] = [move.from as Hex, move.to as Hex];
  const validBefore = Math.floor(now() / 1_000) + VALID_SECONDS;
  const authorization: Authorization = { from, to, value: move.amountMicroUsdc, validAfter: 0, validBefore, nonce };
  const signature = await wallets.signTransferAuthorization(move.walletId, authorization);
  return { move, authorizer: from, nonce, call: encodeTransfer(authorization, signature) };
}

/** A call that would fail costs gas and moves nothing: a barred wallet or address, or a paused token. */
async function keepWorking(recovery: EvmRecovery, ready: readonly Ready[]): Promise<Ready[]> {
  if (ready.length === 0) return [];
  const { rpc, gasLane, report } = recovery;
  const calls = ready.map(({ call }) => call);
  const results = await rpc.simulateBatch({ calls, from: gasLane.address });
  return ready.filter(({ move }, index) => {
    const works = results[index]?.success === true;
    if (!works) report(move, { kind: 'refused', reason: 'the token would refuse it (barred, or paused)' });
    return works;
  });
}

/** The hash of the transaction that landed; null while none has. */
async function land(
  { rpc, profile, gasLane, now, sleep }: EvmRecovery,
  ready: readonly Ready[],
): Promise<string | null> {
  const calls = ready.map(({ call }) => call);
  const [laneNonce, { latest }] = await Promise.all([rpc.transactionCount(gasLane.address, 'latest'), rpc.head()]);
  const sent: Hex[] = [];
  const startedMs = now();
  let fees = startingFees(latest.baseFee, profile);
  let offeredMs = -Infinity;
  while (now() - startedMs < GIVE_UP_MS) {
    if (now() - offeredMs >= PATIENCE_MS) {
      if (sent.length > 0) fees = bumpFees(fees, latest.baseFee, profile.rules) ?? fees;
      const gasLimit = gasLimitFor(calls.length);
      const step = sent.length === 0 ? 'new' : 'replacement';
      const batch = { kind: 'withdrawal', step, laneNonce, calls, gasLimit, fees } as const;
      const { hash, raw } = await gasLane.signBatch(batch);
      sent.push(hash);
      offeredMs = now();
      await rpc.sendRaw(raw);
    }
    // Reads the count first: a nonce that is spent while none of ours has a receipt was spent by an earlier start.
    const spent = await answered(() => rpc.transactionCount(gasLane.address, 'latest'));
    const receipts = await answered(() => rpc.receipts(sent));
    const landed = receipts?.answer.find((receipt) => receipt !== null);
    if (landed) return landed.transaction;
    if (receipts !== null && spent !== null && spent.answer > laneNonce) return null;
    await sleep(POLL_MS);
  }
  return null;
}

/** What the gas key must hold for so many moves, in wei, at today's price. */
export async function gasNeeded(
  { rpc, profile }: { rpc: Pick<EvmRpc, 'head'>; profile: EvmProfile },
  moves: number,
): Promise<bigint> {
  const { latest } = await rpc.head();
  const batches = Math.ceil(moves / BATCH_MAX);
  const gas = BigInt(batches) * gasLimitFor(Math.min(Math.max(moves, 1), BATCH_MAX));
  return gas * startingFees(latest.baseFee, profile).maxFeePerGas;
}

function startingFees(baseFee: bigint, { network, rules }: EvmProfile): Fees {
  const fees = feesFor(baseFee, rules);
  if (fees === null)
    throw new Error(`gas on ${networkTitle(network, null)} costs ${baseFee} wei now: try again later.`);
  return fees;
}
