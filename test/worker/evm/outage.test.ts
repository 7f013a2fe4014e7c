/** Why a network leaves the terms, each seen on a chain that is as it says. */
import { pino } from 'pino';
import { encodeFunctionData, numberToHex, type Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { createLane, createTreasurySigner } from '../../../chain/signing/evm.ts';
import { localEvmKey } from '../../../chain/signing/keys.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import { rememberHeads } from '../../../chain/evm/heads.ts';
import { watchEvm } from '../../../worker/evm/outage.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';

const PROFILE = evmProfile('base', 'local');
const keyOf = (digit: number) => `0x${`${digit}`.repeat(64)}` as const;
const LANES = [keyOf(1), keyOf(2)].map((key) => createLane(localEvmKey(key), PROFILE));
const GWEI = 10n ** 9n;

let chain: BaseChain;
/** How far this computer's clock is ahead of the chain's. */
let aheadMs: number;
let newestMs: number;
const treasury = createTreasurySigner(localEvmKey(keyOf(3)), PROFILE);

beforeAll(async () => {
  chain = await startBaseChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  aheadMs = 0;
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(GWEI / 1_000n));
  await chain.mine();
  await fill(10n ** 18n, 10n ** 18n);
});

const fill = (...wei: bigint[]) =>
  Promise.all(LANES.map(({ address }, index) => chain.rpc('anvil_setBalance', address, numberToHex(wei[index] ?? 0n))));

async function look() {
  newestMs = Number(await chain.latestTimestamp()) * 1_000;
  const rpc = createEvmRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile: PROFILE });
  const now = () => newestMs + aheadMs;
  const watch = watchEvm({
    heads: rememberHeads(rpc),
    profile: PROFILE,
    treasury,
    lanes: LANES,
    now,
    log: pino({ level: 'silent' }),
  });
  return { outage: await watch.findOutage(), dry: LANES.filter(watch.isDry), coins: watch.coins() };
}

const asAdmin = (functionName: 'pause' | 'unpause' | 'blacklist' | 'unBlacklist', ...args: Address[]) =>
  chain.sendAsAdmin(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName, args } as never));

test('a chain that settles payments has none', async () => {
  const level = { role: 'lane', units: 10n ** 9n, leastUnits: expect.any(BigInt) as unknown };
  const coins = LANES.map(({ address }) => ({ ...level, address }));
  expect(await look()).toEqual({ outage: null, dry: [], coins });
});

test('USDC is paused by its issuer', async () => {
  await asAdmin('pause');
  expect(await look()).toMatchObject({ outage: 'token_paused' });
  await asAdmin('unpause');
  expect(await look()).toMatchObject({ outage: null });
});

test('the issuer bars the treasury', async () => {
  await asAdmin('blacklist', treasury.address);
  expect(await look()).toMatchObject({ outage: 'treasury_barred' });
  await asAdmin('unBlacklist', treasury.address);
  expect(await look()).toMatchObject({ outage: null });
});

test('one lane without gas money is left out, and all of them are an outage', async () => {
  await fill(1n, 10n ** 18n);
  expect(await look()).toMatchObject({ outage: null, dry: [LANES[0]], coins: [{ units: 0n }, { units: 10n ** 9n }] });
  await fill(1n, 1n);
  expect(await look()).toMatchObject({ outage: 'no_gas', dry: LANES });
});

test('gas costs more than the limit', async () => {
  // An empty block that comes meanwhile lowers it by an eighth.
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(2n * PROFILE.rules.feeMax));
  await chain.mine();
  expect(await look()).toMatchObject({ outage: 'fees' });
});

test.each([10, -10])('this computer’s clock is %i minutes off', async (minutes) => {
  aheadMs = minutes * 60_000;
  expect(await look()).toMatchObject({ outage: 'clock' });
  aheadMs = Math.sign(minutes) * 119_000;
  expect(await look()).toMatchObject({ outage: null });
});

test('blocks take too long to become safe', async () => {
  // An empty block that comes meanwhile makes the late one safe.
  await expect
    .poll(async () => {
      await chain.advanceTime(PROFILE.rules.lagMaxSeconds + 1);
      return look();
    })
    .toMatchObject({ outage: 'finality' });
});
