import { createHmac } from 'node:crypto';
import type { Network } from '../core/networks.ts';
import type { TransferIdOf } from '../core/transfers/source.ts';
import { treasurySecret } from './treasury-secret.ts';

/** 128 bits. */
const ID_HEX_DIGITS = 32;

/**
 * Gives the ids of what leaves for a line: HMAC-SHA-256 of the inbound money's name and the line, under a secret that is
 * derived from the first treasury key of that network (HKDF-SHA256, empty salt, info `pennypost/transfer-ids/v1/{network}`).
 * On an EVM network the id makes the authorization's nonce, so the token refuses a second landing for the same line
 * whatever our database says, as long as one key signs for it. Changing any of this makes restored books pay twice, so a
 * test pins an id.
 */
export function createTransferIds(treasuryKeys: ReadonlyMap<Network, Uint8Array>): TransferIdOf {
  const secrets = new Map(
    [...treasuryKeys].map(([network, key]) => [network, treasurySecret(key, `transfer-ids/v1/${network}`)]),
  );
  return ({ network, fact, line }) => {
    const secret = secrets.get(network);
    if (secret === undefined) throw new Error(`the treasury key of ${network} is needed to pay what came in there`);
    if (!Number.isSafeInteger(line) || line < 0) throw new Error(`a line must be a whole number from 0, found ${line}`);
    return createHmac('sha256', secret).update(`${fact}/${line}`).digest('hex').slice(0, ID_HEX_DIGITS);
  };
}
