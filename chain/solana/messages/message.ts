/**
 * Reads serialised transactions of all versions. web3.js does not know version 1 and does not notice trailing bytes,
 * but every transaction that the chain accepted must be readable, strangers' included.
 */
import { createHash } from 'node:crypto';
import { toBase58 } from './base58.ts';
import { SIGNATURE_BYTES } from './programs.ts';

export type Message = {
  version: 'legacy' | 0 | 1;
  /** How many accounts sign, from the first on; the first pays. */
  signers: number;
  /** How many of the signers, and of the other accounts, are read-only; they come last. */
  readonlySigners: number;
  readonlyOthers: number;
  /** Named in the message itself. Accounts from lookup tables follow them in every index. */
  accounts: readonly string[];
  usesTables: boolean;
  instructions: readonly Instruction[];
};

/** `program` and `accounts` are indexes. */
export type Instruction = { program: number; accounts: readonly number[]; data: Uint8Array };

export type Transaction = {
  signatures: readonly Uint8Array[];
  message: Message;
  /** The signed bytes. The network runs a message at most once, with any signatures. */
  messageBytes: Uint8Array;
};

const VERSIONED = 0x80;
const ADDRESS_BYTES = 32;

/** Throws a plain Error unless the bytes are one whole transaction in its only valid encoding. */
export function decodeTransaction(wire: Uint8Array): Transaction {
  const cursor = createCursor(new Uint8Array(wire));
  const { signatures, message, messageBytes } = wire[0] === VERSIONED + 1 ? readV1(cursor) : readV0(cursor);
  if (cursor.left() > 0) throw new Error(`${cursor.left()} bytes follow the transaction`);
  if (message.signers === 0 || signatures.length !== message.signers || message.signers > message.accounts.length) {
    throw new Error(`found ${signatures.length} signatures for ${message.signers} signers`);
  }
  return { signatures, message, messageBytes };
}

/** The same for the signed bytes alone. */
export function decodeMessage(messageBytes: Uint8Array): Message {
  const cursor = createCursor(new Uint8Array(messageBytes));
  const message = readMessage(cursor);
  if (cursor.left() > 0) throw new Error(`${cursor.left()} bytes follow the message`);
  return message;
}

/** Lower-case hex SHA-256. It names a message for good: no two transactions that land share one. */
export function hashMessage(messageBytes: Uint8Array): string {
  return createHash('sha256').update(messageBytes).digest('hex');
}

/** Legacy and version 0: the signatures come first. */
function readV0(cursor: Cursor): Transaction {
  const signatures = readList(cursor.compact(), () => cursor.bytes(SIGNATURE_BYTES));
  const start = cursor.at();
  const message = readMessage(cursor);
  return { signatures, message, messageBytes: cursor.since(start) };
}

/** Version 1: the message comes first. */
function readV1(cursor: Cursor): Transaction {
  const message = readMessage(cursor);
  const messageBytes = cursor.since(0);
  return { message, messageBytes, signatures: readList(message.signers, () => cursor.bytes(SIGNATURE_BYTES)) };
}

function readMessage(cursor: Cursor): Message {
  const first = cursor.byte();
  if (first === VERSIONED + 1) return readBodyV1(cursor);
  if (first > VERSIONED) throw new Error(`message version ${first - VERSIONED} is not known`);
  const version = first === VERSIONED ? 0 : 'legacy';
  const signers = version === 0 ? cursor.byte() : first;
  const [readonlySigners = 0, readonlyOthers = 0] = cursor.bytes(2);
  const accounts = readList(cursor.compact(), () => toBase58(cursor.bytes(ADDRESS_BYTES)));
  cursor.bytes(ADDRESS_BYTES);
  const instructions = readList(cursor.compact(), () => ({
    program: cursor.byte(),
    accounts: [...cursor.bytes(cursor.compact())],
    data: cursor.bytes(cursor.compact()),
  }));
  const usesTables = version === 0 && skipTables(cursor) > 0;
  return { version, signers, readonlySigners, readonlyOthers, accounts, usesTables, instructions };
}

function skipTables(cursor: Cursor): number {
  const tables = cursor.compact();
  for (let table = 0; table < tables; table += 1) {
    cursor.bytes(ADDRESS_BYTES);
    cursor.bytes(cursor.compact());
    cursor.bytes(cursor.compact());
  }
  return tables;
}

/**
 * SIMD-0385: counts of one byte, limits as a mask with four bytes per bit, then all instruction heads before their
 * contents.
 */
function readBodyV1(cursor: Cursor): Message {
  const signers = cursor.byte();
  const [readonlySigners = 0, readonlyOthers = 0] = cursor.bytes(2);
  const mask = Buffer.from(cursor.bytes(4)).readUInt32LE();
  cursor.bytes(ADDRESS_BYTES);
  const [instructionCount, accountCount] = [cursor.byte(), cursor.byte()];
  const accounts = readList(accountCount, () => toBase58(cursor.bytes(ADDRESS_BYTES)));
  cursor.bytes(4 * countBits(mask));
  const heads = readList(instructionCount, () => ({
    program: cursor.byte(),
    accountCount: cursor.byte(),
    dataBytes: cursor.byte() + 256 * cursor.byte(),
  }));
  const instructions = heads.map(({ program, ...sizes }) => ({
    program,
    accounts: [...cursor.bytes(sizes.accountCount)],
    data: cursor.bytes(sizes.dataBytes),
  }));
  return { version: 1, signers, readonlySigners, readonlyOthers, accounts, usesTables: false, instructions };
}

function countBits(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}

function readList<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read);
}

type Cursor = {
  byte: () => number;
  bytes: (length: number) => Uint8Array;
  /** Solana's compact-u16: seven bits per byte, the lowest first, in the shortest form only. */
  compact: () => number;
  at: () => number;
  since: (position: number) => Uint8Array;
  left: () => number;
};

function createCursor(source: Uint8Array): Cursor {
  let position = 0;

  function bytes(length: number): Uint8Array {
    if (position + length > source.length) throw new Error('the transaction ends too early');
    position += length;
    return source.slice(position - length, position);
  }

  const byte = (): number => bytes(1)[0] ?? 0;

  function compact(): number {
    const low = byte();
    if (low < 0x80) return low;
    const middle = byte();
    const high = middle < 0x80 ? 0 : byte();
    const isShortest = middle !== 0 && (middle < 0x80 || (high > 0 && high < 4));
    if (!isShortest) throw new Error('a length is not written in the shortest way');
    return (low & 0x7f) + ((middle & 0x7f) << 7) + (high << 14);
  }

  return {
    byte,
    bytes,
    compact,
    at: () => position,
    since: (start) => source.slice(start, position),
    left: () => source.length - position,
  };
}

/**
 * Whether a node would accept it at all: the fee payer is writable, there are accounts for every count, and no index is
 * out of bounds. A node refuses others without naming their blockhash, so we would ask about them for ever.
 */
export function isSound({
  signers,
  readonlySigners,
  readonlyOthers,
  accounts,
  instructions,
  usesTables,
}: Message): boolean {
  if (signers < 1 || readonlySigners >= signers || signers + readonlyOthers > accounts.length) return false;
  if (new Set(accounts).size !== accounts.length) return false;
  return instructions.every(
    ({ program, accounts: indexes }) =>
      program > 0 && program < accounts.length && (usesTables || indexes.every((index) => index < accounts.length)),
  );
}
