/** Instructions as `jsonParsed` shows them: in words for the programs that payments use, else in parts. */
import type { Address } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../ground/addresses.ts';
import { type ByteReader, createByteReader } from '../wire/byte-reader.ts';
import { toAddress, toBase58 } from '../wire/encoding.ts';
import { toUiAmount } from '../accounts/tokens.ts';

export type ResolvedInstruction = { programId: Address; accounts: Address[]; data: Uint8Array; stackHeight: number };

/** An instruction's name, its accounts in order, and the meaning of its data after the number. */
type Form = { type: string; accounts: readonly string[]; read?: (reader: ByteReader) => Record<string, unknown> };

const readAmount = (reader: ByteReader) => ({ amount: reader.u64().toString() });
const readTokenAmount = (reader: ByteReader) => {
  const amount = reader.u64();
  return { tokenAmount: toUiAmount(amount, reader.u8()) };
};
const readLamports = (reader: ByteReader) => ({ lamports: Number(reader.u64()) });
const readSpace = (reader: ByteReader) => ({ space: Number(reader.u64()) });
const readOwner = (reader: ByteReader) => ({ owner: toAddress(reader.bytes(32)) });

/** By the byte that the data starts with. */
const TOKEN_FORMS: Record<number, Form> = {
  3: { type: 'transfer', accounts: ['source', 'destination', 'authority'], read: readAmount },
  7: { type: 'mintTo', accounts: ['mint', 'account', 'mintAuthority'], read: readAmount },
  8: { type: 'burn', accounts: ['account', 'mint', 'authority'], read: readAmount },
  9: { type: 'closeAccount', accounts: ['account', 'destination', 'owner'] },
  10: { type: 'freezeAccount', accounts: ['account', 'mint', 'freezeAuthority'] },
  11: { type: 'thawAccount', accounts: ['account', 'mint', 'freezeAuthority'] },
  12: { type: 'transferChecked', accounts: ['source', 'mint', 'destination', 'authority'], read: readTokenAmount },
  14: { type: 'mintToChecked', accounts: ['mint', 'account', 'mintAuthority'], read: readTokenAmount },
  18: { type: 'initializeAccount3', accounts: ['account', 'mint'], read: readOwner },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
};

/** By the four bytes that the data starts with. */
const SYSTEM_FORMS: Record<number, Form> = {
  0: {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    read: (reader) => ({ ...readLamports(reader), ...readSpace(reader), ...readOwner(reader) }),
  },
  1: { type: 'assign', accounts: ['account'], read: readOwner },
  2: { type: 'transfer', accounts: ['source', 'destination'], read: readLamports },
  4: { type: 'advanceNonce', accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'] },
  8: { type: 'allocate', accounts: ['account'], read: readSpace },
};

const CREATE_ACCOUNTS = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];
const ASSOCIATED_TOKEN_FORMS: Record<number, Form> = {
  0: { type: 'create', accounts: CREATE_ACCOUNTS },
  1: { type: 'createIdempotent', accounts: CREATE_ACCOUNTS },
};

export function toParsedInstruction(instruction: ResolvedInstruction) {
  const { programId, accounts, data, stackHeight } = instruction;
  const words = inWords(instruction);
  if (words) return { ...words, programId, stackHeight };
  return { programId, accounts, data: toBase58(data), stackHeight };
}

function inWords(instruction: ResolvedInstruction): { program: string; parsed: unknown } | null {
  const { programId, data } = instruction;
  if (MEMO_PROGRAMS.includes(programId)) return { program: 'spl-memo', parsed: Buffer.from(data).toString('utf8') };
  const reader = createByteReader(data);
  try {
    const found = formOf(programId, reader);
    const parsed = found && fill(found.form, instruction, reader);
    return parsed ? { program: found.program, parsed } : null;
  } catch {
    // Data that ends too early: the program refused it too.
    return null;
  }
}

function formOf(programId: Address, reader: ByteReader): { program: string; form: Form | undefined } | null {
  if (programId === TOKEN_PROGRAM) return { program: 'spl-token', form: TOKEN_FORMS[reader.u8()] };
  if (programId === SYSTEM_PROGRAM) return { program: 'system', form: SYSTEM_FORMS[reader.u32()] };
  if (programId !== ASSOCIATED_TOKEN_PROGRAM) return null;
  const kind = reader.left() === 0 ? 0 : reader.u8();
  return { program: 'spl-associated-token-account', form: ASSOCIATED_TOKEN_FORMS[kind] };
}

/** Null when the accounts are not those of the form, as with an authority of many signers. */
function fill(form: Form | undefined, { accounts }: ResolvedInstruction, reader: ByteReader) {
  if (!form || accounts.length !== form.accounts.length) return null;
  const named = Object.fromEntries(form.accounts.map((name, index) => [name, accounts[index]]));
  return { type: form.type, info: { ...named, ...form.read?.(reader) } };
}
