/**
 * What only a local chain can do. These methods are not Solana's, so their names say so: time, play money, accounts and
 * faults.
 */
import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Landed } from '../chain/landed.ts';
import { type Faults, faultSchema } from '../rpc/faults.ts';
import type { Mailroom } from './mailroom.ts';
import { type Methods, defineMethod, noParams } from '../rpc/method.ts';
import { addressSchema } from '../rpc/params.ts';

const WARP_MAX = 10_000;
const amountSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,18}$/, 'an amount is a whole number above zero, as text')
  .transform(BigInt);
const owner = z.tuple([addressSchema]);
const count = z.int().positive().max(WARP_MAX);

const accountSchema = z.strictObject({
  lamports: amountSchema,
  owner: addressSchema,
  data: z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
  executable: z.boolean().default(false),
});

/** What the methods have to do with the process that serves them. */
export type Host = {
  /** Stops and restarts the passing of time. */
  freeze: (isFrozen: boolean) => void;
  /** Ends the process, once it has answered. */
  stop: () => void;
  about: () => Record<string, unknown>;
};

export type LocalParts = { chain: Chain; faults: Faults; mailroom: Mailroom; host: Host };

export function localMethods({ chain, faults, mailroom, host }: LocalParts): Methods {
  const { blocks } = chain;
  return {
    /** Identifies this server: enough to know the chain again after a restart of everything else. */
    local_info: defineMethod(noParams, () => ({ instanceId: chain.instanceId, ...host.about() })),
    /** Ends this chain, and no other that may have taken over its port. */
    local_stop: defineMethod(z.tuple([z.literal(chain.instanceId)]), () => {
      host.stop();
      return true;
    }),

    /** Begins so many blocks at once. Answers the newest slot and height. */
    local_warpSlots: defineMethod(z.tuple([count]), ([wanted]) => {
      chain.openBlocks(wanted);
      return { slot: blocks.last().slot, blockHeight: blocks.last().height };
    }),
    /** Lets slots pass that have no block, and begins the next one. */
    local_skipSlots: defineMethod(z.tuple([count]), ([wanted]) => {
      chain.openBlocks(1, wanted);
      return { slot: blocks.last().slot, blockHeight: blocks.last().height };
    }),
    local_freezeSlots: defineMethod(z.tuple([z.boolean()]), ([isFrozen]) => {
      host.freeze(isFrozen);
      return true;
    }),

    local_mintUsdc: defineMethod(z.tuple([addressSchema, amountSchema]), async ([to, amount]) =>
      toReceipt(chain.act(await chain.faucet.mintUsdc(to, amount))),
    ),
    /** Creates the owner's token account, with nothing in it; one that is there stays as it is. */
    local_openUsdcAccount: defineMethod(owner, async ([of]) =>
      toReceipt(chain.act(await chain.faucet.openUsdcAccount(of))),
    ),
    local_airdrop: defineMethod(z.tuple([addressSchema, amountSchema]), ([to, lamports]) =>
      toReceipt(chain.act(chain.faucet.giveSol(to, lamports))),
    ),
    /** As the issuer does with an address on its list: its USDC can no longer move. */
    local_freezeUsdc: defineMethod(owner, async ([of]) => toReceipt(chain.act(await chain.faucet.freezeUsdc(of)))),
    local_thawUsdc: defineMethod(owner, async ([of]) => toReceipt(chain.act(await chain.faucet.thawUsdc(of)))),
    local_setAccount: defineMethod(z.tuple([addressSchema, accountSchema.nullable()]), ([address, account]) => {
      chain.setAccount(address, account);
      return true;
    }),

    local_setFault: defineMethod(z.tuple([faultSchema]), ([fault]) => {
      faults.set(fault);
      return true;
    }),
    local_clearFaults: defineMethod(noParams, () => {
      faults.clear();
      return true;
    }),
    /** How often each fault has struck, and what waits. */
    local_faults: defineMethod(noParams, () => ({ fired: faults.fired(), waiting: mailroom.waiting() })),
    local_releaseTransactions: defineMethod(noParams, () => mailroom.release()),
  };
}

function toReceipt({ signature, slot }: Landed): { signature: string; slot: number } {
  return { signature, slot };
}
