/** Accounts as the RPC shows them. */
import { type Address, isSome } from '@solana/kit';
import type { Mint, Token } from '@solana-program/token';
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { toBase58, toBase64 } from '../wire/encoding.ts';
import { type LookupTable, toLookupTable } from '../accounts/lookup-table.ts';
import { toMint, toToken, toUiAmount } from '../accounts/tokens.ts';
import type { accountEncodingSchema, dataSliceSchema } from './params.ts';
import { invalidParams } from './rpc-error.ts';

export type AccountView = {
  encoding?: z.infer<typeof accountEncodingSchema> | undefined;
  dataSlice?: z.infer<typeof dataSliceSchema> | null | undefined;
};

type ReadAccount = (address: Address) => Account | null;

/** Base58 of more would take too long. */
const BASE58_BYTES_MAX = 128;
const TOKEN_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

export function toAccountJson(account: Account | null, view: AccountView, read: ReadAccount) {
  if (account === null) return null;
  return {
    lamports: Number(account.lamports),
    owner: account.owner,
    executable: account.executable,
    // A number that JSON cannot hold on a real node, and that means nothing since rent is no longer collected.
    rentEpoch: 0,
    space: account.data.length,
    data: toData(account, view, read),
  };
}

function toData(account: Account, { encoding, dataSlice }: AccountView, read: ReadAccount) {
  const parsed = encoding === 'jsonParsed' ? toParsed(account, read) : null;
  if (parsed) return { ...parsed, space: account.data.length };
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  const bytes = account.data.subarray(offset, offset + length);
  if (encoding === 'base64' || encoding === 'jsonParsed') return [toBase64(bytes), 'base64'];
  if (bytes.length > BASE58_BYTES_MAX) {
    throw invalidParams(
      `Encoded binary (base 58) data should be less than ${BASE58_BYTES_MAX} bytes, please use Base64 encoding.`,
    );
  }
  // A caller who names no encoding gets the bare text of old times.
  return encoding === 'base58' ? [toBase58(bytes), 'base58'] : toBase58(bytes);
}

/** Null for accounts of programs that are not known here. */
function toParsed(account: Account, read: ReadAccount) {
  const mint = toMint(account);
  if (mint) return { program: 'spl-token', parsed: { type: 'mint', info: toMintInfo(mint) } };
  const token = toToken(account);
  if (token) {
    const info = toTokenInfo(token, toMint(read(token.mint))?.decimals ?? 0);
    return { program: 'spl-token', parsed: { type: 'account', info } };
  }
  const table = toLookupTable(account);
  return table ? { program: 'address-lookup-table', parsed: { type: 'lookupTable', info: toTableInfo(table) } } : null;
}

function toMintInfo({ decimals, isInitialized, supply, mintAuthority, freezeAuthority }: Mint) {
  return {
    decimals,
    isInitialized,
    supply: supply.toString(),
    mintAuthority: isSome(mintAuthority) ? mintAuthority.value : null,
    freezeAuthority: isSome(freezeAuthority) ? freezeAuthority.value : null,
  };
}

function toTokenInfo(token: Token, decimals: number) {
  const { mint, owner, amount, delegate, closeAuthority } = token;
  const delegated = isSome(delegate)
    ? { delegate: delegate.value, delegatedAmount: toUiAmount(token.delegatedAmount, decimals) }
    : {};
  return {
    mint,
    owner,
    state: TOKEN_STATES[token.state],
    isNative: isSome(token.isNative),
    tokenAmount: toUiAmount(amount, decimals),
    ...delegated,
    ...(isSome(closeAuthority) ? { closeAuthority: closeAuthority.value } : {}),
  };
}

function toTableInfo({ addresses, authority, deactivationSlot, lastExtendedSlot, lastExtendedStart }: LookupTable) {
  return {
    addresses,
    ...(authority === null ? {} : { authority }),
    deactivationSlot: deactivationSlot.toString(),
    lastExtendedSlot: lastExtendedSlot.toString(),
    lastExtendedSlotStartIndex: lastExtendedStart,
  };
}
