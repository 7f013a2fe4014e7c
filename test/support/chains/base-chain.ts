/** A fresh Base network for one test file, with what tests of money on it need. Nothing of it outlives `close`. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type Hex, createPublicClient, defineChain, encodeFunctionData, http, parseAbi } from 'viem';
import { type PrivateKeyAccount, generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { coinOf, type EvmNetwork } from '../../../core/networks.ts';
import { type MicroUsdc, ZERO_USDC } from '../../../core/money.ts';
import { compileContracts } from '../../../local/evm/compile.ts';
import { installContract, withConstructorAddress } from '../../../local/evm/contracts.ts';
import { MULTICALL3_ADDRESS } from '../../../local/evm/multicall.ts';
import { startLocalEvm } from '../../../local/evm/network.ts';
import { postJson } from '../../../local/processes/post.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { startPacemaker } from './pacemaker.ts';

/** A network's local chain as viem wants to know it. */
export const testChainOf = (network: EvmNetwork) =>
  defineChain({
    id: evmProfile(network, 'local').chainId,
    name: `local ${network}`,
    nativeCurrency: { name: coinOf(network), symbol: coinOf(network), decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: MULTICALL3_ADDRESS } },
  });

export const testBase = testChainOf('base');

export const SMART_WALLET_ABI = parseAbi([
  'function owner() view returns (address)',
  'function setBurning(bool burning)',
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
]);

export type BaseChain = Awaited<ReturnType<typeof startEvmChain>>;

/** What viem asks while it waits for receipts, without the cost of a real fetch. */
const fetchByPost = (url: string) => async (_url: unknown, init?: RequestInit) => {
  if (typeof init?.body !== 'string') throw new Error('viem is expected to post a text');
  const { status, text } = await postJson(url, init.body);
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
};

/**
 * What is sent is in a block within `blockTimeMs`, or when it is mined with 0. The clock of the chain is the real one until
 * `advanceTime`.
 */
export const startBaseChain = (options: { blockTimeMs?: number } = {}) => startEvmChain('base', options);

/** The same for any network of the family. */
export async function startEvmChain(network: EvmNetwork, { blockTimeMs = 200 }: { blockTimeMs?: number } = {}) {
  const dir = await mkdtemp(join(tmpdir(), `pennypost-${network}-`));
  const localBase = await startLocalEvm({ network, dir, blockTimeMs: 0 });
  const { rpcUrl } = localBase;
  const pacemaker =
    blockTimeMs > 0 ? startPacemaker(rpcUrl, { soonMs: blockTimeMs / 2, followMs: blockTimeMs, following: 3 }) : null;
  const client = createPublicClient({
    chain: testChainOf(network),
    transport: http(rpcUrl, { fetchFn: fetchByPost(rpcUrl) }),
    pollingInterval: 50,
    cacheTime: 0,
  });
  const rpc = (method: string, ...params: unknown[]) => callRpc(rpcUrl, method, params);
  const latestTimestamp = async () => (await client.getBlock()).timestamp;

  return {
    ...localBase,
    client,
    /** Any call, also anvil's own. */
    rpc,
    mine: (blocks = 1) => rpc('anvil_mine', `0x${blocks.toString(16)}`),
    /** No block comes by itself until they are released. */
    holdBlocks: async () => pacemaker?.hold(),
    releaseBlocks: () => pacemaker?.release(),
    /** Replaces the newest blocks by empty ones. Their transactions are gone, also from the pool. */
    async reorg(depth: number) {
      const before = await latestTimestamp();
      await rpc('anvil_reorg', depth, []);
      // anvil sets its clock back to the common block, for good.
      await rpc('evm_setTime', `0x${before.toString(16)}`);
    },
    async advanceTime(seconds: number) {
      await rpc('evm_increaseTime', `0x${seconds.toString(16)}`);
      await rpc('anvil_mine', '0x1');
    },
    latestTimestamp,
    /** The sender of every transaction in these blocks, both ends included. */
    async sendersOf({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }): Promise<Address[]> {
      const numbers = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, index) => fromBlock + BigInt(index));
      const blocks = await Promise.all(
        numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
      );
      return blocks.flatMap((block) => block.transactions.map((transaction) => transaction.from));
    },
    /** A new key, with 1 ETH and no USDC unless told otherwise. */
    async createAccount({ usdc = ZERO_USDC, wei = 10n ** 18n }: { usdc?: MicroUsdc; wei?: bigint } = {}) {
      const account = privateKeyToAccount(generatePrivateKey());
      if (wei > 0n) await localBase.fundEth(account.address, wei);
      if (usdc > 0n) await localBase.fundUsdc(account.address, usdc);
      return account;
    },
    /** A wallet with code whose signatures are its owner's; `setBurning` makes it burn all gas when it is asked. */
    async deploySmartWallet(owner: Address): Promise<Address> {
      const address: Address = `0x${randomBytes(20).toString('hex')}`;
      const { SmartWallet } = await compileContracts();
      await installContract(rpcUrl, address, withConstructorAddress(SmartWallet, owner));
      return address;
    },
    setBurning: (wallet: Address, burning: boolean) =>
      localBase.sendAsAdmin(
        encodeFunctionData({ abi: SMART_WALLET_ABI, functionName: 'setBurning', args: [burning] }),
        wallet,
      ),
    async close() {
      await pacemaker?.hold();
      await localBase.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type Authorization = {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
};

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;

export function usdcDomainOf(network: EvmNetwork) {
  const { eip712Name: name, eip712Version: version, chainId, usdc: verifyingContract } = evmProfile(network, 'local');
  return { name, version, chainId, verifyingContract } as const;
}

export const USDC_DOMAIN = usdcDomainOf('base');

/** An authorization that is valid for the next ten minutes, with a random nonce, unless told otherwise. */
export function toAuthorization(fields: Pick<Authorization, 'from' | 'to' | 'value'> & Partial<Authorization>) {
  const now = BigInt(Math.floor(Date.now() / 1000));
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`;
  return { validAfter: 0n, validBefore: now + 600n, nonce, ...fields } satisfies Authorization;
}

/** What the payer signs; `signer` is the payer, or the owner of a payer with code. */
export function signAuthorization(
  signer: PrivateKeyAccount,
  message: Authorization,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
  domain: ReturnType<typeof usdcDomainOf> = USDC_DOMAIN,
): Promise<Hex> {
  const types = { TransferWithAuthorization: FIELDS, ReceiveWithAuthorization: FIELDS } as const;
  return signer.signTypedData({ domain, types, primaryType, message });
}

export function signCancellation(signer: PrivateKeyAccount, message: { authorizer: Address; nonce: Hex }) {
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const;
  return signer.signTypedData({ domain: USDC_DOMAIN, types, primaryType: 'CancelAuthorization', message });
}
