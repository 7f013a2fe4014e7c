import { randomBytes } from 'node:crypto';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { createWalletClient, encodeFunctionData, erc20Abi, http, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { toTransaction, usdcTransfer } from '../../local/solana/transfers.ts';
import { testBase } from '../../support/chains/base-chain.ts';
import { USDC } from '../../support/pay.ts';
import { type LocalChains } from '../../support/served.ts';

type Prepared = Record<string, unknown>;

/** A payer with a wallet of their own, who is not a visitor of ours. */
export type LinkPayer = {
  address: string;
  network: Network;
  /** What the page's script sends back after its wallet has signed; `isForged`: with another key. */
  sign: (prepared: Prepared, isForged?: boolean) => Promise<Record<string, unknown>>;
  transfer: (to: string, amount: bigint) => Promise<unknown>;
  /** As the chain says, which knows nothing of our books. */
  spent: () => Promise<bigint>;
};

const START = microUsdc(5_000_000n);
const WEI = 10n ** 18n;
const LAMPORTS = 1_000_000_000n;

/** `start`: what there is at first. */
export async function createLinkPayer(
  { base, solana }: LocalChains,
  network: Network,
  start: MicroUsdc = START,
): Promise<LinkPayer> {
  if (network === 'base') return onBase(base, start);
  if (solana === null) throw new Error('there is no Solana here');
  return onSolana(solana, start);
}

const newKey = (): Hex => `0x${randomBytes(32).toString('hex')}`;

async function onBase(base: LocalChains['base'], start: MicroUsdc): Promise<LinkPayer> {
  const account = privateKeyToAccount(newKey());
  const wallet = createWalletClient({ account, chain: testBase, transport: http(base.rpcUrl) });
  await base.fundUsdc(account.address, start);
  await base.fundEth(account.address, WEI);
  return {
    address: account.address,
    network: 'base',
    async sign({ typedData, nonce, validBefore }, isForged = false) {
      const signer = isForged ? privateKeyToAccount(newKey()) : account;
      const signature = await signer.signTypedData(typedData as Parameters<typeof account.signTypedData>[0]);
      return { signature, nonce, validBefore };
    },
    async transfer(to, amount) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, amount] });
      return wallet.sendTransaction({ to: USDC, data });
    },
    spent: async () => start - (await base.usdcBalance(account.address)),
  };
}

async function onSolana(solana: NonNullable<LocalChains['solana']>, start: MicroUsdc): Promise<LinkPayer> {
  const key = Keypair.generate();
  const address = key.publicKey.toBase58();
  const connection = new Connection(solana.rpcUrl, 'confirmed');
  await solana.fundUsdc(address, start);
  await solana.fundSol(address, LAMPORTS);
  return {
    address,
    network: 'solana',
    async sign({ transaction, blockhash, memo }, isForged = false) {
      const prepared = VersionedTransaction.deserialize(Buffer.from(String(transaction), 'base64'));
      prepared.sign([key]);
      const bytes = Buffer.from(prepared.serialize());
      // The wallet's signature is the second of two; the first place is the fee payer's.
      if (isForged) bytes.fill(7, 65, 129);
      return { transaction: bytes.toString('base64'), blockhash, memo };
    },
    async transfer(to, amount) {
      const { blockhash } = await connection.getLatestBlockhash();
      const instructions = [usdcTransfer(key.publicKey, new PublicKey(to), amount)];
      const transaction = toTransaction({ payer: key, instructions, blockhash });
      return connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    },
    spent: async () => start - (await solana.usdcBalance(address)),
  };
}
