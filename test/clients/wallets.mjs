import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** The official wallet of the second generation; above a dollar only with its limit raised. */
export async function openWallet({ key, rpc, network }, client = new x402Client()) {
  if (network === 'base') registerExactEvmScheme(client, { signer: privateKeyToAccount(key) });
  else {
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(key));
    client.register(SOLANA, new ExactSvmScheme(signer, { rpcUrl: rpc }));
  }
  client.setSpendControls?.({ maxAmountPerPayment: '$5' });
  return client;
}
