/** `pennypost-client/solana`: a key of `@solana/kit` or a browser's wallet signs. */
import type { JsonRpc } from '../../../chain/json-rpc.ts';
import { clusterReads } from '../../../chain/solana/rpc/cluster-reads.ts';
import {
  createSolanaSigner,
  type KitSigner,
  type SolanaWallet,
} from '../../../chain/solana/transactions/wallet-signer.ts';
import { postJson } from '../../../client/exchange.ts';
import type { PaymentSigner } from '../../../core/payments/signer.ts';

export type { KitSigner, SolanaWallet };

export type SolanaSignerOptions = {
  /** A node: it is asked for a recent blockhash, and whether one is over. */
  rpcUrl: string;
  /** Devnet. */
  testnet?: boolean;
  fetch?: typeof globalThis.fetch;
};

const RPC_LIMIT_MS = 10_000;

export function solanaSigner(owner: KitSigner | SolanaWallet, options: SolanaSignerOptions): PaymentSigner {
  const { rpcUrl, testnet = false, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const reads = clusterReads(askOver(rpcUrl, fetch));
  return createSolanaSigner(owner, {
    testnet,
    reads: {
      latestBlockhash: () => reads.latestBlockhash(),
      finalizedHeight: () => reads.height('finalized').catch(() => null),
    },
  });
}

/** One question to the node. The node's own text is left out, because it may contain an access key. */
function askOver(url: string, fetch: typeof globalThis.fetch): JsonRpc {
  return async (method, params, schema) => {
    const asked = { jsonrpc: '2.0', id: 1, method, params };
    const answer = await postJson({ fetch, timeLimitMs: RPC_LIMIT_MS }, url, {}, asked);
    const { result } = (answer?.json ?? {}) as { result?: unknown };
    const parsed = schema.safeParse(result);
    if (!parsed.success) throw new Error(`the Solana node gave no usable answer to ${method}`);
    return parsed.data;
  };
}
