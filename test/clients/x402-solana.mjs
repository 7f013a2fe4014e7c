import { getBase58Encoder } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { createX402Client } from 'x402-solana/client';
import { jsonPost, paidOf } from './answers.mjs';

/** A wallet as a browser's extension offers one. */
export function walletOf(key) {
  const keypair = Keypair.fromSecretKey(Uint8Array.from(getBase58Encoder().encode(key)));
  return {
    address: keypair.publicKey.toBase58(),
    publicKey: keypair.publicKey,
    signTransaction: async (transaction) => {
      transaction.sign([keypair]);
      return transaction;
    },
  };
}

export async function pay({ url, key, rpc, order }) {
  const client = createX402Client({ wallet: walletOf(key), network: 'solana', rpcUrl: rpc, amount: 5_000_000n });
  const response = await client.fetch(`${url}/payments/x/pay`, jsonPost(order));
  return paidOf(response.status, await response.json());
}
