import { jsonPost, paidOf } from './answers.mjs';
import { walletOf } from './x402-solana.mjs';

// It is made for browsers, and asks for one.
globalThis.window ??= globalThis;

export async function pay({ url, key, rpc, order }) {
  const { createX402Client } = await import('@payai/x402-solana/client');
  const config = { wallet: walletOf(key), network: 'solana', rpcUrl: rpc, maxPaymentAmount: 5_000_000n };
  const response = await createX402Client(config).fetch(`${url}/payments/x/pay`, jsonPost(order));
  return paidOf(response.status, await response.json());
}
