import { createSigner, wrapFetchWithPayment } from 'x402-fetch';
import { jsonPost, paidOf } from './answers.mjs';

export async function pay({ url, key, rpc, network, order }) {
  const signer = await createSigner(network, key);
  const config = network === 'solana' ? { svmConfig: { rpcUrl: rpc } } : undefined;
  const fetchPaying = wrapFetchWithPayment(fetch, signer, 5_000_000n, undefined, config);
  const response = await fetchPaying(`${url}/payments/x/pay`, jsonPost(order));
  return paidOf(response.status, await response.json());
}
