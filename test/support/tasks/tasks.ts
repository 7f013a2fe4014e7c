/** Tasks as an agent opens them, and the plain transfers that pay for them. */
import { randomBytes, randomInt } from 'node:crypto';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Network } from '../../../core/networks.ts';
import { requestHash } from '../../../core/request-hash.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTask, type NewTask, type OfferRow, type OpenTaskResult } from '../../../db/tasks/open.ts';
import { memo, toTransaction, usdcTransfer } from '../../local/solana/transfers.ts';
import { testBase, type BaseChain } from '../chains/base-chain.ts';
import { USDC } from '../pay.ts';
import type { SolanaChain } from '../chains/solana-chain.ts';

export const newTaskId = () => `task_${randomBytes(16).toString('hex')}`;

export type TestTask = {
  receiver?: string;
  amount?: number;
  fee?: bigint;
  networks: NewTask['networks'];
} & Partial<
  Pick<
    NewTask,
    'id' | 'caller' | 'unpaidMax' | 'refundAddresses' | 'nowMs' | 'claimTtlMs' | 'skill' | 'params' | 'operation'
  >
>;

/** Opens a task that pays a recipient on X. */
export async function open(
  store: Store,
  task: TestTask,
  pick: (below: number) => number = (below) => randomInt(below),
): Promise<OpenTaskResult> {
  const { receiver = 'alice', amount = 1, fee = 0n, ...rest } = task;
  const params = { receiver, amount };
  return openTask(
    store,
    {
      id: newTaskId(),
      skill: 'pennypost.pay.x',
      operation: 'a2a.pay',
      platform: 'x',
      params,
      requestHash: requestHash('a2a.pay', { platform: 'x' }, params),
      caller: '203.0.113.7',
      unpaidMax: 20,
      agentKnown: false,
      sumMicroUsdc: BigInt(Math.round(amount * 1_000_000)),
      feeMicroUsdc: fee,
      refundAddresses: [],
      claimTtlMs: 30 * 86_400_000,
      nowMs: Date.now(),
      ...rest,
    },
    pick,
  );
}

export async function mustOpen(store: Store, task: TestTask, pick?: (below: number) => number) {
  const result = await open(store, task, pick);
  if (result.kind !== 'opened') throw new Error(`expected an open task, found ${result.kind}`);
  return result;
}

export function offerOn(offers: readonly OfferRow[], network: Network): OfferRow {
  const offer = offers.find((one) => one.network === network);
  if (offer === undefined) throw new Error(`the task is not offered on ${network}`);
  return offer;
}

const toTransfer = (to: string, value: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, value] });

const walletOf = (chain: BaseChain, account: PrivateKeyAccount) =>
  createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });

/** A plain transfer of USDC, as any wallet makes it; answers its hash once it is in a block. */
export async function transferOnBase(
  chain: BaseChain,
  from: PrivateKeyAccount,
  to: string,
  value: bigint,
): Promise<Hex> {
  return sendOnBase(chain, from, toTransfer(to, value));
}

/** The same without waiting for its block. */
export async function sendSoon(
  chain: BaseChain,
  from: PrivateKeyAccount,
  { to, value, nonce }: { to: string; value: bigint; nonce: number },
): Promise<Hex> {
  return walletOf(chain, from).sendTransaction({ to: USDC, data: toTransfer(to, value), nonce, gas: 100_000n });
}

/** A call to USDC in a transaction of this account. */
export async function sendOnBase(chain: BaseChain, from: PrivateKeyAccount, data: Hex): Promise<Hex> {
  const hash = await walletOf(chain, from).sendTransaction({ to: USDC, data });
  await chain.client.waitForTransactionReceipt({ hash });
  return hash;
}

/** The bytes of such a transfer, to be sent more than once. */
export async function signOnEvm(chain: BaseChain, from: PrivateKeyAccount, to: string, value: bigint): Promise<Hex> {
  const wallet = walletOf(chain, from);
  const request = await wallet.prepareTransactionRequest({ to: USDC, data: toTransfer(to, value) });
  return wallet.signTransaction(request);
}

/** The same on Solana, with a memo where one is given; answers its signature. */
export async function transferOnSolana(
  chain: SolanaChain,
  from: Keypair,
  to: string,
  value: bigint,
  note: string | null = null,
): Promise<string> {
  const connection = chain.connection();
  const { blockhash } = await connection.getLatestBlockhash();
  const instructions = [usdcTransfer(from.publicKey, new PublicKey(to), value), ...(note === null ? [] : [memo(note)])];
  const transaction = toTransaction({ payer: from, instructions, blockhash });
  return connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
}
