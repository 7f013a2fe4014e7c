import { createHmac } from 'node:crypto';
import type { Network } from '../core/networks.ts';
import { treasurySecret } from './treasury-secret.ts';

/** Signs what an endpoint is told, and gives the secret that its owner is shown once. */
export type EventSecrets = {
  /** As Standard Webhooks writes it; null where the key of that network is gone. */
  secretOf: (network: Network, endpointId: string) => string | null;
  /** The signature of a content under that secret, with its version. */
  sign: (network: Network, endpointId: string, content: string) => string | null;
};

/**
 * An endpoint's secret is made from its id, so none is stored: HMAC-SHA-256 under a secret that is derived from the
 * first treasury key of its payer's network, which no rotation changes.
 */
export function createEventSecrets(treasuryKeys: ReadonlyMap<Network, Uint8Array>): EventSecrets {
  const made = [...treasuryKeys].map(
    ([network, key]) => [network, treasurySecret(key, `event-endpoints/v1/${network}`)] as const,
  );
  const secrets = new Map(made);
  const keyOf = (network: Network, endpointId: string): Buffer | null => {
    const secret = secrets.get(network);
    return secret === undefined ? null : createHmac('sha256', secret).update(endpointId).digest();
  };
  return {
    secretOf(network, endpointId) {
      const key = keyOf(network, endpointId);
      return key && `whsec_${key.toString('base64')}`;
    },
    sign(network, endpointId, content) {
      const key = keyOf(network, endpointId);
      return key && `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    },
  };
}
