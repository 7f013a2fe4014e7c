/** The few instructions that our own transactions are made of. */
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { SolanaProfile } from './profile.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_TRANSFER_CHECKED,
} from './programs.ts';

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
/** Unlike the plain form, it does nothing where the account exists. */
const CREATE_IDEMPOTENT = 1;

export function limitUnits(units: number): TransactionInstruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(SET_UNIT_LIMIT, 0);
  data.writeUInt32LE(units, 1);
  return toInstruction(COMPUTE_BUDGET_PROGRAM, [], data);
}

export function priceUnits(microLamportsPerUnit: number): TransactionInstruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(SET_UNIT_PRICE, 0);
  data.writeBigUInt64LE(BigInt(microLamportsPerUnit), 1);
  return toInstruction(COMPUTE_BUDGET_PROGRAM, [], data);
}

export function memo(text: string): TransactionInstruction {
  return toInstruction(MEMO_PROGRAM, [], Buffer.from(text));
}

/** Opens the owner's token account at the payer's cost. */
export function openAccount(payer: string, owner: string, account: string, { usdc }: SolanaProfile) {
  const keys = [signing(payer), written(account), read(owner), read(usdc), read(SYSTEM_PROGRAM), read(TOKEN_PROGRAM)];
  return toInstruction(ASSOCIATED_TOKEN_PROGRAM, keys, Buffer.from([CREATE_IDEMPOTENT]));
}

export type UsdcTransfer = { source: string; destination: string; authority: string; amount: bigint };

export function transfer({ source, destination, authority, amount }: UsdcTransfer, profile: SolanaProfile) {
  const data = Buffer.alloc(10);
  data.writeUInt8(TOKEN_TRANSFER_CHECKED, 0);
  data.writeBigUInt64LE(amount, 1);
  data.writeUInt8(profile.decimals, 9);
  const keys = [written(source), read(profile.usdc), written(destination), { ...read(authority), isSigner: true }];
  return toInstruction(TOKEN_PROGRAM, keys, data);
}

type Key = { pubkey: PublicKey; isSigner: boolean; isWritable: boolean };

const read = (address: string): Key => ({ pubkey: new PublicKey(address), isSigner: false, isWritable: false });
const written = (address: string): Key => ({ ...read(address), isWritable: true });
const signing = (address: string): Key => ({ ...written(address), isSigner: true });

function toInstruction(program: string, keys: Key[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data });
}
