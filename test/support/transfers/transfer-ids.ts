import { createTransferIds } from '../../../chain/transfer-ids.ts';
import { NETWORKS } from '../../../core/networks.ts';

/** Ids as an installation makes them. Tests of one world may open its database again, so they share the keys. */
export const testTransferIds = createTransferIds(
  new Map(NETWORKS.map((network) => [network, new Uint8Array(32).fill(7)])),
);
