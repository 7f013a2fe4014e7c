import { type Hex, keccak256, stringToHex } from 'viem';

/**
 * The nonce under which a recovery run empties one wallet: the token lets each run empty each wallet at most once,
 * however often it is started. Its form differs from withdrawal nonces, so the two never collide.
 */
export function recoveryNonce(run: string, walletId: string): Hex {
  if (!/^[0-9a-z-]{1,32}$/.test(run)) {
    throw new Error(`a run is named by 1 to 32 small letters, digits or "-", found ${JSON.stringify(run)}`);
  }
  return keccak256(stringToHex(`pennypost/recover/${run}/${walletId}`));
}
