/** Pays a running service as a stranger would: with play money, on the network that the test wants. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { privateKeyToAccount } from 'viem/accounts';
import type { Network } from '../../core/networks.ts';
import type { Service } from '../../service/start.ts';
import { makeProof, post } from './pay.ts';
import { makeSolanaProof } from './chains/solana-pay.ts';
import { basePartsOf, fundOn, rpcUrlOf, solanaPartsOf } from './served.ts';

/** A proof of a new payer who has just been given play money. */
export async function proofFrom(service: Service, network: Network, microUsdc: bigint): Promise<string> {
  return network === 'base' ? baseProof(service, microUsdc) : solanaProof(service, microUsdc);
}

type Order = { receiver: string; amount: number; description?: string; meta?: Record<string, string> };

/** One payment that must be accepted, however late; answers what the payer is told. Some platforms are for bots alone. */
export async function payFrom(
  service: Service,
  network: Network,
  platform: string,
  order: Order,
  headers: Record<string, string> = {},
) {
  const header = await proofFrom(service, network, BigInt(Math.round(order.amount * 1_000_000)));
  const send = () =>
    post(`${service.url}/payments/${platform}/pay`, order, { 'PAYMENT-SIGNATURE': header, ...headers });
  let reply = await send();
  for (let tries = 1; reply.body['error'] === 'settlement_pending' && tries < 10; tries += 1) reply = await send();
  if (reply.status !== 200) throw new Error(`expected a payment, found ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

async function baseProof(service: Service, value: bigint): Promise<string> {
  const signer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  await fundOn(service, 'base', signer.address);
  return makeProof({ from: signer.address, signer, payTo: basePartsOf(service).treasury.address, value });
}

async function solanaProof(service: Service, value: bigint): Promise<string> {
  const { treasury, feePayer } = solanaPartsOf(service);
  const payer = Keypair.generate();
  await fundOn(service, 'solana', payer.publicKey.toBase58());
  const terms = { payTo: treasury.address, feePayer: feePayer.address, value };
  return makeSolanaProof(payer, rpcUrlOf(service, 'solana'), terms);
}
