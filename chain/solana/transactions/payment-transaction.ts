/** An x402 "exact" payment as a payer's key signs it, from a personal wallet or any other. */
import { type MessageV0, PublicKey, TransactionMessage } from '@solana/web3.js';
import { isForbiddenAddress, tokenAccountOf } from '../messages/addresses.ts';
import { limitUnits, memo, priceUnits, transfer } from '../messages/instructions.ts';
import type { SolanaKey } from '../messages/key.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';
import { unitsFor } from '../messages/transaction-limits.ts';

/** The terms of every transfer out of a wallet, a payment and a withdrawal alike. */
export type TransferTerms = {
  feePayer: string;
  amountMicroUsdc: bigint;
  blockhash: string;
  memo: string;
  /** The fee payer's price for priority; `MICRO_LAMPORTS_PER_UNIT` when left out. */
  microLamportsPerUnit?: number;
};
/** `payTo`: a wallet whose token account is open. The memo binds the payment to its request (`boundNonce`). */
export type PaymentTerms = TransferTerms & { payTo: string };

/** A transaction of this kind then costs less than a hundred lamports for priority. */
export const MICRO_LAMPORTS_PER_UNIT = 1_000;
const PAYMENT_MEMO_PATTERN = /^[\x21-\x7e]{1,128}$/;
const AMOUNT_MAX = 2n ** 64n - 1n;

/** Base64 of the payment, signed by its payer alone: it cannot land without the fee payer. */
export function signPayment(key: SolanaKey, terms: PaymentTerms, profile: SolanaProfile): string {
  checkTransfer(key, terms.payTo, terms);
  return signAsPayer(compilePayment(key.address, terms, profile), key);
}

/** The same without a signature, for a payer who holds the key. */
export function preparePayment(payer: string, terms: PaymentTerms, profile: SolanaProfile): string {
  if (isForbiddenAddress(payer, [terms.feePayer, terms.payTo])) throw new Error(`${payer} may not be a payer`);
  return toWire(compilePayment(payer, terms, profile).serialize(), new Uint8Array(SIGNATURE_BYTES));
}

/** The caller decides whether the wallet may pay; this ensures that the money can only go to a person or a treasury. */
export function checkTransfer(key: SolanaKey, to: string, { feePayer, amountMicroUsdc }: TransferTerms): void {
  if (isForbiddenAddress(to, [key.address, feePayer])) throw new Error(`a wallet may not pay to ${to}`);
  if (amountMicroUsdc <= 0n || amountMicroUsdc > AMOUNT_MAX) {
    throw new Error(`a wallet must pay 1 to 2^64 - 1 micro-USDC, found ${amountMicroUsdc}`);
  }
}

/** Two signatures: the fee payer's, left empty, and the wallet's. */
export function signAsPayer(message: MessageV0, key: SolanaKey): string {
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  if (signers.length !== 2 || signers[1]?.toBase58() !== key.address) {
    throw new Error(`the fee payer and ${key.address} must sign, found ${signers.join(', ')}`);
  }
  const messageBytes = message.serialize();
  return toWire(messageBytes, key.sign(messageBytes));
}

function toWire(messageBytes: Uint8Array, payerSignature: Uint8Array): string {
  const signatures = [new Uint8Array(SIGNATURE_BYTES), payerSignature];
  return Buffer.concat([Buffer.from([2]), ...signatures, messageBytes]).toString('base64');
}

/** Only the transfer, its memo, and limits on the fee payer's cost. */
function compilePayment(from: string, terms: PaymentTerms, profile: SolanaProfile): MessageV0 {
  const { payTo, feePayer, amountMicroUsdc, blockhash } = terms;
  if (!PAYMENT_MEMO_PATTERN.test(terms.memo)) {
    throw new Error(`a payment's memo must be 1 to 128 visible ASCII characters, found ${JSON.stringify(terms.memo)}`);
  }
  const [source, destination] = [tokenAccountOf(from, profile), tokenAccountOf(payTo, profile)];
  // x402 wants them in this order.
  const instructions = [
    limitUnits(unitsFor({ transfers: 1, bumps: [], memoBytes: terms.memo.length })),
    priceUnits(terms.microLamportsPerUnit ?? MICRO_LAMPORTS_PER_UNIT),
    transfer({ source, destination, authority: from, amount: amountMicroUsdc }, profile),
    memo(terms.memo),
  ];
  const payerKey = new PublicKey(feePayer);
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message();
}
