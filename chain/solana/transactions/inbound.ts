/** Payers' transactions. Only this file uses `@x402/svm`, and so the Solana library that it is built on. */
import { address, getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import { z } from 'zod';
import { toBase58 } from '../messages/base58.ts';
import type { SolanaSigner } from '../messages/signer.ts';
import {
  decodeTransaction,
  hashMessage,
  isSound,
  type Instruction,
  type Message,
  type Transaction,
} from '../messages/message.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_TRANSFER_CHECKED,
  TRANSACTION_BYTES_MAX,
} from '../messages/programs.ts';
import { type SolanaRefusal, toRefusal } from './refusals.ts';

/** A payer's partly signed transaction. Addresses from lookup tables are `''` and are refused. */
export type SolanaPayment = {
  /** Base64. */
  wire: string;
  /** Lower-case hex SHA-256 of the signed bytes: with `payer` it names the payment for good. */
  messageHash: string;
  /** The key that allows the transfer. `checkSolanaPayment` checks that it signed. */
  payer: string;
  /** The token accounts. */
  source: string;
  destination: string;
  mint: string;
  /** In the token's smallest unit. */
  amount: bigint;
  feePayer: string;
  /** Texts of its memos. */
  memos: string[];
};

export type SolanaTerms = {
  profile: SolanaProfile;
  /** A wallet; the money goes to its token account. */
  payTo: string;
  feePayer: string;
  /** In micro-USDC. */
  amount: bigint;
};

/**
 * The payer chooses the priority fee that we pay. The stock client asks for 20,000 units at 1 micro-lamport. Wallets
 * add up to three instructions and were seen with 100,000 units, and with prices of some ten thousand micro-lamports in
 * busy times. At both caps a payment costs 5,000 lamports for each of two signatures and 5,000 for priority: 15,000,
 * where the library's own defaults allow 7 million.
 */
export const FEE_CAPS = { units: 100_000, microLamportsPerUnit: 50_000, signatures: 2 } as const;

const WIRE_CHARACTERS_MAX = Math.ceil(TRANSACTION_BYTES_MAX / 3) * 4;
const payloadSchema = z.object({ transaction: z.string().min(1).max(WIRE_CHARACTERS_MAX) });

/**
 * Null unless the payload is one whole transaction, of a version that the library reads too, with exactly one
 * `TransferChecked` of the token program. It does not check the terms.
 */
export function readSolanaPayment(payload: unknown): SolanaPayment | null {
  const wire = payloadSchema.safeParse(payload).data?.transaction;
  const transaction = wire === undefined ? null : decode(wire);
  if (wire === undefined || !transaction) return null;
  const { message, messageBytes } = transaction;
  const { accounts, instructions } = message;
  const [transfer, ...others] = instructions.filter((instruction) => isTransferChecked(message, instruction));
  if (!transfer || others.length > 0) return null;
  const [source = '', mint = '', destination = '', payer] = transfer.accounts.map((index) => accounts[index] ?? '');
  const [feePayer] = accounts;
  if (!payer || !feePayer) return null;
  return {
    wire,
    messageHash: hashMessage(messageBytes),
    payer,
    source,
    destination,
    mint,
    amount: Buffer.from(transfer.data).readBigUInt64LE(1),
    feePayer,
    memos: instructions
      .filter(({ program }) => isMemo(accounts[program]))
      .map(({ data }) => Buffer.from(data).toString('utf8')),
  };
}

/**
 * All checks that need no chain, the same for both generations. The simulation shows whether the transfer works and the
 * blockhash is good.
 */
export async function checkSolanaPayment(payment: SolanaPayment, terms: SolanaTerms): Promise<'ok' | SolanaRefusal> {
  const { message } = decodeTransaction(Buffer.from(payment.wire, 'base64'));
  if (message.usesTables) return 'invalid_exact_svm_smart_wallet_alt_resolution_not_available';
  // It could land at any later time, but we rely on a blockhash that expires.
  if (message.instructions.some((instruction) => isAdvanceNonce(message, instruction))) return 'durable_nonce';
  const requirements = toRequirements(terms);
  const verdict = await createScheme(terms.feePayer).verify(
    { x402Version: 2, accepted: requirements, payload: { transaction: payment.wire } },
    requirements,
  );
  if (!verdict.isValid) return toRefusal(verdict.invalidReason);
  // The library checks only the key that allows the transfer; another instruction could make our key pay.
  if (namesFeePayer(message)) {
    return 'invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts';
  }
  if (payment.memos.length > 1) return 'invalid_exact_svm_payload_memo_count';
  // A multisig allows transfers without signing itself, so the payer would be unknown.
  const signers = message.accounts.slice(0, message.signers);
  return signers.includes(payment.payer) ? 'ok' : 'invalid_exact_svm_payload_signature_invalid';
}

/** The payer's bytes with our fee payer's signature added. */
export async function coSign(wire: string, feePayer: SolanaSigner): Promise<{ wire: string; signature: string }> {
  const bytes = Buffer.from(wire, 'base64');
  const signature = await feePayer.sign('inbound', decodeTransaction(bytes).messageBytes);
  // The first signature is the fee payer's; it comes after a count of one byte.
  bytes.set(signature, 1);
  return { wire: bytes.toString('base64'), signature: toBase58(signature) };
}

/** Why our fee payer must not sign a payer's message: it would pay for more than a bounded fee. Null: it may. */
export function findCoSigningFault(message: Message, feePayer: string): string | null {
  const isOnlyFeePayer = message.accounts[0] === feePayer && !namesFeePayer(message) && !message.usesTables;
  if (!isOnlyFeePayer || message.version === 1) {
    return `the transaction must name ${feePayer} as its fee payer and nowhere else`;
  }
  if (message.signers > FEE_CAPS.signatures) return `it has ${message.signers} signers`;
  const { units, microLamportsPerUnit } = readBudget(message);
  if (units > FEE_CAPS.units || microLamportsPerUnit > FEE_CAPS.microLamportsPerUnit) {
    return `it asks for ${units} units at ${microLamportsPerUnit} micro-lamports`;
  }
  return null;
}

/** What it asks for; the most of each where it asks twice. */
function readBudget({ accounts, instructions }: Message): { units: number; microLamportsPerUnit: bigint } {
  const asked = instructions
    .filter(({ program }) => accounts[program] === COMPUTE_BUDGET_PROGRAM)
    .map(({ data }) => Buffer.from(data));
  const units = asked.filter((data) => data[0] === 2 && data.length === 5).map((data) => data.readUInt32LE(1));
  const prices = asked.filter((data) => data[0] === 3 && data.length === 9).map((data) => data.readBigUInt64LE(1));
  const highest = prices.reduce((most, price) => (price > most ? price : most), 0n);
  return { units: Math.max(0, ...units), microLamportsPerUnit: highest };
}

/** The library must be able to read it too, because it writes to the console about what it cannot read. */
function decode(wire: string): Transaction | null {
  try {
    const bytes = Buffer.from(wire, 'base64');
    if (bytes.length > TRANSACTION_BYTES_MAX || bytes.toString('base64') !== wire) return null;
    const transaction = decodeTransaction(bytes);
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    getCompiledTransactionMessageDecoder().decode(messageBytes);
    return transaction.message.version !== 1 && isSound(transaction.message) ? transaction : null;
  } catch {
    // Both readers throw on what is no transaction; the reason does not matter.
    return null;
  }
}

function isTransferChecked({ accounts }: Message, { program, data, ...instruction }: Instruction): boolean {
  if (accounts[program] !== TOKEN_PROGRAM || data[0] !== TOKEN_TRANSFER_CHECKED) return false;
  return data.length === 10 && instruction.accounts.length >= 4;
}

/** The system program's instruction 4, a number of four bytes. */
const ADVANCE_NONCE = Buffer.from([4, 0, 0, 0]);

function isAdvanceNonce({ accounts }: Message, { program, data }: Instruction): boolean {
  return accounts[program] === SYSTEM_PROGRAM && ADVANCE_NONCE.equals(data.subarray(0, 4));
}

function isMemo(program: string | undefined): boolean {
  return program === MEMO_PROGRAM || program === MEMO_PROGRAM_V1;
}

/** True also where the address is listed a second time, which the network refuses. */
function namesFeePayer({ accounts, instructions }: Message): boolean {
  const [feePayer] = accounts;
  return instructions.some(({ program, ...instruction }) =>
    [program, ...instruction.accounts].some((index) => accounts[index] === feePayer),
  );
}

/** It can only check: it gets no way to sign, to send or to ask the chain. */
function createScheme(feePayer: string): ExactSvmScheme {
  const unused = () => Promise.reject(new Error('a payment is checked without the network'));
  const signer = {
    getAddresses: () => [address(feePayer)],
    // The chain is asked later, together with the books.
    simulateTransaction: () => Promise.resolve(),
    signTransaction: unused,
    sendTransaction: unused,
    confirmTransaction: unused,
  };
  return new ExactSvmScheme(signer, undefined, {
    maxComputeUnits: FEE_CAPS.units,
    maxPriorityFeeMicroLamports: FEE_CAPS.microLamportsPerUnit,
    maxRequiredSignatures: FEE_CAPS.signatures,
  });
}

function toRequirements({ profile, payTo, feePayer, amount }: SolanaTerms) {
  // A chain's name is "namespace:reference" to the library.
  const network: `${string}:${string}` = `solana:${profile.caip2.slice('solana:'.length)}`;
  return {
    scheme: 'exact',
    network,
    amount: amount.toString(),
    asset: profile.usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { feePayer },
  };
}
