/** Pays a running service as a stranger would: with play money, on the network that the test wants. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { privateKeyToAccount } from 'viem/accounts';
import type { Network } from '../../core/networks.ts';
import type { Service } from '../../service/start.ts';
import { makeProof, post } from './pay.ts';
import { makeSolanaProof } from './solana-pay.ts';

/** A proof of a new payer who has just been given play money. */
export async function proofFrom(service: Service, network: Network, microUsdc: bigint): Promise<string> {
  return network === 'base' ? baseProof(service, microUsdc) : solanaProof(service, microUsdc);
}

type Order = { receiver: string; amount: number; description?: string };

/** One payment that must be accepted; answers what the payer is told. */
export async function payFrom(service: Service, network: Network, platform: string, order: Order) {
  const header = await proofFrom(service, network, BigInt(Math.round(order.amount * 1_000_000)));
  const reply = await post(`${service.url}/payments/${platform}/pay`, order, { 'PAYMENT-SIGNATURE': header });
  if (reply.status !== 200) throw new Error(`expected a payment, found ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

async function baseProof({ base, surroundings }: Service, value: bigint): Promise<string> {
  if (base === null) throw new Error('there is no Base');
  const signer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  await surroundings.faucet?.(signer.address);
  return makeProof({ from: signer.address, signer, payTo: base.treasury.address, value });
}

async function solanaProof({ solana, surroundings }: Service, value: bigint): Promise<string> {
  if (solana === null) throw new Error('there is no Solana');
  const payer = Keypair.generate();
  await surroundings.solanaFaucet?.(payer.publicKey.toBase58());
  const terms = { payTo: solana.treasury.address, feePayer: solana.feePayer.address, value };
  return makeSolanaProof(payer, surroundings.solana?.rpcUrl ?? '', terms);
}
