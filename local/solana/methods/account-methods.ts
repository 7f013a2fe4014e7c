/** Methods that read accounts. */
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { Block } from '../chain/block.ts';
import type { Account } from '../accounts/account.ts';
import type { Chain } from '../chain/chain.ts';
import { toAccountJson } from '../rpc/account-json.ts';
import { blockFor, inContext } from '../rpc/context.ts';
import { type Methods, defineMethod } from '../rpc/method.ts';
import { accountFields, addressSchema, contextSchema, decodeText } from '../rpc/params.ts';
import { invalidParams } from '../rpc/rpc-error.ts';

const ACCOUNTS_MAX = 100;
const FILTERS_MAX = 4;
const FILTER_BYTES_MAX = 128;

const configSchema = z.strictObject(accountFields).nullish();

const memcmpSchema = z.strictObject({
  offset: z.int().nonnegative(),
  bytes: z.string(),
  encoding: z.enum(['base58', 'base64']).default('base58'),
});
const filterSchema = z.union([
  z.strictObject({ memcmp: memcmpSchema }),
  z.strictObject({ dataSize: z.int().nonnegative() }),
]);
const programConfigSchema = z
  .strictObject({
    ...accountFields,
    filters: z.array(filterSchema).max(FILTERS_MAX).nullish(),
    withContext: z.boolean().nullish(),
    sortResults: z.boolean().nullish(),
  })
  .nullish();

export function accountMethods({ blocks, versions }: Chain): Methods {
  const readAt = (block: Block) => (address: Address) => versions.read(address, block.height);
  return {
    getBalance: defineMethod(z.tuple([addressSchema, contextSchema]), ([address, config]) => {
      const block = blockFor(blocks, config);
      return inContext(block, Number(readAt(block)(address)?.lamports ?? 0n));
    }),
    getAccountInfo: defineMethod(z.tuple([addressSchema, configSchema]), ([address, config]) => {
      const block = blockFor(blocks, config);
      const read = readAt(block);
      return inContext(block, toAccountJson(read(address), config ?? {}, read));
    }),
    getMultipleAccounts: defineMethod(
      z.tuple([z.array(addressSchema).max(ACCOUNTS_MAX), configSchema]),
      ([addresses, config]) => {
        const block = blockFor(blocks, config);
        const read = readAt(block);
        const view = { ...config, encoding: config?.encoding ?? 'base64' } as const;
        return inContext(
          block,
          addresses.map((address) => toAccountJson(read(address), view, read)),
        );
      },
    ),
    getProgramAccounts: defineMethod(z.tuple([addressSchema, programConfigSchema]), ([program, config]) => {
      const block = blockFor(blocks, config);
      const tests = (config?.filters ?? []).map(toTest);
      const found = versions
        .ownedBy(program, block.height)
        .filter(({ account }) => tests.every((test) => test(account)))
        .map(({ address, account }) => ({
          pubkey: address,
          account: toAccountJson(account, config ?? {}, readAt(block)),
        }));
      return config?.withContext ? inContext(block, found) : found;
    }),
  };
}

function toTest(filter: z.output<typeof filterSchema>): (account: Account) => boolean {
  if ('dataSize' in filter) return ({ data }) => data.length === filter.dataSize;
  const { offset, bytes, encoding } = filter.memcmp;
  const wanted = decodeText(bytes, encoding);
  if (!wanted || wanted.length > FILTER_BYTES_MAX) throw invalidParams('Invalid param: memcmp bytes cannot be read');
  return ({ data }) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}
