/** Methods that read token accounts and mints. */
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { TOKEN_PROGRAM } from '../ground/addresses.ts';
import type { Chain } from '../chain/chain.ts';
import { toMint, toToken, toUiAmount } from '../accounts/tokens.ts';
import { toAccountJson } from '../rpc/account-json.ts';
import { blockFor, inContext } from '../rpc/context.ts';
import { type Methods, defineMethod } from '../rpc/method.ts';
import { accountFields, addressSchema, contextSchema } from '../rpc/params.ts';
import { invalidParams } from '../rpc/rpc-error.ts';

const filterSchema = z.union([z.strictObject({ mint: addressSchema }), z.strictObject({ programId: addressSchema })]);
const addressOnly = z.tuple([addressSchema, contextSchema]);

export function tokenMethods({ blocks, versions }: Chain): Methods {
  function mintAt(address: Address, height: number) {
    const mint = toMint(versions.read(address, height));
    if (!mint) throw invalidParams('Invalid param: could not find mint');
    return mint;
  }

  return {
    getTokenAccountBalance: defineMethod(addressOnly, ([address, config]) => {
      const block = blockFor(blocks, config);
      const account = versions.read(address, block.height);
      if (!account) throw invalidParams('Invalid param: could not find account');
      const token = toToken(account);
      if (!token) throw invalidParams('Invalid param: not a Token account');
      return inContext(block, toUiAmount(token.amount, mintAt(token.mint, block.height).decimals));
    }),
    getTokenSupply: defineMethod(addressOnly, ([address, config]) => {
      const block = blockFor(blocks, config);
      const { supply, decimals } = mintAt(address, block.height);
      return inContext(block, toUiAmount(supply, decimals));
    }),
    getTokenAccountsByOwner: defineMethod(
      z.tuple([addressSchema, filterSchema, z.strictObject(accountFields).nullish()]),
      ([owner, filter, config]) => {
        const block = blockFor(blocks, config);
        if ('mint' in filter) mintAt(filter.mint, block.height);
        else if (filter.programId !== TOKEN_PROGRAM)
          throw invalidParams('Invalid param: unrecognized Token program id');
        const read = (address: Address) => versions.read(address, block.height);
        const found = versions.ownedBy(TOKEN_PROGRAM, block.height).filter(({ account }) => {
          const token = toToken(account);
          return token?.owner === owner && (!('mint' in filter) || token.mint === filter.mint);
        });
        return inContext(
          block,
          found.map(({ address, account }) => ({
            pubkey: address,
            account: toAccountJson(account, config ?? {}, read),
          })),
        );
      },
    ),
  };
}
