import { type Hex, keccak256, stringToHex } from 'viem';

/**
 * This nonce lets USDC land a payout at most once, whatever our database, queue or node does. So it may depend only on
 * the payout, and a later generation, with another amount or time, keeps it.
 */
export function payoutNonce(payoutId: string): Hex {
  return nonceOf('payout', payoutId);
}

/** The same for a sweep from the task address to the treasury. */
export function sweepNonce(sweepId: string): Hex {
  return nonceOf('sweep', sweepId);
}

/**
 * The nonce of one generation of a withdrawal from a personal wallet: the bot asks the token about all of them before it
 * signs. Its form differs, so the kinds would stay apart even if one key signed them all.
 */
export function withdrawalNonce({ id, generation }: { id: string; generation: number }): Hex {
  if (!Number.isSafeInteger(generation) || generation < 0) {
    throw new Error(`a generation must be a whole number from 0, found ${generation}`);
  }
  return nonceOf('withdraw', id, `/${generation}`);
}

function nonceOf(kind: 'payout' | 'withdraw' | 'sweep', id: string, suffix = ''): Hex {
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(id)) {
    throw new Error(`a ${kind} id must be 1 to 64 letters, digits, "_" or "-", found ${JSON.stringify(id)}`);
  }
  return keccak256(stringToHex(`pennypost/${kind}/${id}${suffix}`));
}
