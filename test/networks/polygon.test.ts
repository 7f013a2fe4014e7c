/**
 * What Polygon does and Base does not: no safe block, a high tip, finality that stands still, deep forks, fees that jump.
 * And that its profile is right: payments of the unmodified client, payouts, refunds, pay links, and a replaced treasury,
 * whose sweeps wait for its late finality. The other rules are those of its family, whose conformance suite runs on Base.
 */
import { eq } from 'drizzle-orm';
import { createWalletClient, encodeFunctionData, erc20Abi, http, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { findTask } from '../../db/tasks/find.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { testChainOf } from '../support/chains/base-chain.ts';
import { mustOpen, offerOn } from '../support/tasks/tasks.ts';
import { payingCases } from './cases/paying.ts';
import { rotatingCases } from './cases/rotating.ts';
import { openEvm, type EvmService, type EvmWorld } from './evm-world.ts';
import { cancel, freshHandle, freshOrder, link, payAlready, USDC, wireStatus } from './orders.ts';
import { createSuite } from './suite.ts';

const FORK_BLOCKS = 32;
const STALL_SECONDS = 600;

describe('on Polygon', () => {
  const suite = createSuite<EvmService, EvmWorld>('polygon', () => openEvm('polygon'));
  const { network, world, service, start, comeToRest } = suite;
  payingCases(suite, { showsCommonRules: false });

  const refusalOf = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(world().node.url, { method: 'POST', headers, body });
    return ((await answer.json()) as { error?: { message: string } }).error?.message;
  };

  const kindsOnTheirWay = async () => {
    const { read, tables } = service().store;
    const rows = await read.select().from(tables.carriers).where(eq(tables.carriers.status, 'open'));
    return rows.map(({ kind }) => kind).toSorted();
  };

  test('its node has no safe block, and takes no tip below 30 gwei', async () => {
    expect(await refusalOf('eth_getBlockByNumber', ['safe', false])).toBe('safe block not found');
    const account = privateKeyToAccount(generatePrivateKey());
    const fees = { gas: 21_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 29_999_999_999n } as const;
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: 137,
      nonce: 0,
      to: account.address,
      ...fees,
    });
    expect(await refusalOf('eth_sendRawTransaction', [raw])).toContain('minimum needed 30000000000');
  });

  test('a base fee that is 50 times as high from one block to the next keeps nobody’s payment or payout back', async () => {
    const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
    const [early, order] = [freshOrder(), freshOrder()];
    await payAlready(service(), payer, early);
    await comeToRest(service());
    // Both are signed before the block that costs so much.
    await world().holdBlocks();
    await world().node.multiplyBaseFee(50);
    const paying = payAlready(service(), payer, order);
    await link(service(), network, early.receiver, address);
    await eventually(async () => expect(await kindsOnTheirWay()).toEqual(['inbound', 'payout']));
    await world().releaseBlocks();
    await paying;
    await eventually(async () => expect(await world().usdcBalance(address)).toBe(USDC), 60_000);
    expect(await world().usdcBalance(payer.address)).toBe(0n);
    await comeToRest(service());
  });

  test('what nobody collected goes back to its payer, and a pay link’s task is paid by a plain transfer of its exact amount', async () => {
    const payer = await world().createPayer(USDC);
    const txnId = await payAlready(service(), payer, freshOrder());
    expect((await cancel(service(), payer, txnId)).status).toBe(200);
    const { chain } = world();
    const { transfers } = service().parts.apiNetwork;
    if (!transfers) throw new Error('tasks are not offered');
    const headBlock = (await transfers.head()) ?? 0;
    const networks = [{ network, address: transfers.address, headBlock }];
    const { task, offers } = await mustOpen(service().store, { receiver: freshHandle(), networks });
    const account = await chain.createAccount({ usdc: microUsdc(2n * USDC) });
    const wallet = createWalletClient({ account, chain: testChainOf('polygon'), transport: http(chain.rpcUrl) });
    const { amountMicroUsdc } = offerOn(offers, network);
    const args = [transfers.address as Hex, amountMicroUsdc] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    await wallet.sendTransaction({ to: chain.usdcAddress, data });
    await eventually(async () => expect(await world().usdcBalance(payer.address)).toBe(USDC), 60_000);
    await eventually(async () => expect((await findTask(service().store, task.id))?.payment).not.toBeNull(), 60_000);
    await comeToRest(service());
    expect(await wireStatus(service(), txnId)).toBe('refunded');
    expect(await world().usdcBalance(account.address)).toBe(2n * USDC - amountMicroUsdc);
  });

  rotatingCases(suite);

  // The last one: afterwards the chain's clock is ahead of everybody's.
  test('while finality stands still for ten minutes payments settle, and a fork of 32 blocks charges nobody twice', async () => {
    let skewMs = 0;
    const own = await start({ now: () => Date.now() + skewMs });
    const payer = await world().createPayer(3n * USDC);
    const { chain, node } = world();
    await node.stallFinality();
    await chain.advanceTime(STALL_SECONDS);
    skewMs = STALL_SECONDS * 1_000;
    // So that nothing which was final is taken back.
    await chain.mine(FORK_BLOCKS + 8);
    const txnIds = await Promise.all([freshOrder(), freshOrder()].map((order) => payAlready(own, payer, order)));
    await world().holdBlocks();
    await chain.reorg(FORK_BLOCKS);
    expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
    await world().releaseBlocks();
    await eventually(async () => expect(await world().usdcBalance(payer.address)).toBe(USDC), 60_000);
    node.resumeFinality();
    await comeToRest(own);
    const statuses = await Promise.all(txnIds.map((txnId) => wireStatus(own, txnId)));
    expect(statuses).toEqual(['pending_claim', 'pending_claim']);
    expect(await world().usdcBalance(payer.address)).toBe(USDC);
    await suite.assertBooksAreTheChain(own);
  });
});
