/** What an idle network asks its node, and what it still finds out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Head } from '../../../chain/evm/rpc/chain-reads.ts';
import type { EvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { rememberHeads } from '../../../chain/evm/heads.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const BLOCK_MS = 200;
const BLOCKS = 20;

const headAt = (number: number) => {
  const block = (at: number) => ({ number: at, hash: `0x${at}`, parentHash: `0x${at - 1}`, time: at });
  return { latest: block(number), safe: block(number - 5), finalized: block(number - 9) } as unknown as Head;
};

function node() {
  const state = { nowMs: 0, number: 100, asked: [] as string[] };
  const plain = {
    latest: async () => (state.asked.push('latest'), headAt(state.number).latest),
    head: async () => (state.asked.push('head'), headAt(state.number)),
  } as unknown as EvmRpc;
  const asked = () => state.asked.splice(0);
  return { state, asked, heads: rememberHeads(plain, () => state.nowMs) };
}

test('safe and finalized are asked for when what is known is too old for the one who asks', async () => {
  const { state, asked, heads } = node();
  await heads.forScan(5_000);
  expect(asked()).toEqual(['head']);
  state.nowMs = 4_000;
  state.number = 102;
  const { latest, safe } = await heads.forScan(5_000);
  expect([latest.number, safe.number, asked()]).toEqual([102, 95, ['latest']]);
  // Just read by the scan.
  expect((await heads.recent(2_500)).latest.number).toBe(102);
  expect(asked()).toEqual([]);
  await heads.forScan(1_000);
  expect(asked()).toEqual(['head']);
  state.nowMs = 40_000;
  await heads.recent(2_500);
  expect(asked()).toEqual(['head']);
});

test('a node that is behind what was safe is not believed', async () => {
  const { state, heads } = node();
  await heads.forScan(5_000);
  state.number = 90;
  state.nowMs = 1_000;
  await expect(heads.forScan(5_000)).rejects.toThrow('eth_getBlockByNumber');
});

let chain: BaseChain;
let service: TestService;
const calls = new Map<string, number>();
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: BLOCK_MS });
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey()] },
    decorateWorker: (worker) => ({
      ...worker,
      rpc: counted(worker.rpc),
      // Rests for three seconds, in which fifteen blocks come.
      pace: { ...worker.pace, blockMs: 600, idleEveryMs: 3_000 },
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

function counted(rpc: EvmRpc): EvmRpc {
  const note = (name: string) => calls.set(name, (calls.get(name) ?? 0) + 1);
  return {
    ...rpc,
    latest: () => (note('latest'), rpc.latest()),
    head: () => (note('head'), rpc.head()),
    blocks: (from, to) => (note('blocks'), rpc.blocks(from, to)),
  };
}

/** At the pace of the chain, which by itself makes few while nothing is sent. */
async function passBlocks(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    await chain.mine();
    await sleep(BLOCK_MS);
  }
}

test('an idle network asks for finality once in some blocks; a payment still becomes final, and is paid at once', async () => {
  const account = await chain.createAccount({ usdc: microUsdc(5_000_000n), wei: 0n });
  const pay = async () => {
    const payTo = service.parts.treasury.address;
    const proof = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    return post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': proof });
  };
  await passBlocks(5);
  calls.clear();
  await passBlocks(BLOCKS);
  expect(calls.get('head') ?? 0).toBeGreaterThan(0);
  expect(calls.get('head') ?? 0).toBeLessThan(BLOCKS / 2);
  expect((await pay()).status).toBe(200);
  const { payments } = service.store.tables;
  await eventually(async () => {
    expect(await service.store.read.select({ status: payments.status }).from(payments)).toEqual([{ status: 'final' }]);
  }, 60_000);
  expect((await pay()).status).toBe(200);
  await service.assertSound();
});
