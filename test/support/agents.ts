/** Payers of a running service as agents are: they sign what is asked for with the stock client of x402, or transfer it. */
import { randomBytes } from 'node:crypto';
import { x402Client } from '@x402/core/client';
import type { PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { createWalletClient, encodeFunctionData, erc20Abi, http, type Hex, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Network } from '../../core/networks.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import type { Service } from '../../service/start.ts';
import { memo, toTransaction, usdcTransfer } from '../local/solana/transfers.ts';
import { testBase } from './chains/base-chain.ts';
import { USDC } from './pay.ts';
import { fundOn, rpcUrlOf } from './served.ts';

const TRANSFER_GAS = 100_000n;

export type AgentWallet = {
  address: string;
  sign: (required: unknown) => Promise<Record<string, unknown>>;
  /** A plain transfer, as any wallet makes it; answers its hash. */
  transfer: (to: string, microUsdc: bigint, note?: string) => Promise<string>;
};

/** A new wallet with play money, on the network that the test wants. */
export async function createAgentWallet(service: Service, network: Network): Promise<AgentWallet> {
  return network === 'base' ? onBase(service) : onSolana(service);
}

async function onBase({ environment }: Service): Promise<AgentWallet> {
  const signer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  await fundOn({ environment }, 'base', signer.address);
  const client = clientOnBase(signer);
  const rpcUrl = rpcUrlOf({ environment }, 'base');
  return {
    address: signer.address,
    sign: (required) => sign(client, required, /^base$|^eip155:/),
    async transfer(to, microUsdc) {
      await callRpc(rpcUrl, 'anvil_setBalance', [signer.address, '0xde0b6b3a7640000']);
      const wallet = createWalletClient({ account: signer, chain: testBase, transport: http(rpcUrl) });
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, microUsdc] });
      // No estimate: the first transfer to an empty address needs more gas than those behind it, and blocks order by fee.
      return wallet.sendTransaction({ to: USDC, data, gas: TRANSFER_GAS });
    },
  };
}

async function onSolana({ environment }: Service): Promise<AgentWallet> {
  const payer = Keypair.generate();
  await fundOn({ environment }, 'solana', payer.publicKey.toBase58());
  const rpcUrl = rpcUrlOf({ environment }, 'solana');
  const client = await clientOnSolana(payer.secretKey, rpcUrl);
  return {
    address: payer.publicKey.toBase58(),
    sign: (required) => sign(client, required, /^solana/),
    async transfer(to, microUsdc, note) {
      await callRpc(rpcUrl, 'local_airdrop', [payer.publicKey.toBase58(), '1000000000']);
      const connection = new Connection(rpcUrl, 'confirmed');
      const { blockhash } = await connection.getLatestBlockhash();
      const moved = usdcTransfer(payer.publicKey, new PublicKey(to), microUsdc);
      const instructions = note === undefined ? [moved] : [moved, memo(note)];
      const transaction = toTransaction({ payer, instructions, blockhash });
      return connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    },
  };
}

export function clientOnBase(signer: PrivateKeyAccount): x402Client {
  return registerExactEvmScheme(new x402Client(), { signer });
}

export async function clientOnSolana(secretKey: Uint8Array, rpcUrl: string): Promise<x402Client> {
  const signer = await createKeyPairSignerFromBytes(secretKey);
  const client = new x402Client();
  const { caip2 } = solanaProfile('local');
  client.register(`solana:${caip2.slice('solana:'.length)}`, new ExactSvmScheme(signer, { rpcUrl }));
  client.registerV1('solana', new ExactSvmSchemeV1(signer, { rpcUrl }));
  return client;
}

export async function sign(client: x402Client, required: unknown, network: RegExp): Promise<Record<string, unknown>> {
  const asked = required as PaymentRequired;
  const accepts = asked.accepts.filter((terms) => network.test(terms.network));
  return { ...(await client.createPaymentPayload({ ...asked, accepts })) };
}
