import { evm, Mppx } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';
import { jsonPost, paidOf } from './answers.mjs';

const clientOf = (key) => {
  const currencies = [evm.assets.base.USDC];
  return Mppx.create({
    polyfill: false,
    methods: [evm({ account: privateKeyToAccount(key), currencies, maxAmount: '5' })],
  });
};

export async function pay({ url, key, order }) {
  const response = await clientOf(key).fetch(`${url}/payments/x/pay`, jsonPost(order));
  if (!response.headers.has('Payment-Receipt')) throw new Error(`${response.status} without a receipt`);
  return paidOf(response.status, await response.json());
}
