/** Reads the messages of all three versions. */
import type { ByteReader } from './byte-reader.ts';
import { toAddress, toBase58 } from './encoding.ts';
import type { Instruction, Message, MessageHeader, TableLookup } from './message.ts';
import { readBodyV1 } from './message-v1.ts';
import { assertSound } from './soundness.ts';

const VERSIONED = 0x80;

export function isVersion1(bytes: Uint8Array): boolean {
  return bytes[0] === (VERSIONED | 1);
}

/** Reads one message and leaves what follows it. Throws an Error that says what is wrong. */
export function decodeMessage(reader: ByteReader): Message {
  const message = readMessage(reader);
  assertSound(message);
  return message;
}

function readMessage(reader: ByteReader): Message {
  const first = reader.u8();
  if (first < VERSIONED) return { version: 'legacy', ...readLegacyOrV0(reader, first, false) };
  const version = first - VERSIONED;
  if (version === 0) return { version, ...readLegacyOrV0(reader, reader.u8(), true) };
  if (version === 1) return { version, ...readBodyV1(reader, readHeader(reader, reader.u8())) };
  throw new Error(`message version ${version} is not known`);
}

function readHeader(reader: ByteReader, signers: number): MessageHeader {
  return { signers, readonlySigners: reader.u8(), readonlyOthers: reader.u8() };
}

function readLegacyOrV0(reader: ByteReader, signers: number, hasLookups: boolean): Omit<Message, 'version'> {
  const header = readHeader(reader, signers);
  const accounts = readList(reader, () => toAddress(reader.bytes(32)));
  const recentBlockhash = toBase58(reader.bytes(32));
  const instructions = readList(reader, () => readInstruction(reader));
  const lookups = hasLookups ? readList(reader, () => readLookup(reader)) : [];
  return { header, accounts, recentBlockhash, instructions, lookups, limits: null };
}

function readInstruction(reader: ByteReader): Instruction {
  const programIndex = reader.u8();
  const accountIndexes = readIndexes(reader);
  return { programIndex, accountIndexes, data: reader.bytes(reader.shortLength()) };
}

function readLookup(reader: ByteReader): TableLookup {
  const table = toAddress(reader.bytes(32));
  return { table, writableIndexes: readIndexes(reader), readonlyIndexes: readIndexes(reader) };
}

function readIndexes(reader: ByteReader): number[] {
  return [...reader.bytes(reader.shortLength())];
}

function readList<T>(reader: ByteReader, readOne: () => T): T[] {
  return Array.from({ length: reader.shortLength() }, readOne);
}
