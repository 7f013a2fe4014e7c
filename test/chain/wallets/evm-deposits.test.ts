import { type Address, createWalletClient, erc20Abi, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmDeposits } from '../../../chain/wallets/evm-deposits.ts';
import { microUsdc } from '../../../core/money.ts';
import { testBase } from '../../support/chains/base-chain.ts';
import { randomAddress } from '../evm/authorizations.ts';
import { lower, profile, startSettling, type Settling } from '../evm/settling.ts';

let settling: Settling;
beforeAll(async () => {
  settling = await startSettling();
});
afterAll(() => settling.close());

type Account = Awaited<ReturnType<Settling['chain']['createAccount']>>;

async function send(account: Account, to: Address, value: bigint) {
  const { chain } = settling;
  const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
  const args = [lower(to), value] as const;
  const hash = await wallet.writeContract({ address: profile.usdc, abi: erc20Abi, functionName: 'transfer', args });
  await chain.mine();
  return chain.client.getTransactionReceipt({ hash });
}

/** As far as nothing of it can be undone. */
async function settle(): Promise<number> {
  await settling.chain.mine(100);
  return (await settling.rpc.head()).safe.number;
}

test('what strangers send to these addresses is found with its transaction and time, and nothing that we sent', async () => {
  const { chain, rpc } = settling;
  const [stranger, ours] = await Promise.all([
    chain.createAccount({ usdc: microUsdc(9_000_000n) }),
    chain.createAccount({ usdc: microUsdc(9_000_000n) }),
  ]);
  const [alice, bob] = [randomAddress(), randomAddress()];
  const reads = createEvmDeposits(rpc, profile, [ours.address]);
  const from = (await rpc.head()).latest.number + 1;
  const first = await send(stranger, alice, 3_200_000n);
  await send(ours, alice, 1_000_000n);
  await send(stranger, alice, 0n);
  await send(stranger, randomAddress(), 500_000n);
  const second = await send(stranger, bob, 1n);
  const newest = await settle();
  expect(await reads.newestBlock()).toBe(newest);
  expect(newest).toBeGreaterThan(Number(second.blockNumber));
  // As people write it, with capital letters.
  const { found, upTo } = await reads.depositsTo([alice.toUpperCase().replace('0X', '0x'), bob], from, newest);
  expect(upTo).toBe(newest);
  const timeOf = async ({ blockNumber }: { blockNumber: bigint }) =>
    Number((await chain.client.getBlock({ blockNumber })).timestamp) * 1_000;
  expect(found).toEqual([
    {
      transaction: first.transactionHash,
      place: first.logs[0]?.logIndex,
      to: lower(alice),
      amount: 3_200_000n,
      atMs: await timeOf(first),
    },
    {
      transaction: second.transactionHash,
      place: second.logs[0]?.logIndex,
      to: lower(bob),
      amount: 1n,
      atMs: await timeOf(second),
    },
  ]);
});

test('the block before a time is before it, however fast blocks came', async () => {
  const { chain, rpc } = settling;
  const reads = createEvmDeposits(rpc, profile, []);
  const known = await rpc.head();
  // A hundred blocks a second: more than the chain's own pace says.
  await chain.rpc('anvil_mine', '0x12c', '0x0');
  await chain.advanceTime(60);
  const newest = await settle();
  const atMs = known.latest.time * 1_000;
  const block = await reads.blockBefore(atMs);
  const [header] = await rpc.blocks(block, block);
  expect([(header?.time ?? Infinity) * 1_000 <= atMs, block < newest]).toEqual([true, true]);
  // From before the chain: all of it.
  expect(await reads.blockBefore(0)).toBe(0);
});
