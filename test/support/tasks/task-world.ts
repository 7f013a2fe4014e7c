/** A service with a task address on a Base of its own, for each test; every test ends with books that are the chain. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect } from 'vitest';
import { findTask } from '../../../db/tasks/find.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../chains/base-chain.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts';
import { mustOpen, offerOn, type TestTask } from './tasks.ts';

export type TaskWorld = ReturnType<typeof useTaskWorld>;

const randomKey = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`;

export function useTaskWorld() {
  let chain: BaseChain;
  let service: TestService;
  let keys: NonNullable<TestServiceOptions['keys']>;
  beforeEach(async () => {
    chain = await startBaseChain({ blockTimeMs: 200 });
    keys = { treasuryKey: randomKey(), taskKey: randomKey(), laneKeys: [randomKey(), randomKey()] };
  });
  afterEach(async () => {
    await service.assertSound();
    await service.close();
    await chain.close();
  });

  const paymentOf = async (taskId: string) => (await findTask(service.store, taskId))?.payment ?? null;

  return {
    get chain() {
      return chain;
    },
    get service() {
      return service;
    },
    /** Blocks come only when they are wanted; before the service starts. */
    async standStill(): Promise<void> {
      await chain.close();
      chain = await startBaseChain({ blockTimeMs: 0 });
    },
    /** Again after a close: on the same chain, with the same keys. */
    async start(options: Partial<TestServiceOptions> = {}): Promise<void> {
      service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, keys, ...options });
    },
    /** As the API opens one: with the head of the chain at that moment. */
    async openOnBase(task: Partial<TestTask> = {}) {
      const { transfers } = service.parts.apiNetwork;
      if (!transfers) throw new Error('tasks are not offered');
      const headBlock = (await transfers.head()) ?? 0;
      const networks = [{ network: 'base' as const, address: transfers.address, headBlock }];
      const opened = await mustOpen(service.store, { networks, ...task });
      return { ...opened, offer: offerOn(opened.offers, 'base') };
    },
    paymentOf,
    /** Waits until the task is paid; answers what it was told. */
    async untilPaid(taskId: string) {
      await eventually(async () => expect(await paymentOf(taskId)).not.toBeNull(), 20_000);
      const payment = await paymentOf(taskId);
      if (payment === null) throw new Error('it was paid a moment ago');
      return payment;
    },
    balances: async () => ({
      task: await chain.usdcBalance(service.parts.task?.address ?? '0x'),
      treasury: await chain.usdcBalance(service.parts.treasury.address),
    }),
    /** Gives everybody who was paid an address on Base. */
    async linkEverybody(address: string): Promise<void> {
      const { identities } = service.store.tables;
      for (const { id } of await service.store.read.select().from(identities)) {
        const wallet = { identityId: id, network: 'base' as const, address: address.toLowerCase(), source: 'test' };
        await linkWallet(service.store, wallet, service.base.transferIdOf, Date.now());
      }
      service.worker?.wake();
    },
  };
}
