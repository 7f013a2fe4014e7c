import { wrap } from '@faremeter/fetch';
import { jsonPost, paidOf } from './answers.mjs';

async function handlerOf({ key, rpc, network }) {
  if (network === 'base') {
    const { createPaymentHandler } = await import('@faremeter/payment-evm/exact');
    const { createLocalWallet } = await import('@faremeter/wallet-evm');
    const { base } = await import('viem/chains');
    return createPaymentHandler(await createLocalWallet(base, key));
  }
  const { createPaymentHandler } = await import('@faremeter/payment-solana/exact');
  const { createLocalWallet } = await import('@faremeter/wallet-solana');
  const { getBase58Encoder } = await import('@solana/kit');
  const wallet = await createLocalWallet('mainnet-beta', Uint8Array.from(getBase58Encoder().encode(key)));
  return createPaymentHandler(wallet, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', rpc);
}

export async function pay(given) {
  const paying = wrap(fetch, { handlers: [await handlerOf(given)] });
  const response = await paying(`${given.url}/payments/x/pay`, jsonPost(given.order));
  return paidOf(response.status, await response.json());
}
