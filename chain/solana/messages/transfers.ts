import type { ObservedTransfer } from '../../../core/observed.ts';
import type { SolanaProfile } from './profile.ts';
import { TOKEN_PROGRAM, TOKEN_TRANSFER, TOKEN_TRANSFER_CHECKED } from './programs.ts';

/** One of our token accounts, and the wallet whose books it belongs to. */
export type OwnAccount = { account: string; owner: string };

/** What a transaction that landed did to one USDC account. Owners are `''` where the node does not know them. */
export type UsdcChange = { account: string; ownerBefore: string; ownerAfter: string; before: bigint; after: bigint };

/** A transaction that landed, as far as USDC is concerned. */
export type UsdcTransaction = {
  signature: string;
  slot: number;
  failed: boolean;
  messageHash: string;
  /** Of the message itself, not those that programs called; names in place of indexes. */
  instructions: readonly { program: string; accounts: readonly string[]; data: Uint8Array }[];
  changes: readonly UsdcChange[];
};

/**
 * The nonce of the `index`th transfer of a message that the payer (or our treasury) signed. A message lands at most
 * once, so signer and nonce name a transfer for good, like an authorization's nonce on an EVM network.
 */
export function transferNonce(messageHash: string, index: number): string {
  return index === 0 ? messageHash : `${messageHash}:${index}`;
}

/**
 * Transfers to and from us. The balance changes of our token accounts are the truth. Where the transfers in the message
 * explain them to the last micro-USDC, each is reported with its signer. Anything else (programs that move tokens,
 * burns) is reported as the net change of each of our wallets, without a proven signer.
 */
export function transfersOf(
  transaction: UsdcTransaction,
  ownAccounts: readonly OwnAccount[],
  profile: SolanaProfile,
): ObservedTransfer[] {
  if (transaction.failed) return [];
  const wallets = new Map(ownAccounts.map(({ account, owner }) => [account, owner]));
  const moves = readMoves(transaction, profile).filter(({ from, to }) => wallets.has(from) || wallets.has(to));
  if (!explain(transaction, moves, wallets)) return toNetTransfers(transaction, wallets);
  // Accounts decide what is ours, not owners: anyone can make our wallet the owner of their account.
  const isWithinOurs = ({ from, to }: Move) => wallets.has(from) && wallets.get(from) === wallets.get(to);
  return moves.flatMap((move, index) =>
    move.value > 0n && !isWithinOurs(move) ? [toSignedTransfer(transaction, move, index, wallets)] : [],
  );
}

/** A transfer in the message itself: token accounts, and the key that allowed it. */
type Move = { from: string; to: string; authority: string; value: bigint };

function readMoves({ instructions }: UsdcTransaction, { usdc }: SolanaProfile): Move[] {
  return instructions.flatMap(({ program, accounts, data }) => {
    const tag = program === TOKEN_PROGRAM ? data[0] : undefined;
    if ((tag !== TOKEN_TRANSFER && tag !== TOKEN_TRANSFER_CHECKED) || data.length < 9) return [];
    const value = Buffer.from(data).readBigUInt64LE(1);
    // The checked form names the mint in second place. The other form moves the mint of its accounts.
    const [from, mint, to, authority] =
      tag === TOKEN_TRANSFER_CHECKED ? accounts : [accounts[0], usdc, accounts[1], accounts[2]];
    const isWhole = from !== undefined && to !== undefined && authority !== undefined;
    return isWhole && mint === usdc ? [{ from, to, authority, value }] : [];
  });
}

/** Whether these moves are all that happened to our accounts. */
function explain({ changes }: UsdcTransaction, moves: readonly Move[], wallets: ReadonlyMap<string, string>): boolean {
  const expected = new Map<string, bigint>();
  const add = (account: string, value: bigint) => expected.set(account, (expected.get(account) ?? 0n) + value);
  for (const { from, to, value } of moves) {
    add(from, -value);
    add(to, value);
  }
  const seen = new Map(changes.map(({ account, before, after }) => [account, after - before]));
  return [...wallets.keys()].every((account) => (expected.get(account) ?? 0n) === (seen.get(account) ?? 0n));
}

function toSignedTransfer(
  transaction: UsdcTransaction,
  { from, to, authority, value }: Move,
  index: number,
  wallets: ReadonlyMap<string, string>,
): ObservedTransfer {
  const change = (account: string) => transaction.changes.find((change) => change.account === account);
  return {
    ...toPlace(transaction, index),
    from: wallets.get(from) ?? change(from)?.ownerBefore ?? '',
    to: wallets.get(to) ?? change(to)?.ownerAfter ?? '',
    value,
    authorizer: authority,
    nonce: transferNonce(transaction.messageHash, index),
  };
}

/** One for each of our wallets whose balance changed, in the order in which the message names their accounts. */
function toNetTransfers(transaction: UsdcTransaction, wallets: ReadonlyMap<string, string>): ObservedTransfer[] {
  const net = new Map<string, bigint>();
  for (const { account, before, after } of transaction.changes) {
    const wallet = wallets.get(account);
    if (wallet !== undefined) net.set(wallet, (net.get(wallet) ?? 0n) + after - before);
  }
  const changed = [...net].filter(([, change]) => change !== 0n);
  return changed.map(([wallet, change], position) => {
    const place = toPlace(transaction, position);
    if (change > 0n) return { ...place, from: onlyPayer(transaction, wallets), to: wallet, value: change };
    return { ...place, from: wallet, to: onlyReceiver(transaction, wallets), value: -change };
  });
}

/** The one owner whose balance fell; with several, the payer cannot be told. */
function onlyPayer({ changes }: UsdcTransaction, wallets: ReadonlyMap<string, string>): string {
  const payers = changes.filter(({ account, before, after }) => !wallets.has(account) && after < before);
  return only(payers.map(({ ownerBefore }) => ownerBefore));
}

function onlyReceiver({ changes }: UsdcTransaction, wallets: ReadonlyMap<string, string>): string {
  const receivers = changes.filter(({ account, before, after }) => !wallets.has(account) && after > before);
  return only(receivers.map(({ ownerAfter }) => ownerAfter));
}

function only(owners: readonly string[]): string {
  const [owner = '', ...others] = new Set(owners);
  return others.length === 0 ? owner : '';
}

/** Slots are ordered and finalized ones do not change, so a slot stands for a block and its hash. */
function toPlace({ signature, slot }: UsdcTransaction, position: number) {
  return { transaction: signature, logIndex: position, position, block: slot, blockHash: '' };
}
