import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import axios from 'axios';
import { paidOf } from './answers.mjs';
import { openWallet } from './wallets.mjs';

export async function pay(given) {
  const paying = wrapAxiosWithPayment(axios.create(), await openWallet(given, new x402Client()));
  const { status, data } = await paying.post(`${given.url}/payments/x/pay`, given.order);
  return paidOf(status, data);
}
