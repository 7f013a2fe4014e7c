/** A payer with the unmodified x402 client, as an agent's host would hold one. */
import { randomBytes } from 'node:crypto';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { x402Client } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { Network } from '../../../core/networks.ts';
import type { Service } from '../../../service/start.ts';
import { fundOn, rpcUrlOf } from '../../support/served.ts';

export type Wallet = {
  address: string;
  /** Signs what is asked for, each time anew. */
  sign: (paymentRequired: unknown) => Promise<PaymentPayload>;
};

/** `funded: false` for one that holds nothing. */
export async function openWallet(service: Service, network: Network, { funded = true } = {}): Promise<Wallet> {
  return network === 'base' ? openOnBase(service, funded) : openOnSolana(service, funded);
}

async function openOnBase({ environment }: Service, funded: boolean): Promise<Wallet> {
  const signer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  if (funded) await fundOn({ environment }, 'base', signer.address);
  return {
    address: signer.address.toLowerCase(),
    sign: signWith(registerExactEvmScheme(new x402Client(), { signer })),
  };
}

async function openOnSolana({ environment }: Service, funded: boolean): Promise<Wallet> {
  const keypair = Keypair.generate();
  const address = keypair.publicKey.toBase58();
  if (funded) await fundOn({ environment }, 'solana', address);
  const signer = await createKeyPairSignerFromBytes(keypair.secretKey);
  const reference = solanaProfile('local').caip2.slice('solana:'.length);
  const scheme = new ExactSvmScheme(signer, { rpcUrl: rpcUrlOf({ environment }, 'solana') });
  return { address, sign: signWith(new x402Client().register(`solana:${reference}`, scheme)) };
}

function signWith(client: x402Client) {
  return (paymentRequired: unknown) => client.createPaymentPayload(paymentRequired as PaymentRequired);
}
