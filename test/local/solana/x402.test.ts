/** The reference packages of x402, unmodified, pay and settle on the local chain. */
import { x402Client } from '@x402/core/client';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { ExactSvmScheme as ClientScheme } from '@x402/svm/exact/client';
import { ExactSvmScheme as FacilitatorScheme } from '@x402/svm/exact/facilitator';
import { ExactSvmSchemeV1 as ClientSchemeV1 } from '@x402/svm/exact/v1/client';
import { ExactSvmSchemeV1 as FacilitatorSchemeV1 } from '@x402/svm/exact/v1/facilitator';
import { toFacilitatorSvmSigner } from '@x402/svm';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import type { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';

const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const PRICE = 10_000n;

let chain: SolanaChain;
let payer: Keypair;
let feePayer: Keypair;
let seller: Keypair;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 20 });
});
afterAll(() => chain?.close());
beforeEach(async () => {
  payer = await chain.createKeypair({ usdc: microUsdc(1_000_000n) });
  feePayer = await chain.createKeypair({ lamports: 1_000_000_000n });
  // A seller's token account has to exist.
  seller = await chain.createKeypair({ usdc: microUsdc(1n) });
});

function toRequirements(): PaymentRequirements {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: PRICE.toString(),
    asset: chain.usdcMint,
    payTo: seller.publicKey.toBase58(),
    maxTimeoutSeconds: 60,
    extra: { feePayer: feePayer.publicKey.toBase58() },
  };
}

async function createPayment(requirements: PaymentRequirements): Promise<PaymentPayload> {
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const client = new x402Client().register(NETWORK, new ClientScheme(signer, { rpcUrl: chain.rpcUrl }));
  return client.createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://example.com/pay', description: '', mimeType: 'application/json' },
    accepts: [requirements],
  });
}

async function createFacilitator(): Promise<x402Facilitator> {
  const signer = toFacilitatorSvmSigner(await createKeyPairSignerFromBytes(feePayer.secretKey), {
    defaultRpcUrl: chain.rpcUrl,
  });
  return new x402Facilitator().register(NETWORK, new FacilitatorScheme(signer));
}

test('a payer without SOL pays, and the facilitator verifies and settles it', async () => {
  const requirements = toRequirements();
  const [payment, facilitator] = [await createPayment(requirements), await createFacilitator()];
  expect(await facilitator.verify(payment, requirements)).toMatchObject({
    isValid: true,
    payer: payer.publicKey.toBase58(),
  });
  expect(await chain.usdcBalance(payer.publicKey)).toBe(1_000_000n);
  const settled = await facilitator.settle(payment, requirements);
  expect(settled).toMatchObject({ success: true, network: NETWORK });
  expect(await chain.usdcBalance(payer.publicKey)).toBe(1_000_000n - PRICE);
  expect(await chain.usdcBalance(seller.publicKey)).toBe(1n + PRICE);
  const transaction = await chain
    .connection()
    .getTransaction(settled.transaction, { maxSupportedTransactionVersion: 1 });
  expect(transaction?.meta?.err).toBe(null);
});

test('a payment of the first generation is verified and settled too', async () => {
  const { amount, network: _network, ...shared } = toRequirements();
  const requirements = {
    ...shared,
    network: 'solana',
    maxAmountRequired: amount,
    resource: 'https://example.com/pay',
    description: '',
    mimeType: 'application/json',
    outputSchema: {},
  };
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const client = new ClientSchemeV1(signer, { rpcUrl: chain.rpcUrl });
  const payment = await client.createPaymentPayload(1, requirements as never);
  const facilitator = new FacilitatorSchemeV1(
    toFacilitatorSvmSigner(await createKeyPairSignerFromBytes(feePayer.secretKey), { defaultRpcUrl: chain.rpcUrl }),
  );
  expect(await facilitator.verify(payment as never, requirements as never)).toMatchObject({ isValid: true });
  expect(await facilitator.settle(payment as never, requirements as never)).toMatchObject({ success: true });
  expect(await chain.usdcBalance(seller.publicKey)).toBe(1n + PRICE);
});

test('a payer with too little USDC does not pass the simulation', async () => {
  const requirements = { ...toRequirements(), amount: '1000001' };
  const client = new ClientScheme(await createKeyPairSignerFromBytes(payer.secretKey), { rpcUrl: chain.rpcUrl });
  const payment = { ...(await client.createPaymentPayload(2, requirements)), accepted: requirements };
  const verified = await (await createFacilitator()).verify(payment as PaymentPayload, requirements);
  expect(verified.isValid).toBe(false);
  expect(JSON.stringify(verified)).toContain('Simulation failed');
});

test('a frozen payer does not pass the simulation', async () => {
  const payment = await createPayment(toRequirements());
  await chain.freezeUsdc(payer.publicKey);
  const verified = await (await createFacilitator()).verify(payment, toRequirements());
  expect(verified.isValid).toBe(false);
});

test('an expired payment does not pass the simulation', async () => {
  const payment = await createPayment(toRequirements());
  chain.expireBlockhashes();
  const verified = await (await createFacilitator()).verify(payment, toRequirements());
  expect(JSON.stringify(verified)).toContain('BlockhashNotFound');
});

test('a settled payment does not pass the simulation again', async () => {
  const payment = await createPayment(toRequirements());
  expect(await (await createFacilitator()).settle(payment, toRequirements())).toMatchObject({ success: true });
  const verified = await (await createFacilitator()).verify(payment, toRequirements());
  expect(JSON.stringify(verified)).toContain('AlreadyProcessed');
});
