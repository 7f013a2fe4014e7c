/** Two nodes of one chain, of which one lies. What the first says alone is believed: each case shows that, too. */
import { keccak256, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { compareEvm, type ComparedEvm } from '../../../../chain/evm/rpc/compared.ts';
import { evmProfile } from '../../../../chain/evm/rpc/profile.ts';
import { createEvmRpc, type EvmRpc } from '../../../../chain/evm/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { startBaseChain, type BaseChain } from '../../../support/chains/base-chain.ts';
import { startRpcProxy, type RpcProxy } from '../../../support/chains/rpc-proxy.ts';

const PROFILE = evmProfile('base', 'local');
const OWNER: Hex = '0x00000000000000000000000000000000000a11ce';
const ASKED = ['eth_getLogs', 'eth_getTransactionReceipt', 'eth_getBlockByNumber', 'eth_call', '*'];

let chain: BaseChain;
let proxies: { first: RpcProxy; second: RpcProxy };
let alone: EvmRpc;
let compared: ComparedEvm;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
  proxies = { first: await startRpcProxy(chain.rpcUrl), second: await startRpcProxy(chain.rpcUrl) };
  const connect = ({ url }: RpcProxy) => createEvmRpc({ url, timeoutMs: 2_000, profile: PROFILE });
  alone = connect(proxies.first);
  compared = compareEvm(alone, connect(proxies.second), () => undefined);
  const funded = chain.fundUsdc(OWNER, microUsdc(5n));
  await chain.mine();
  await funded;
});
afterEach(() => {
  for (const proxy of Object.values(proxies)) for (const method of ASKED) proxy.fail(method, { kind: 'drop' }).heal();
});
afterAll(async () => {
  await Promise.all([proxies.first.close(), proxies.second.close()]);
  await chain.close();
});

const CONTRADICTED = { fault: 'contradicted' };
const INCONSISTENT = { fault: 'inconsistent' };

async function paidBlock(): Promise<{ block: number; blockHash: Hex; transaction: Hex }> {
  const { latest } = await alone.head();
  const [log] = await alone.transfersTouching([OWNER], 0, latest.number);
  if (log === undefined) throw new Error('the transfer is not there');
  return log as { block: number; blockHash: Hex; transaction: Hex };
}

test('two nodes that say the same are one', async () => {
  const { block, blockHash, transaction } = await paidBlock();
  const { rpc } = compared;
  expect(await rpc.head()).toEqual(await alone.head());
  expect(await rpc.blocks(0, block)).toEqual(await alone.blocks(0, block));
  expect(await rpc.transfersInBlock([OWNER], blockHash)).toEqual(await alone.transfersInBlock([OWNER], blockHash));
  expect(await rpc.receipts([transaction])).toEqual(await alone.receipts([transaction]));
  expect(await rpc.balanceOf(OWNER, block)).toBe(5n);
  const keys = [{ authorizer: OWNER, nonce: keccak256('0x01') }];
  expect(await rpc.authorizationStates(keys, block)).toEqual([false]);
  expect(await rpc.authorizationStates(keys, 'latest')).toEqual([false]);
});

test.each(['first', 'second'] as const)('logs that the %s node leaves out are no answer', async (liar) => {
  const { block, blockHash } = await paidBlock();
  const lie = proxies[liar].fail('eth_getLogs', { kind: 'empty_logs' });
  if (liar === 'first') expect(await alone.transfersTouching([OWNER], 0, block)).toEqual([]);
  await expect(compared.rpc.transfersTouching([OWNER], 0, block)).rejects.toMatchObject(CONTRADICTED);
  await expect(compared.rpc.transfersInBlock([OWNER], blockHash)).rejects.toMatchObject(CONTRADICTED);
  expect(lie.fired()).toBeGreaterThan(1);
  lie.heal();
  expect(await compared.rpc.transfersTouching([OWNER], 0, block)).toHaveLength(1);
});

test.each(['first', 'second'] as const)('a receipt that the %s node denies is no answer', async (liar) => {
  const { transaction } = await paidBlock();
  const lie = proxies[liar].fail('eth_getTransactionReceipt', { kind: 'no_receipt' });
  if (liar === 'first') expect(await alone.receipts([transaction])).toEqual([null]);
  await expect(compared.rpc.receipts([transaction])).rejects.toMatchObject(CONTRADICTED);
  expect(lie.fired()).toBeGreaterThan(0);
});

test.each(['first', 'second'] as const)('a block that the %s node made up is no answer', async (liar) => {
  const { block } = await paidBlock();
  const lie = proxies[liar].fail('eth_getBlockByNumber', { kind: 'other_hash' });
  const [real] = await createEvmRpc({ url: chain.rpcUrl, timeoutMs: 2_000, profile: PROFILE }).blocks(block, block);
  if (liar === 'first') expect((await alone.blocks(block, block))[0]?.hash).not.toBe(real?.hash);
  await expect(compared.rpc.blocks(block, block)).rejects.toMatchObject(CONTRADICTED);
  await expect(compared.rpc.head()).rejects.toMatchObject(CONTRADICTED);
  await expect(compared.rpc.latest()).rejects.toMatchObject(CONTRADICTED);
  expect(lie.fired()).toBeGreaterThan(0);
});

test.each(['first', 'second'] as const)(
  'an authorization and a balance that the %s node makes up are no answer',
  async (liar) => {
    const { block } = await paidBlock();
    const lie = proxies[liar].fail('eth_call', { kind: 'other_word' });
    if (liar === 'first') expect(await alone.balanceOf(OWNER, block)).not.toBe(5n);
    await expect(compared.rpc.balanceOf(OWNER, block)).rejects.toMatchObject(CONTRADICTED);
    const keys = [{ authorizer: OWNER, nonce: keccak256('0x02') }];
    if (liar === 'first') expect(await alone.authorizationStates(keys, block)).toEqual([true]);
    await expect(compared.rpc.authorizationStates(keys, block)).rejects.toMatchObject(CONTRADICTED);
    expect(lie.fired()).toBeGreaterThan(1);
  },
);

test('the head is the block that both know, whichever lags', async () => {
  const before = await alone.head();
  const { number } = before.latest;
  const behind = { ...alone, head: async () => before, latest: async () => before.latest, blocks: upTo(number) };
  await chain.mine(3);
  for (const [one, two] of [
    [alone, behind],
    [behind, alone],
  ] as const) {
    const { rpc, comparison } = compareEvm(one, two, () => undefined);
    expect(await rpc.head()).toEqual(before);
    expect(await rpc.latest()).toEqual(before.latest);
    expect(await rpc.blocks(number, number + 3)).toHaveLength(1);
    await expect(
      compareEvm({ ...one, transfersTouching: async () => [] }, two, () => undefined).rpc.transfersTouching(
        [OWNER],
        0,
        number + 3,
      ),
    ).rejects.toMatchObject(INCONSISTENT);
    expect([comparison.disagrees(), comparison.compares()]).toEqual([false, true]);
  }
});

const upTo =
  (last: number): EvmRpc['blocks'] =>
  (from, to) =>
    alone.blocks(from, Math.min(to, last));
