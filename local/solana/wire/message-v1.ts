/** The body of version 1 messages (SIMD-0385): no tables, one-byte counts, limits in the message, payloads at the end. */
import type { ByteReader } from './byte-reader.ts';
import { toAddress, toBase58 } from './encoding.ts';
import type { Instruction, Message, MessageHeader, MessageLimits } from './message.ts';

/** Bits for the limits that are present; the fee's eight bytes have two. */
const PRIORITY_FEE = 0b00011;
const COMPUTE_UNITS = 0b00100;
const LOADED_BYTES = 0b01000;
const HEAP_BYTES = 0b10000;
const KNOWN = PRIORITY_FEE | COMPUTE_UNITS | LOADED_BYTES | HEAP_BYTES;

export function readBodyV1(reader: ByteReader, header: MessageHeader): Omit<Message, 'version'> {
  const mask = reader.u32();
  if ((mask & ~KNOWN) !== 0) throw new Error('the message sets limits that are not known');
  const recentBlockhash = toBase58(reader.bytes(32));
  const [instructionCount, accountCount] = [reader.u8(), reader.u8()];
  const accounts = Array.from({ length: accountCount }, () => toAddress(reader.bytes(32)));
  const limits = readLimits(reader, mask);
  const instructions = readInstructions(reader, instructionCount);
  return { header, accounts, recentBlockhash, instructions, lookups: [], limits };
}

function readLimits(reader: ByteReader, mask: number): MessageLimits {
  const feeBits = mask & PRIORITY_FEE;
  if (feeBits !== 0 && feeBits !== PRIORITY_FEE) throw new Error('only half of the priority fee is there');
  return {
    priorityFeeLamports: feeBits === 0 ? null : reader.u64(),
    computeUnits: mask & COMPUTE_UNITS ? reader.u32() : null,
    loadedBytes: mask & LOADED_BYTES ? reader.u32() : null,
    heapBytes: mask & HEAP_BYTES ? reader.u32() : null,
  };
}

function readInstructions(reader: ByteReader, count: number): Instruction[] {
  const sizes = Array.from({ length: count }, () => ({
    programIndex: reader.u8(),
    accounts: reader.u8(),
    dataBytes: reader.u8() + reader.u8() * 256,
  }));
  return sizes.map(({ programIndex, accounts, dataBytes }) => ({
    programIndex,
    accountIndexes: [...reader.bytes(accounts)],
    data: reader.bytes(dataBytes),
  }));
}
