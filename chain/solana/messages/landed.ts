import type { ObservedTransfer } from '../../../core/observed.ts';
import { toBase58 } from './base58.ts';
import { decodeTransaction, hashMessage, type Message, type Transaction } from './message.ts';
import type { SolanaProfile } from './profile.ts';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from './programs.ts';
import type { LandedAnswer, TokenBalance } from './rpc-shapes.ts';
import { readTags } from './tags.ts';
import { type OwnAccount, transfersOf, type UsdcChange, type UsdcTransaction } from './transfers.ts';

export type LandedTransaction = {
  signature: string;
  slot: number;
  /** It is in a block and paid its fee; nothing else of it happened. */
  failed: boolean;
  /** Lower-case hex SHA-256 of the signed bytes. */
  messageHash: string;
  feePayer: string;
  /**
   * By how much the fee payer's balance fell: the fee, and rent of accounts that it opened. Negative if it gained.
   * Exact for balances below nine million SOL.
   */
  lamportsSpent: bigint;
  /** The token accounts of USDC that it opened, and what their owner's account has cost. */
  opened: { owner: string; amount: bigint }[];
  /** Texts of the memos in the message itself. */
  memos: string[];
  transfers: ObservedTransfer[];
};

/**
 * Null when the parts of the answer do not fit together. Nothing that a stranger puts into a transaction may cause
 * that.
 */
export function toLandedTransaction(
  { slot, transaction: wire, meta }: LandedAnswer,
  ownAccounts: readonly OwnAccount[],
  profile: SolanaProfile,
): LandedTransaction | null {
  const transaction = decode(wire);
  const [signature] = transaction?.signatures ?? [];
  const [feePayer] = transaction?.message.accounts ?? [];
  if (!transaction || !signature || !feePayer) return null;
  const { message, messageBytes } = transaction;
  const tables = meta.loadedAddresses;
  const names = [...message.accounts, ...(tables?.writable ?? []), ...(tables?.readonly ?? [])];
  const changes = toChanges(meta.preTokenBalances, meta.postTokenBalances, names, profile);
  if (!changes) return null;
  const usdc: UsdcTransaction = {
    signature: toBase58(signature),
    slot,
    failed: meta.err !== null,
    messageHash: hashMessage(messageBytes),
    instructions: nameInstructions(message, names),
    changes,
  };
  const { instructions, changes: _changes, ...shared } = usdc;
  const memos = instructions.filter(isMemo).map(({ data }) => Buffer.from(data).toString('utf8'));
  return {
    ...shared,
    feePayer,
    lamportsSpent: BigInt(meta.preBalances[0]) - BigInt(meta.postBalances[0]),
    opened: findOpened(meta, profile),
    memos,
    transfers: withTags(withMemo(transfersOf(usdc, ownAccounts, profile), memos), memos, ownAccounts),
  };
}

/** What the address held before was paid by another. */
function findOpened(meta: LandedAnswer['meta'], { usdc }: SolanaProfile): LandedTransaction['opened'] {
  const { err, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
  if (err !== null) return [];
  const before = new Set(preTokenBalances.map(({ accountIndex }) => accountIndex));
  const lamports = (index: number) => BigInt(postBalances[index] ?? 0) - BigInt(preBalances[index] ?? 0);
  return postTokenBalances
    .filter(({ accountIndex, mint }) => mint === usdc && !before.has(accountIndex))
    .map(({ accountIndex, owner }) => ({ owner: owner ?? '', amount: lamports(accountIndex) }));
}

/** A task's memo (db/tasks) is a SHA-256 in hex. It names a transfer only where there is one of each. */
function withMemo(transfers: ObservedTransfer[], memos: readonly string[]): ObservedTransfer[] {
  const [memo = '', ...otherMemos] = memos;
  const [transfer, ...others] = transfers;
  const isAlone = transfer !== undefined && otherMemos.length + others.length === 0;
  return isAlone && /^[0-9a-f]{64}$/.test(memo) ? [{ ...transfer, memo }] : transfers;
}

/** Ours are tagged in the order of their transfers. Only what we signed counts: anyone can write any memo. */
function withTags(
  transfers: ObservedTransfer[],
  memos: readonly string[],
  ownAccounts: readonly OwnAccount[],
): ObservedTransfer[] {
  const tags = memos.length === 1 ? readTags(memos[0] ?? '') : [];
  const isOurs = ({ from, authorizer }: ObservedTransfer) =>
    from === authorizer && ownAccounts.some(({ owner }) => owner === from);
  return transfers.map((transfer) => {
    const tag = tags[transfer.position];
    return tag !== undefined && isOurs(transfer) ? { ...transfer, memo: tag } : transfer;
  });
}

function decode(wire: Uint8Array): Transaction | null {
  try {
    return decodeTransaction(wire);
  } catch {
    // What the chain accepted is well formed, so this answer is wrong.
    return null;
  }
}

function nameInstructions({ instructions }: Message, names: readonly string[]): UsdcTransaction['instructions'] {
  return instructions.map(({ program, accounts, data }) => ({
    program: names[program] ?? '',
    accounts: accounts.map((index) => names[index] ?? ''),
    data,
  }));
}

function isMemo({ program }: { program: string }): boolean {
  return program === MEMO_PROGRAM || program === MEMO_PROGRAM_V1;
}

/** An account in only one of the lists was opened or closed: on the other side it held nothing. */
function toChanges(
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
  names: readonly string[],
  { usdc }: SolanaProfile,
): UsdcChange[] | null {
  const ofUsdc = (balances: readonly TokenBalance[]) =>
    new Map(balances.filter(({ mint }) => mint === usdc).map((balance) => [balance.accountIndex, balance]));
  const [pre, post] = [ofUsdc(before), ofUsdc(after)];
  const indexes = [...new Set([...pre.keys(), ...post.keys()])].sort((a, b) => a - b);
  if (indexes.some((index) => names[index] === undefined)) return null;
  return indexes.map((index) => ({
    account: names[index] ?? '',
    ownerBefore: pre.get(index)?.owner ?? post.get(index)?.owner ?? '',
    ownerAfter: post.get(index)?.owner ?? pre.get(index)?.owner ?? '',
    before: BigInt(pre.get(index)?.uiTokenAmount.amount ?? 0),
    after: BigInt(post.get(index)?.uiTokenAmount.amount ?? 0),
  }));
}
