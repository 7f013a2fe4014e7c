import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';

// The payer needs USDC only: the fee is ours. A node is needed for a recent blockhash.
const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(process.env.PENNYPOST_SOLANA_KEY));
const scheme = new ExactSvmScheme(signer, { rpcUrl: process.env.PENNYPOST_SOLANA_RPC_URL });
const client = new x402Client().register('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', scheme);

const pay = wrapFetchWithPayment(fetch, client);
const response = await pay(`${process.env.PENNYPOST_URL}/payments/code/pay`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': process.env.ORDER ?? crypto.randomUUID() },
  body: JSON.stringify({ receiver: 'octocat', amount: 0.5 }),
});
console.log(response.status, await response.json());
