/** Transactions as callers hand them in. */
import { z } from 'zod';
import { isVersion1 } from '../wire/message-decoder.ts';
import { PACKET_BYTES_MAX, PACKET_BYTES_MAX_V1, type Transaction, decodeTransaction } from '../wire/transaction.ts';
import { decodeText } from './params.ts';
import { invalidParams } from './rpc-error.ts';

export const wireEncodingSchema = z.enum(['base58', 'base64']);

/** Throws a node's error for bytes that are no transaction, or one too large for a packet. */
export function readTransaction(text: string, encoding: z.output<typeof wireEncodingSchema> = 'base58'): Transaction {
  // Longer than any packet in either encoding: not worth the slow decoding of base58.
  const wire = text.length > PACKET_BYTES_MAX_V1 * 2 ? null : decodeText(text, encoding);
  if (!wire) throw invalidParams(`invalid ${encoding} encoding`);
  const max = isVersion1(wire) ? PACKET_BYTES_MAX_V1 : PACKET_BYTES_MAX;
  if (wire.length > max) {
    throw invalidParams(`${encoding} encoded transaction too large: ${wire.length} bytes (max: ${max} bytes)`);
  }
  try {
    return decodeTransaction(wire);
  } catch (error) {
    throw invalidParams(
      `failed to deserialize transaction: ${error instanceof Error ? error.message : 'no transaction'}`,
    );
  }
}
