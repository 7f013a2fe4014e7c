/** What the settlement engine relies on when it runs against the local chain, and what tests do to that chain. */
import type { Address, Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { TRANSACTION_GAS_LIMIT } from '../../../local/evm/anvil-command.ts';
import { type BaseChain, startBaseChain } from '../../support/chains/base-chain.ts';

const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
const GWEI = 1_000_000_000n;

let chain: BaseChain;
let lane: PrivateKeyAccount;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
});
afterAll(() => chain?.close());
beforeEach(async () => {
  await chain.rpc('anvil_dropAllTransactions');
  lane = await chain.createAccount();
});

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; gas: bigint; value: bigint };

async function sign(nonce: number, fields: Partial<Fees> = {}): Promise<Hex> {
  const fees = { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI, gas: 21_000n, value: 1n, ...fields };
  return lane.signTransaction({ type: 'eip1559', chainId: 8453, nonce, to: RECIPIENT, ...fees });
}

const broadcast = async (raw: Hex) => (await chain.rpc('eth_sendRawTransaction', raw)) as Hex;

async function landed(hash: Hex): Promise<boolean> {
  return (await chain.rpc('eth_getTransactionReceipt', hash)) !== null;
}

test('safe is one and finalized is two blocks behind', async () => {
  await chain.mine(5);
  const [latest, safe, finalized] = await Promise.all(
    (['latest', 'safe', 'finalized'] as const).map((blockTag) => chain.client.getBlock({ blockTag })),
  );
  expect([safe!.number, finalized!.number]).toEqual([latest!.number - 1n, latest!.number - 2n]);
});

test('a transaction may ask for the gas limit of Base and not for more', async () => {
  await expect(broadcast(await sign(0, { gas: TRANSACTION_GAS_LIMIT + 1n }))).rejects.toThrow('intrinsic gas too high');
  expect(await broadcast(await sign(0, { gas: TRANSACTION_GAS_LIMIT }))).toMatch(/^0x/);
});

test('a reorganisation removes blocks, transactions, receipts and logs, and the same bytes land again', async () => {
  await chain.mine(3);
  const raw = await sign(0);
  const hash = await broadcast(raw);
  await chain.mine(2);
  const receipt = await chain.client.getTransactionReceipt({ hash });
  const headBefore = await chain.client.getBlockNumber();
  await chain.reorg(2);
  expect(await chain.client.getBlockNumber()).toBe(headBefore);
  expect(await landed(hash)).toBe(false);
  expect(await chain.rpc('eth_getTransactionByHash', hash)).toBe(null);
  expect(await chain.rpc('eth_getBlockByHash', receipt.blockHash, false)).toBe(null);
  expect((await chain.client.getBlock({ blockNumber: receipt.blockNumber })).hash).not.toBe(receipt.blockHash);
  expect(await chain.client.getTransactionCount({ address: lane.address })).toBe(0);
  expect(await broadcast(raw)).toBe(hash);
  await chain.mine();
  expect(await landed(hash)).toBe(true);
});

test('a reorganisation removes the logs of its blocks and keeps the clock', async () => {
  const { number: before } = await chain.client.getBlock();
  const payer = await chain.createAccount({ usdc: microUsdc(5n) });
  const query = { address: chain.usdcAddress, fromBlock: before, toBlock: 'latest' } as const;
  const [log] = await chain.client.getLogs(query);
  expect(log).toBeDefined();
  await chain.mine(20);
  await chain.advanceTime(100);
  const time = await chain.latestTimestamp();
  await chain.reorg(22);
  expect(await chain.client.getLogs(query)).toEqual([]);
  expect(await chain.usdcBalance(payer.address)).toBe(0n);
  await expect(chain.client.getLogs({ blockHash: log!.blockHash })).rejects.toThrow('unknown block');
  await chain.mine();
  expect(await chain.latestTimestamp()).toBeGreaterThanOrEqual(time);
});

test('another transaction at the same nonce must offer a higher fee cap', async () => {
  const first = await broadcast(await sign(0));
  await expect(broadcast(await sign(0, { value: 2n }))).rejects.toThrow('replacement transaction underpriced');
  const second = await broadcast(await sign(0, { value: 2n, maxFeePerGas: 2n * GWEI + 1n }));
  await expect(broadcast(await sign(0))).rejects.toThrow('replacement transaction underpriced');
  await chain.mine();
  expect([await landed(first), await landed(second)]).toEqual([false, true]);
});

test('the same bytes twice are refused as known while they wait, and by their nonce once mined', async () => {
  const raw = await sign(0);
  await broadcast(raw);
  await expect(broadcast(raw)).rejects.toThrow('transaction already imported');
  await chain.mine();
  await expect(broadcast(raw)).rejects.toThrow('nonce too low');
});

test('a waiting transaction whose fee cap falls below the base fee is forgotten, not kept', async () => {
  const hash = await broadcast(await sign(0));
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(3n * GWEI).toString(16)}`);
  await chain.mine();
  expect(await landed(hash)).toBe(false);
  expect(await chain.rpc('eth_getTransactionByHash', hash)).toBe(null);
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', '0x1');
  await chain.mine();
  expect(await landed(hash)).toBe(false);
  expect(await broadcast(await sign(0))).toBe(hash);
});

test('a gap in the nonces holds later transactions back until it is filled', async () => {
  const later = await broadcast(await sign(1));
  await chain.mine();
  expect(await landed(later)).toBe(false);
  expect(await chain.client.getTransactionCount({ address: lane.address, blockTag: 'pending' })).toBe(0);
  await broadcast(await sign(0));
  await chain.mine();
  expect(await landed(later)).toBe(true);
});

test('the pending tag sees what waits, the latest tag does not', async () => {
  const balance = (blockTag: 'latest' | 'pending') => chain.client.getBalance({ address: lane.address, blockTag });
  const before = await balance('latest');
  await broadcast(await sign(0, { value: 1_000n }));
  expect(await balance('latest')).toBe(before);
  expect(await balance('pending')).toBeLessThan(before);
  const count = (blockTag: 'latest' | 'pending') =>
    chain.client.getTransactionCount({ address: lane.address, blockTag });
  expect([await count('latest'), await count('pending')]).toEqual([0, 1]);
});

test('sendersOf names the sender of every transaction in a range of blocks', async () => {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n;
  await broadcast(await sign(0));
  await chain.mine();
  await broadcast(await sign(1));
  await chain.mine(2);
  const toBlock = await chain.client.getBlockNumber();
  const senders = await chain.sendersOf({ fromBlock, toBlock });
  expect(senders.map((sender) => sender.toLowerCase())).toEqual(Array(2).fill(lane.address.toLowerCase()));
});
