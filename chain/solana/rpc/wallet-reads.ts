import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { toTokenAccountView, type TokenAccountView } from './account-reads.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import {
  MINT_BYTES,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
} from '../messages/programs.ts';
import { account, inContext } from '../messages/rpc-shapes.ts';

/**
 * What is at an address: nothing yet, a plain wallet, or something else: a durable nonce, stake, a mint, a token
 * account, a program, or something that a program owns.
 */
export type AddressKind = 'none' | 'wallet' | 'nonce' | 'stake' | 'mint' | 'token-account' | 'program' | 'other';

export type RecipientView = { kind: AddressKind; usdc: TokenAccountView };

const ownedAccount = account.extend({ executable: z.boolean() });
type OwnedAccount = z.infer<typeof ownedAccount>;

/** A token account, and the byte after it, in which the newer token program says what follows. */
const SLICE = { offset: 0, length: TOKEN_ACCOUNT_BYTES + 1 };
const EXTENDED_MINT = 1;

/** Questions about recipients. Part of `createSolanaRpc`. */
export function walletReads(ask: JsonRpc, profile: SolanaProfile) {
  return {
    /** Reads a wallet and its token account in one view of one node. */
    async recipient(wallet: string, tokenAccount: string): Promise<RecipientView> {
      const config = { commitment: 'confirmed', encoding: 'base64', dataSlice: SLICE };
      const params = [[wallet, tokenAccount], config];
      const { value } = await ask('getMultipleAccounts', params, inContext(z.array(ownedAccount.nullable())));
      const [found, usdc] = value;
      if (found === undefined || usdc === undefined || value.length !== 2) {
        throw new ChainUnavailable('getMultipleAccounts', 'malformed');
      }
      return { kind: toAddressKind(found), usdc: toTokenAccountView(usdc, profile) };
    },
  };
}

function toAddressKind(found: OwnedAccount | null): AddressKind {
  if (found === null) return 'none';
  const { owner, data, executable } = found;
  if (executable) return 'program';
  if (owner === SYSTEM_PROGRAM) return data.length === 0 ? 'wallet' : 'nonce';
  if (owner === STAKE_PROGRAM) return 'stake';
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return 'other';
  if (data.length === MINT_BYTES || data[TOKEN_ACCOUNT_BYTES] === EXTENDED_MINT) return 'mint';
  return 'token-account';
}
