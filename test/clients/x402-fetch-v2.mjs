import { wrapFetchWithPayment } from '@x402/fetch';
import { jsonPost, paidOf } from './answers.mjs';
import { openWallet } from './wallets.mjs';

export async function pay(given) {
  const fetchPaying = wrapFetchWithPayment(fetch, await openWallet(given));
  const response = await fetchPaying(`${given.url}/payments/x/pay`, jsonPost(given.order));
  return paidOf(response.status, await response.json());
}
