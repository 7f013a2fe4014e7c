/** A table on the chain from which messages of version 0 take accounts. */
import type { Address } from '@solana/kit';
import { LOOKUP_TABLE_PROGRAM } from '../ground/addresses.ts';
import type { Account } from './account.ts';
import { createByteReader } from '../wire/byte-reader.ts';
import { toAddress } from '../wire/encoding.ts';

export type LookupTable = {
  authority: Address | null;
  deactivationSlot: bigint;
  lastExtendedSlot: bigint;
  /** Entries from this one on are usable after that slot. */
  lastExtendedStart: number;
  addresses: Address[];
};

/** The fields come first, in this many bytes, then the addresses. */
const HEADER_BYTES = 56;
const ADDRESS_BYTES = 32;
/** What kind of account it is; the other kind is a table without content. */
const IS_TABLE = 1;

export function toLookupTable(account: Account | null): LookupTable | null {
  if (account?.owner !== LOOKUP_TABLE_PROGRAM || account.data.length < HEADER_BYTES) return null;
  const reader = createByteReader(account.data);
  if (reader.u32() !== IS_TABLE) return null;
  const fields = {
    deactivationSlot: reader.u64(),
    lastExtendedSlot: reader.u64(),
    lastExtendedStart: reader.u8(),
    authority: reader.u8() === 1 ? toAddress(reader.bytes(ADDRESS_BYTES)) : null,
  };
  const count = Math.floor((account.data.length - HEADER_BYTES) / ADDRESS_BYTES);
  const addresses = Array.from({ length: count }, (_, index) => {
    const start = HEADER_BYTES + index * ADDRESS_BYTES;
    return toAddress(account.data.subarray(start, start + ADDRESS_BYTES));
  });
  return { ...fields, addresses };
}
