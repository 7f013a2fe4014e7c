import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { toBase58 } from '../messages/base58.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { SYSTEM_PROGRAM, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM } from '../messages/programs.ts';
import { type Account, account, type Commitment, inContext } from '../messages/rpc-shapes.ts';

/** `other`: an account of another mint or program, or one that cannot hold tokens. `amount` in micro-USDC. */
export type TokenAccountView =
  | { kind: 'none' }
  | { kind: 'usdc'; owner: string; amount: bigint; frozen: boolean }
  | { kind: 'other' };

/** `slot`: the newest confirmed one. */
export type SettlingState = { slot: number; lamports: readonly bigint[]; account: TokenAccountView };

const funded = account.extend({ lamports: z.int().nonnegative() });

export type OwnerKind = 'none' | 'system' | 'other';

/** Accounts per `getMultipleAccounts`: the limit of nodes. */
const ACCOUNTS_PER_CALL = 100;

/** What we ask about single accounts. Part of `createSolanaRpc`. */
export function accountReads(ask: JsonRpc, profile: SolanaProfile) {
  async function accounts(addresses: readonly string[], more: object = {}): Promise<(Account | null)[]> {
    const config = { commitment: 'confirmed', encoding: 'base64', ...more };
    const answers = await Promise.all(
      chunk(addresses, ACCOUNTS_PER_CALL).map(async (group) => {
        const answer = await ask('getMultipleAccounts', [group, config], inContext(z.array(account.nullable())));
        if (answer.value.length !== group.length) throw new ChainUnavailable('getMultipleAccounts', 'malformed');
        return answer.value;
      }),
    );
    return answers.flat();
  }

  return {
    /** In the order of the addresses, which are token accounts, not wallets. */
    async tokenAccounts(addresses: readonly string[]): Promise<TokenAccountView[]> {
      return (await accounts(addresses)).map((found) => toTokenAccountView(found, profile));
    },

    /** What settles payments, in one view: what these wallets have in lamports, and a token account. Cheap enough to repeat. */
    async settlingState(wallets: readonly string[], tokenAccount: string): Promise<SettlingState> {
      const params = [[...wallets, tokenAccount], { commitment: 'confirmed', encoding: 'base64' }];
      const answer = await ask('getMultipleAccounts', params, inContext(z.array(funded.nullable())));
      if (answer.value.length !== wallets.length + 1) throw new ChainUnavailable('getMultipleAccounts', 'malformed');
      const lamports = answer.value.slice(0, wallets.length).map((found) => BigInt(found?.lamports ?? 0));
      const account = toTokenAccountView(answer.value.at(-1) ?? null, profile);
      return { slot: answer.context.slot, lamports, account };
    },

    /** In micro-USDC, with the slot of the view; null when the address is not, or not yet, a USDC account. */
    async tokenBalance(
      address: string,
      commitment: Exclude<Commitment, 'processed'>,
    ): Promise<{ slot: number; amount: bigint } | null> {
      const params = [address, { commitment, encoding: 'base64' }];
      const { context, value } = await ask('getAccountInfo', params, inContext(account.nullable()));
      const view = toTokenAccountView(value, profile);
      return view.kind === 'usdc' ? { slot: context.slot, amount: view.amount } : null;
    },

    /** The owner of the account at each wallet address: none yet, the system program (a plain wallet), or a program. */
    async ownerKinds(addresses: readonly string[]): Promise<OwnerKind[]> {
      const found = await accounts(addresses, { dataSlice: { offset: 0, length: 0 } });
      return found.map(toOwnerKind);
    },
  };
}

function toOwnerKind(wallet: Account | null): OwnerKind {
  if (!wallet) return 'none';
  return wallet.owner === SYSTEM_PROGRAM ? 'system' : 'other';
}

/** What a token account holds, and where (spl-token, `Account`). */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const STATE_INITIALIZED = 1;
const STATE_FROZEN = 2;

/** Needs the account's data from its first byte, and past a token account's end where it is longer. */
export function toTokenAccountView(found: Account | null, { usdc }: SolanaProfile): TokenAccountView {
  // Anyone can send SOL to the address of an account that is not open yet. Opening it works all the same.
  if (!found || (found.owner === SYSTEM_PROGRAM && found.data.length === 0)) return { kind: 'none' };
  const data = Buffer.from(found.data);
  if (found.owner !== TOKEN_PROGRAM || data.length !== TOKEN_ACCOUNT_BYTES) return { kind: 'other' };
  const state = data.readUInt8(STATE_AT);
  const isUsable = state === STATE_INITIALIZED || state === STATE_FROZEN;
  if (!isUsable || toBase58(data.subarray(0, OWNER_AT)) !== usdc) return { kind: 'other' };
  const owner = toBase58(data.subarray(OWNER_AT, AMOUNT_AT));
  return { kind: 'usdc', owner, amount: data.readBigUInt64LE(AMOUNT_AT), frozen: state === STATE_FROZEN };
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const groups = Math.ceil(items.length / size);
  return Array.from({ length: groups }, (_, index) => items.slice(index * size, (index + 1) * size));
}
