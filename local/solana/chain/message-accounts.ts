/** All accounts of a message, also those that it names by their place in tables on the chain. */
import type { Address } from '@solana/kit';
import type { Account } from '../accounts/account.ts';
import { toLookupTable } from '../accounts/lookup-table.ts';
import type { Message } from '../wire/message.ts';

/** In the order of every index: those of the message, then all that are written, then all that are only read. */
export type MessageAccounts = { all: Address[]; loaded: { writable: Address[]; readonly: Address[] } };

type ReadAccount = (address: Address) => Account | null;

/** Null when a table or an entry is not there, so that the message cannot run. */
export function resolveAccounts({ accounts, lookups }: Message, read: ReadAccount): MessageAccounts | null {
  const tables = lookups.map((lookup) => ({ ...lookup, entries: toLookupTable(read(lookup.table))?.addresses ?? [] }));
  const writable = tables.flatMap(({ entries, writableIndexes }) => writableIndexes.map((index) => entries[index]));
  const readonly = tables.flatMap(({ entries, readonlyIndexes }) => readonlyIndexes.map((index) => entries[index]));
  const loaded = { writable: writable.filter(isThere), readonly: readonly.filter(isThere) };
  if (loaded.writable.length < writable.length || loaded.readonly.length < readonly.length) return null;
  return { all: [...accounts, ...loaded.writable, ...loaded.readonly], loaded };
}

function isThere(address: Address | undefined): address is Address {
  return address !== undefined;
}
