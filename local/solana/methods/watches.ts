/** What a websocket can wait for: a transaction, an account, slots. */
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../ground/addresses.ts';
import { isSameAccount } from '../accounts/account.ts';
import type { Chain } from '../chain/chain.ts';
import type { Commitment } from '../chain/commitment.ts';
import { type AccountView, toAccountJson } from '../rpc/account-json.ts';
import { DEFAULT_COMMITMENT, inContext } from '../rpc/context.ts';

export type Watch = {
  notification: string;
  /** Called after every change of the chain. Answers what is to be sent, or null. */
  look: () => object | null;
  /** Ends with the first thing it sends. */
  isOnce: boolean;
};

/** Fires once, also when the transaction reached that commitment before. */
export function watchSignature({ blocks, history }: Chain, signature: string, commitment?: Commitment): Watch {
  return {
    notification: 'signatureNotification',
    isOnce: true,
    look() {
      const landed = history.get(signature);
      const block = blocks.at(commitment ?? DEFAULT_COMMITMENT);
      return landed && landed.height <= block.height ? inContext(block, { err: landed.meta.err }) : null;
    },
  };
}

export function watchAccount(
  { blocks, versions }: Chain,
  address: Address,
  view: AccountView & { commitment?: Commitment | undefined },
): Watch {
  const newest = () => blocks.at(view.commitment ?? DEFAULT_COMMITMENT);
  let known = versions.read(address, newest().height);
  return {
    notification: 'accountNotification',
    isOnce: false,
    look() {
      const block = newest();
      const account = versions.read(address, block.height);
      if (isSameAccount(known, account)) return null;
      known = account;
      const read = (other: Address) => versions.read(other, block.height);
      return inContext(block, toAccountJson(account ?? GONE, view, read));
    },
  };
}

/** A removed account is reported as an empty one. */
const GONE = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
};

export function watchSlots({ blocks }: Chain): Watch {
  let known = blocks.last().slot;
  return {
    notification: 'slotNotification',
    isOnce: false,
    look() {
      const { slot, parentSlot } = blocks.last();
      if (slot === known) return null;
      known = slot;
      return { slot, parent: parentSlot, root: blocks.at('finalized').slot };
    },
  };
}
