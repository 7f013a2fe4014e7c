import axios from 'axios';
import { createSigner, withPaymentInterceptor } from 'x402-axios';
import { paidOf } from './answers.mjs';

export async function pay({ url, key, rpc, network, order }) {
  const signer = await createSigner(network, key);
  const config = network === 'solana' ? { svmConfig: { rpcUrl: rpc } } : undefined;
  const paying = withPaymentInterceptor(axios.create(), signer, undefined, config);
  const { status, data } = await paying.post(`${url}/payments/x/pay`, order);
  return paidOf(status, data);
}
