/**
 * Controls for what leaves on an EVM network beside payouts: each takes away one rule, with which the same scenario is
 * harmless, and shows the harm. The rule of death: only a finalized block after its window proves that an authorization
 * can never land. The rule of stops: a stop concerns our own money, and nobody else's.
 */
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CARRIERS } from '../../core/transfers/carriers.ts';
import { microUsdc } from '../../core/money.ts';
import { withdraw } from '../../db/operator/withdraw.ts';
import { storePayoutSettings } from '../../db/limits/settings.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { EvmWorker } from '../../worker/dependencies.ts';
import type { TestService, TestServiceOptions } from '../support/service.ts';
import { createWithdrawalWorld, randomHex, silentNode, type WithdrawalWorld } from '../worker/evm/withdrawal-world.ts';

type Hex = `0x${string}`;
const WITHIN_MS = 30_000;
const USDC = 1_000_000n;
const DAY_SECONDS = 86_400;

const addressOf = (key: Hex) => privateKeyToAccount(key).address.toLowerCase() as Hex;

let world: WithdrawalWorld;
beforeAll(async () => {
  world = await createWithdrawalWorld();
});
afterEach(() => world.closeServices());
afterAll(() => world.close());

/** A node that passes nothing on while it is `mute`, and while it is `hasty` takes what is final to be a day later. */
function hastyNode() {
  const node = { mute: true, hasty: false };
  const decorateWorker = (worker: EvmWorker): EvmWorker => {
    const { rpc } = worker;
    const head: EvmWorker['rpc']['head'] = async () => {
      const seen = await rpc.head();
      const { finalized } = seen;
      return node.hasty ? { ...seen, finalized: { ...finalized, time: finalized.time + DAY_SECONDS } } : seen;
    };
    const sendRaw: EvmWorker['rpc']['sendRaw'] = async (raw) => (node.mute ? undefined : rpc.sendRaw(raw));
    return { ...worker, rpc: { ...rpc, head, sendRaw } };
  };
  return { node, decorateWorker };
}

type Leaving = {
  service: TestService;
  amount: bigint;
  received: () => Promise<bigint>;
  /** Waits until its first generation is taken to be dead, and lets the next one be signed. */
  renew: () => Promise<void>;
};

type Start = (options: Partial<TestServiceOptions>) => Promise<Leaving>;

/** A withdrawal of the operator's own money. */
const operatorWithdrawal: Start = async (options) => {
  const keys = { treasuryKey: randomHex(32), laneKeys: [randomHex(32), randomHex(32)] };
  const treasury = addressOf(keys.treasuryKey);
  await world.chain.fundUsdc(treasury, microUsdc(9n * USDC));
  await finalize();
  const service = await world.start({ ...options, keys });
  await isReading(service);
  const dailyMicroUsdc = { payer: null, recipient: null };
  await storePayoutSettings(service.store, { dailyMicroUsdc, treasuries: { base: treasury } });
  const [to, amount] = [randomHex(20), USDC];
  const how = { newPayoutId: service.base.ids.payoutId, nowMs: Date.now() };
  const wanted = { network: 'base', toAddress: to, amountMicroUsdc: amount } as const;
  const { kind } = await withdraw(service.store, wanted, { name: 'withdraw', arguments: [], who: 'a test' }, how);
  expect(kind).toBe('queued');
  service.worker?.wake();
  const { transfers } = service.store.tables;
  const renew = () =>
    eventually(async () => {
      const [payout] = await service.store.read.select().from(transfers);
      expect(payout?.generation).toBeGreaterThan(0);
    }, WITHIN_MS);
  return { service, amount, received: () => world.chain.usdcBalance(to), renew };
};

/** What lay at the task address when it was first read. */
const sweep: Start = async (options) => {
  const keys = { treasuryKey: randomHex(32), taskKey: randomHex(32), laneKeys: [randomHex(32), randomHex(32)] };
  const [task, treasury] = [addressOf(keys.taskKey), addressOf(keys.treasuryKey)];
  const amount = 3n * USDC;
  await world.chain.fundUsdc(task, microUsdc(amount));
  await finalize();
  const service = await world.start({ ...options, keys });
  const { transfers } = service.store.tables;
  await eventually(async () => expect(await service.store.read.select().from(transfers)).toHaveLength(1), WITHIN_MS);
  // What a second generation would take: money that nothing has explained yet.
  await world.chain.fundUsdc(task, microUsdc(3n * amount));
  const renew = () =>
    eventually(async () => {
      const [first] = await service.store.read.select().from(transfers);
      expect(first?.generation).toBeGreaterThan(0);
    }, WITHIN_MS);
  return { service, amount, received: () => world.chain.usdcBalance(treasury), renew };
};

/** A withdrawal from a personal wallet. */
const walletWithdrawal: Start = async (options) => {
  const service = await world.start(options);
  const { walletId } = await world.newWallet(9n * USDC);
  const [to, amount] = [randomHex(20), USDC];
  const row = await world.request(service, { walletId, to, amount });
  await world.sign(service, row);
  // Told, the worker does not wait until it looks by itself.
  service.worker?.wake();
  const renew = async () => {
    await world.becomes(service, row.id, 'dead');
    expect(await world.sign(service, row, { generation: 1 })).toBe(true);
    service.worker?.wake();
  };
  return { service, amount, received: () => world.chain.usdcBalance(to), renew };
};

const isReading = (service: TestService) =>
  eventually(async () =>
    expect(await service.store.read.select().from(service.store.tables.scanCursors)).toHaveLength(1),
  );

/** So that what lies on our addresses is what the books are opened with. */
const finalize = () => world.chain.mine(3);

const openCarriers = async (service: TestService) =>
  (await world.batchesOf(service)).filter(({ status }) => status === 'open');

const LEAVING = { operatorWithdrawal, sweep, walletWithdrawal };
type Kind = keyof typeof LEAVING;

/** Side by side: each has keys and a database of its own, and waits for the same blocks. */
async function eachOf(kinds: readonly Kind[], check: (start: Start) => Promise<void>): Promise<void> {
  const fail = (kind: Kind) => (cause: unknown) => {
    throw new Error(`it was ${kind}`, { cause });
  };
  await Promise.all(kinds.map((kind) => check(LEAVING[kind]).catch(fail(kind))));
}

/** What no node has passed on until it is taken to be dead, while its window is open, and signed again. */
async function renewTooSoon(start: Start): Promise<Leaving> {
  const { node, decorateWorker } = hastyNode();
  const leaving = await start({ decorateWorker });
  await eventually(async () => expect(await openCarriers(leaving.service)).toHaveLength(1), WITHIN_MS);
  node.hasty = true;
  await leaving.renew();
  node.hasty = false;
  node.mute = false;
  return leaving;
}

async function landsOnce({ service, amount, received }: Leaving): Promise<void> {
  await eventually(async () => expect(await received()).toBe(amount), WITHIN_MS);
  await eventually(async () => expect(await openCarriers(service)).toEqual([]), WITHIN_MS);
  expect(await received()).toBe(amount);
}

test('what no node passes on for a while lands once, also taken to be dead too soon, by its nonce; CONTROL: then twice from a wallet, whose nonce is its generation’s', async () => {
  const patient = eachOf(['operatorWithdrawal', 'sweep', 'walletWithdrawal'], async (start) => {
    const { node, decorateWorker } = hastyNode();
    const leaving = await start({ decorateWorker });
    await eventually(async () => expect(await openCarriers(leaving.service)).toHaveLength(1), WITHIN_MS);
    node.mute = false;
    await landsOnce(leaving);
  });
  const once = eachOf(['operatorWithdrawal', 'sweep'], async (start) => landsOnce(await renewTooSoon(start)));
  const twice = eachOf(['walletWithdrawal'], async (start) => {
    const { amount, received } = await renewTooSoon(start);
    await eventually(async () => expect(await received()).toBeGreaterThan(amount), WITHIN_MS);
  });
  await Promise.all([patient, once, twice]);
});

test('CONTROL: a stop that concerns withdrawals too keeps people from money that is their own', async () => {
  const carriers = { ...CARRIERS, withdrawal: { ...CARRIERS.withdrawal, duringStop: 'waits' } } as const;
  const { node, decorateWorker } = silentNode();
  node.mute = false;
  const service = await world.start({ carriers, decorateWorker });
  await isReading(service);
  await stopSigning(service.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  const { walletId } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(service, { walletId, to });
  await world.sign(service, row);
  service.worker?.wake();
  // Rounds go by: the chain is asked again and again what became of it.
  const { looks } = node;
  await eventually(async () => expect(node.looks).toBeGreaterThan(looks + 8), WITHIN_MS);
  expect((await world.rowOf(service, row.id)).status).toBe('signed');
  expect(await world.chain.usdcBalance(to)).toBe(0n);
});
