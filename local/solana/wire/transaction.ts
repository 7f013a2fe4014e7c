/**
 * A transaction as it travels. Decoded here and strictly, because the virtual machine ends the whole process on bytes
 * that it cannot read: what passes here, it can read.
 */
import { createHash } from 'node:crypto';
import { type ByteReader, createByteReader } from './byte-reader.ts';
import { toBase58 } from './encoding.ts';
import type { Message } from './message.ts';
import { decodeMessage, isVersion1 } from './message-decoder.ts';

/** What fits into one packet; version 1 came with larger ones. */
export const PACKET_BYTES_MAX = 1232;
export const PACKET_BYTES_MAX_V1 = 4096;
const SIGNATURE_BYTES = 64;

export type Transaction = {
  wire: Uint8Array;
  /** Base58; the first of them is the transaction's name. */
  signatures: string[];
  signature: string;
  message: Message;
  /** Of the bytes that were signed. The network runs a message at most once, whatever its signatures are. */
  messageHash: string;
};

/** Throws an Error that says what is wrong with the bytes. */
export function decodeTransaction(wire: Uint8Array): Transaction {
  const reader = createByteReader(wire);
  return isVersion1(wire) ? decodeSignaturesLast(wire, reader) : decodeSignaturesFirst(wire, reader);
}

/** Legacy and version 0: signatures, then the message, which ends with the packet. */
function decodeSignaturesFirst(wire: Uint8Array, reader: ByteReader): Transaction {
  const signatures = readSignatures(reader, reader.shortLength());
  const signed = wire.subarray(reader.position());
  const message = decodeMessage(reader);
  if (reader.left() > 0) throw new Error(`${reader.left()} bytes follow the transaction`);
  return toTransaction(wire, signed, message, signatures);
}

/** Version 1: the message, then as many signatures as it asks for. */
function decodeSignaturesLast(wire: Uint8Array, reader: ByteReader): Transaction {
  const message = decodeMessage(reader);
  const signed = wire.subarray(0, reader.position());
  if (reader.left() !== message.header.signers * SIGNATURE_BYTES)
    throw new Error('the signatures do not fill the rest');
  return toTransaction(wire, signed, message, readSignatures(reader, message.header.signers));
}

function readSignatures(reader: ByteReader, count: number): string[] {
  return Array.from({ length: count }, () => toBase58(reader.bytes(SIGNATURE_BYTES)));
}

function toTransaction(wire: Uint8Array, signed: Uint8Array, message: Message, signatures: string[]): Transaction {
  const [signature] = signatures;
  if (signature === undefined || signatures.length !== message.header.signers) {
    throw new Error(`the message asks for ${message.header.signers} signatures, found ${signatures.length}`);
  }
  const messageHash = createHash('sha256').update(signed).digest('base64');
  return { wire, signatures, signature, message, messageHash };
}
