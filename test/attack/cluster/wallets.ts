import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { x402Client } from '@x402/core/client';
import { privateKeyToAccount } from 'viem/accounts';
import { cancellationDomain, CANCELLATION_TYPES } from '../../../chain/evm/wallet-forms.ts';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { microUsdc } from '../../../core/money.ts';
import { clientOnBase, clientOnSolana, sign } from '../../support/agents.ts';
import type { Chain } from './evidence.ts';
import type { Installation } from './installation.ts';

const MONEY = microUsdc(20_000_000n);

export type Wallet = {
  address: string;
  /** Null while its network is out of the terms. Whatever else keeps the client from signing ends the run. */
  sign: (required: unknown) => Promise<Record<string, unknown> | null>;
  /** Null where it cannot take a payment back. */
  signCancellation: ((txnId: number, validBefore: number) => Promise<string>) | null;
};

/** A new wallet with play money, for one wish. */
export async function newWallet(chain: Chain, { base, solana, rpcUrls }: Installation): Promise<Wallet> {
  if (chain === 'base') {
    const account = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
    await base.fundUsdc(account.address, MONEY);
    const client = clientOnBase(account);
    return {
      address: account.address.toLowerCase(),
      sign: (required) => signIfOffered(client, required, /^base$|^eip155:/),
      signCancellation: (txnId, validBefore) =>
        account.signTypedData({
          domain: cancellationDomain(evmProfile('base', 'local')),
          types: CANCELLATION_TYPES,
          primaryType: 'Cancel',
          message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
        }),
    };
  }
  const keypair = Keypair.generate();
  await solana.fundUsdc(keypair.publicKey.toBase58(), MONEY);
  const client = await clientOnSolana(keypair.secretKey, rpcUrls.solana);
  return {
    address: keypair.publicKey.toBase58(),
    sign: (required) => signIfOffered(client, required, /^solana/),
    signCancellation: null,
  };
}

async function signIfOffered(client: x402Client, required: unknown, network: RegExp) {
  const { accepts } = required as { accepts: readonly { network: string }[] };
  return accepts.some((terms) => network.test(terms.network)) ? sign(client, required, network) : null;
}

/** What tells this proof from others on the chain: its nonce, or its payer's signature, which stands behind ours. */
export function keyOf(proof: Record<string, unknown>): string {
  const { authorization, transaction } = proof['payload'] as {
    authorization?: { nonce: string };
    transaction?: string;
  };
  return authorization?.nonce ?? toBase58(Buffer.from(transaction ?? '', 'base64').subarray(65, 129));
}
