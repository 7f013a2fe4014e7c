/** Withdrawals from personal wallets: what the wallet signs, and what our fee payer signs. */
import { type MessageV0, PublicKey, TransactionMessage, VersionedMessage } from '@solana/web3.js';
import { deriveTokenAccount, isForbiddenAddress, tokenAccountOf } from '../messages/addresses.ts';
import { toBase58 } from '../messages/base58.ts';
import { limitUnits, memo, openAccount, priceUnits, transfer } from '../messages/instructions.ts';
import { isSignedBy } from '../messages/key.ts';
import { decodeTransaction, hashMessage, isSound, type Message } from '../messages/message.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import type { SolanaSigner } from '../messages/signer.ts';
import { TRANSACTION_BYTES_MAX } from '../messages/programs.ts';
import { unitsFor } from '../messages/transaction-limits.ts';

/** All content of such a transaction: the same content always gives the same message. */
export type WithdrawalContent = {
  /** The withdrawal's id and generation, which are its memo: `{id}/{generation}`. */
  memo: string;
  /** The personal wallet. */
  from: string;
  /** The token account that receives. */
  account: string;
  /** Whose account is opened first, at the fee payer's cost; null where it is open. */
  opensFor: string | null;
  /** In micro-USDC. */
  amount: bigint;
  feePayer: string;
  blockhash: string;
  microLamportsPerUnit: number;
};

export type SolanaWithdrawal = WithdrawalContent & {
  id: string;
  generation: number;
  /** Base64. */
  wire: string;
  /**
   * Lower-case hex SHA-256 of the signed bytes, from which the transfer's nonce on the chain follows (`transferNonce`).
   */
  messageHash: string;
};

/**
 * What one withdrawal may cost our fee payer. Its memo and an opening take about 60,000 units; at both caps it costs
 * 7,500 lamports for priority, besides two signatures and the rent.
 */
export const WITHDRAWAL_CAPS = { units: 150_000, microLamportsPerUnit: 50_000 } as const;

const MEMO_PATTERN = /^([0-9A-Za-z_-]{1,64})\/(0|[1-9][0-9]{0,8})$/;

export function withdrawalMemo({ id, generation }: { id: string; generation: number }): string {
  const text = `${id}/${generation}`;
  if (!MEMO_PATTERN.test(text)) throw new Error(`a withdrawal is named by its id and generation, found ${text}`);
  return text;
}

/** Throws where the content is not one that `readWithdrawal` takes. */
export function compileWithdrawal(content: WithdrawalContent, profile: SolanaProfile): MessageV0 {
  const problem = findProblem(content, profile);
  if (problem !== null) throw new Error(`no withdrawal of ${content.from} can be made: ${problem}`);
  return compile(content, profile);
}

/**
 * Null unless the wallet signed exactly what `compileWithdrawal` makes: the message is read, compiled again from what
 * was read, and must give the same bytes, so it can hold nothing else. It ignores the fee payer's signature.
 * `isWithdrawalFor` checks whether it is the requested withdrawal.
 */
export function readWithdrawal(wire: string, profile: SolanaProfile): SolanaWithdrawal | null {
  const transaction = decode(wire);
  if (!transaction) return null;
  const { message, messageBytes, signatures } = transaction;
  const content = guessContent(message, messageBytes);
  const [, signature] = signatures;
  // First, because it costs the least.
  if (!content || !signature || !isSignedBy(content.from, messageBytes, signature)) return null;
  if (readWithdrawalContent(message, messageBytes, profile) === null) return null;
  const [, id = '', generation] = MEMO_PATTERN.exec(content.memo) ?? [];
  return { ...content, id, generation: Number(generation), wire, messageHash: hashMessage(messageBytes) };
}

/** The same without a look at signatures: what the message says, if it says a withdrawal and nothing else. */
export function readWithdrawalContent(
  message: Message,
  messageBytes: Uint8Array,
  profile: SolanaProfile,
): WithdrawalContent | null {
  const content = guessContent(message, messageBytes);
  if (content === null || findProblem(content, profile) !== null) return null;
  return Buffer.from(compile(content, profile).serialize()).equals(messageBytes) ? content : null;
}

export type WithdrawalWanted = {
  id: string;
  generation: number;
  from: string;
  /** A wallet. */
  to: string;
  amount: bigint;
  feePayer: string;
};

/** Whether it is this withdrawal and no other. It does not decide whether the account may be opened at our cost. */
export function isWithdrawalFor(found: SolanaWithdrawal, wanted: WithdrawalWanted, profile: SolanaProfile): boolean {
  const { id, generation, from, to, amount, feePayer } = wanted;
  const isNamed = found.id === id && found.generation === generation;
  const isPaidBy = found.from === from && found.feePayer === feePayer;
  const isPaidTo = found.account === tokenAccountOf(to, profile) && found.amount === amount;
  return isNamed && isPaidBy && isPaidTo;
}

/** The withdrawal with our fee payer's signature added. Throws on anything else. */
export async function coSignWithdrawal(
  wire: string,
  feePayer: SolanaSigner,
  profile: SolanaProfile,
): Promise<{ wire: string; signature: string }> {
  if (readWithdrawal(wire, profile)?.feePayer !== feePayer.address) {
    throw new Error(`the transaction must be a withdrawal whose fee ${feePayer.address} pays`);
  }
  const bytes = Buffer.from(wire, 'base64');
  const signature = await feePayer.sign('withdrawal', decodeTransaction(bytes).messageBytes);
  // The first signature is the fee payer's; it comes after a count of one byte.
  bytes.set(signature, 1);
  return { wire: bytes.toString('base64'), signature: toBase58(signature) };
}

function compile(content: WithdrawalContent, profile: SolanaProfile): MessageV0 {
  const { from, account, opensFor, amount, feePayer, blockhash, microLamportsPerUnit } = content;
  const source = tokenAccountOf(from, profile);
  const instructions = [
    limitUnits(unitsOf(content, profile)),
    priceUnits(microLamportsPerUnit),
    ...(opensFor === null ? [] : [openAccount(feePayer, opensFor, account, profile)]),
    transfer({ source, destination: account, authority: from, amount }, profile),
    memo(content.memo),
  ];
  const payerKey = new PublicKey(feePayer);
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message();
}

function unitsOf({ opensFor, memo: text }: WithdrawalContent, profile: SolanaProfile): number {
  const bumps = opensFor === null ? [] : [deriveTokenAccount(opensFor, profile).bump];
  return unitsFor({ transfers: 1, bumps, memoBytes: text.length });
}

/** The addresses must be valid. Answers what is wrong with the rest, or null. */
function findProblem(content: WithdrawalContent, profile: SolanaProfile): string | null {
  const { from, account, opensFor, amount, feePayer, microLamportsPerUnit } = content;
  if (isForbiddenAddress(from, [feePayer])) return 'it is not a wallet that may pay';
  if (account === tokenAccountOf(from, profile)) return 'it would go to the wallet itself';
  if (amount <= 0n) return `it must move more than zero micro-USDC, found ${amount}`;
  if (!MEMO_PATTERN.test(content.memo)) return 'its memo names no withdrawal';
  const isCheap = microLamportsPerUnit >= 0 && microLamportsPerUnit <= WITHDRAWAL_CAPS.microLamportsPerUnit;
  if (!isCheap) return `a unit may not cost ${microLamportsPerUnit} micro-lamports`;
  if (opensFor === null) return null;
  if (isForbiddenAddress(opensFor, [feePayer])) return `no account is opened for ${opensFor}`;
  if (account !== tokenAccountOf(opensFor, profile)) return `the account of ${opensFor} is another one`;
  return unitsOf(content, profile) > WITHDRAWAL_CAPS.units ? 'its account takes too long to find' : null;
}

function decode(wire: string) {
  const bytes = Buffer.from(wire, 'base64');
  if (bytes.length > TRANSACTION_BYTES_MAX || bytes.toString('base64') !== wire) return null;
  try {
    const transaction = decodeTransaction(bytes);
    return transaction.message.version === 0 && isSound(transaction.message) ? transaction : null;
  } catch {
    // It is no transaction; the reason does not matter.
    return null;
  }
}

/** The content if the message is a withdrawal; compiling it again shows whether it is. */
function guessContent({ accounts, instructions }: Message, messageBytes: Uint8Array): WithdrawalContent | null {
  const [price, moved, note] = [instructions[1], instructions.at(-2), instructions.at(-1)];
  if (price?.data.length !== 9 || moved?.data.length !== 10 || !note) return null;
  const opening = instructions.length === 5 ? instructions[2] : undefined;
  const named = (indexes: readonly number[] | undefined, place: number) => accounts[indexes?.[place] ?? -1];
  const [feePayer, account, from] = [accounts[0], named(moved.accounts, 2), named(moved.accounts, 3)];
  if (feePayer === undefined || account === undefined || from === undefined) return null;
  return {
    memo: Buffer.from(note.data).toString('latin1'),
    from,
    account,
    opensFor: named(opening?.accounts, 2) ?? null,
    amount: Buffer.from(moved.data).readBigUInt64LE(1),
    feePayer,
    blockhash: VersionedMessage.deserialize(messageBytes).recentBlockhash,
    microLamportsPerUnit: Number(Buffer.from(price.data).readBigUInt64LE(1)),
  };
}
