/** Payments on Solana: made by the stock client, or by hand where a test wants another transaction than the client's. */
import { x402Client } from '@x402/core/client';
import { wrapFetchWithPayment } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import type { Keypair } from '@solana/web3.js';
import { toHeader } from '../../../core/payments/x402.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';

const { caip2, usdc } = solanaProfile('local');
/** A chain's name is "namespace:reference" to the client. */
const NETWORK: `${string}:${string}` = `solana:${caip2.slice('solana:'.length)}`;

/** The unmodified client of x402, with its limit per payment raised as our documents say. */
export async function stockFetch(payer: Keypair, rpcUrl: string, { hideV2 = false } = {}) {
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const client = new x402Client();
  client.register(NETWORK, new ExactSvmScheme(signer, { rpcUrl }));
  client.registerV1('solana', new ExactSvmSchemeV1(signer, { rpcUrl }));
  client.registerPolicy((_version, requirements) => requirements.filter(({ network }) => network.startsWith('solana')));
  return wrapFetchWithPayment(hideV2 ? fetchWithoutV2 : fetch, client);
}

/** A client of the first generation reads the body: it knows nothing of the header. */
const fetchWithoutV2: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(response.headers);
  headers.delete('PAYMENT-REQUIRED');
  return new Response(response.body, { status: response.status, headers });
};

export type SolanaTerms = { payTo: string; feePayer: string; value: bigint };

/** A signed proof as it stands in the request header, made by the stock scheme for these terms. */
export async function makeSolanaProof(
  payer: Keypair,
  rpcUrl: string,
  { payTo, feePayer, value }: SolanaTerms,
): Promise<string> {
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const accepted = {
    scheme: 'exact',
    network: NETWORK,
    amount: value.toString(),
    asset: usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { feePayer },
  };
  const { payload } = await new ExactSvmScheme(signer, { rpcUrl }).createPaymentPayload(2, accepted);
  return toHeader({ x402Version: 2, accepted, payload });
}
