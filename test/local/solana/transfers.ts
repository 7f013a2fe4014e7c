/** Transactions for the tests of the chain, made with unmodified web3.js. */
import { createHash, randomBytes } from 'node:crypto';
import {
  type AddressLookupTableAccount,
  type Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAMS,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../local/solana/ground/addresses.ts';

export const MEMO_PROGRAM = new PublicKey(MEMO_PROGRAMS[1]!);
const TOKEN = new PublicKey(TOKEN_PROGRAM);
const MINT = new PublicKey(USDC_MINT);

export function usdcAccount(owner: PublicKey): PublicKey {
  const seeds = [owner.toBuffer(), TOKEN.toBuffer(), MINT.toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN_PROGRAM))[0];
}

export function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });
}

/** TransferChecked, the token program's instruction 12. */
export function usdcTransfer(from: PublicKey, to: PublicKey, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(10);
  data.writeUInt8(12, 0);
  data.writeBigUInt64LE(amount, 1);
  data.writeUInt8(6, 9);
  const keys = [
    { pubkey: usdcAccount(from), isSigner: false, isWritable: true },
    { pubkey: MINT, isSigner: false, isWritable: false },
    { pubkey: usdcAccount(to), isSigner: false, isWritable: true },
    { pubkey: from, isSigner: true, isWritable: false },
  ];
  return new TransactionInstruction({ programId: TOKEN, keys, data });
}

export function createUsdcAccount(payer: PublicKey, owner: PublicKey): TransactionInstruction {
  const keys = [
    { pubkey: payer, isSigner: true, isWritable: true },
    { pubkey: usdcAccount(owner), isSigner: false, isWritable: true },
    { pubkey: owner, isSigner: false, isWritable: false },
    { pubkey: MINT, isSigner: false, isWritable: false },
    { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
    { pubkey: TOKEN, isSigner: false, isWritable: false },
  ];
  return new TransactionInstruction({
    programId: new PublicKey(ASSOCIATED_TOKEN_PROGRAM),
    keys,
    data: Buffer.from([1]),
  });
}

export type TransactionParts = {
  payer: Keypair;
  instructions: TransactionInstruction[];
  blockhash: string;
  signers?: Keypair[];
  tables?: AddressLookupTableAccount[];
};

/** Version 0, signed. */
export function toTransaction({ payer, instructions, blockhash, signers, tables }: TransactionParts) {
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign(signers ?? [payer]);
  return transaction;
}

export function toWire(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}

export function randomAddress(): PublicKey {
  return new PublicKey(createHash('sha256').update(randomBytes(32)).digest());
}
