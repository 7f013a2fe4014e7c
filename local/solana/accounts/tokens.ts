/** Token accounts and mints, read from what accounts hold. */
import type { Address } from '@solana/kit';
import {
  type Mint,
  type Token,
  getMintDecoder,
  getMintSize,
  getTokenDecoder,
  getTokenSize,
} from '@solana-program/token';
import { TOKEN_PROGRAM } from '../ground/addresses.ts';
import type { Account } from './account.ts';

/** As the RPC writes amounts of tokens. */
export type UiTokenAmount = { amount: string; decimals: number; uiAmount: number; uiAmountString: string };

export type TokenBalance = {
  accountIndex: number;
  mint: Address;
  owner: Address;
  programId: Address;
  uiTokenAmount: UiTokenAmount;
};

type ReadAccount = (address: Address) => Account | null;

export function toToken(account: Account | null): Token | null {
  if (account?.owner !== TOKEN_PROGRAM || account.data.length !== getTokenSize()) return null;
  const token = getTokenDecoder().decode(account.data);
  // The first state is "not initialized".
  return token.state === 0 ? null : token;
}

export function toMint(account: Account | null): Mint | null {
  if (account?.owner !== TOKEN_PROGRAM || account.data.length !== getMintSize()) return null;
  const mint = getMintDecoder().decode(account.data);
  return mint.isInitialized ? mint : null;
}

export function toUiAmount(amount: bigint, decimals: number): UiTokenAmount {
  const uiAmountString = toDecimal(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

/** Of those of the addresses that are token accounts, under their place in the list. */
export function tokenBalances(addresses: readonly Address[], read: ReadAccount): TokenBalance[] {
  return addresses.flatMap((address, accountIndex) => {
    const token = toToken(read(address));
    if (!token) return [];
    const { mint, owner, amount } = token;
    const uiTokenAmount = toUiAmount(amount, toMint(read(mint))?.decimals ?? 0);
    return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM, uiTokenAmount }];
  });
}

function toDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
