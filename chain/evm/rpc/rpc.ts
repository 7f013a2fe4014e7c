import { authorizationReads } from './authorization-reads.ts';
import { chainReads } from './chain-reads.ts';
import { createJsonRpc } from '../../json-rpc.ts';
import type { EvmProfile } from './profile.ts';
import { settlingReads } from './settling-reads.ts';
import { tokenReads } from './token-reads.ts';
import { usdcReads } from './usdc-reads.ts';

export type EvmRpc = ReturnType<typeof createEvmRpc>;

/**
 * All questions to an EVM node. Questions of one turn of the event loop (`Promise.all`) share one HTTP request. Every
 * method but `sendRaw` throws ChainUnavailable, and nothing else, when there is no usable answer.
 */
export function createEvmRpc({ url, timeoutMs, profile }: { url: string; timeoutMs: number; profile: EvmProfile }) {
  const ask = createJsonRpc({ url, timeoutMs });
  return {
    ...chainReads(ask, profile.rules),
    ...usdcReads(ask, profile),
    ...authorizationReads(ask, profile),
    ...tokenReads(ask, profile),
    ...settlingReads(ask, profile),
  };
}
