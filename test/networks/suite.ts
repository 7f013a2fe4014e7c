import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Network } from '../../core/networks.ts';
import { expectedBalance } from '../../db/audit/invariants.ts';
import { signingStops } from '../../db/store/stops.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service, ServiceOptions, World } from './network.ts';

export type Suite<S extends Service = Service, W extends World<S> = World<S>> = ReturnType<typeof createSuite<S, W>>;

/**
 * One chain and one service for the cases of a file; a case may start others, which end with it. After each case every
 * service that runs must be sound and still be willing to sign.
 */
export function createSuite<S extends Service, W extends World<S>>(network: Network, open: () => Promise<W>) {
  let world: W;
  let shared: S;
  const running = new Set<S>();

  beforeAll(async () => {
    world = await open();
    shared = await track(world.install().start());
  });
  afterEach(async () => {
    await world.releaseBlocks();
    try {
      for (const service of running) await assertBooksAreTheChain(service);
    } finally {
      for (const service of running) if (service !== shared) await close(service);
    }
  });
  afterAll(async () => {
    for (const service of running) await close(service);
    await world?.close();
  });

  /** Ready to settle: it has read the chain, and has what it needs there. */
  async function track(starting: Promise<S>): Promise<S> {
    const service = await starting;
    running.add(service);
    const cursors = async () => service.store.read.select().from(service.store.tables.scanCursors);
    if (service.worker !== null) await eventually(async () => expect(await cursors()).toHaveLength(1));
    return service;
  }

  async function close(service: S): Promise<void> {
    running.delete(service);
    await service.close();
  }

  /** Every invariant; and to the micro-USDC, without the audit's excuse that something may have come meanwhile. */
  async function assertBooksAreTheChain({ store, treasury, assertSound }: S): Promise<void> {
    await eventually(async () => {
      expect(await expectedBalance(store, network, treasury)).toBe(await world.usdcBalance(treasury));
    });
    await assertSound();
    expect(await signingStops(store)).toEqual([]);
  }

  /** Until all of it is final: what could still happen has happened. */
  async function comeToRest(service: S): Promise<void> {
    await eventually(async () => {
      // Blocks in a hurry would be the end of proofs and payouts that wait for their place.
      if ((await inFlight(service)).length === 0) await world.finalize();
      service.worker?.wake();
      expect(await unfinished(service)).toEqual([]);
    }, 20_000);
  }

  return {
    network,
    world: () => world,
    /** With default options. */
    service: () => shared,
    /** A service of its own for this case, on the shared chain. */
    start: (options?: ServiceOptions) => track(world.install().start(options)),
    track,
    close,

    /** Until no payment and no payout can move any more money, unless a block is taken back. */
    untilNothingMoves: (service: S) => eventually(async () => expect(await moving(service)).toEqual([]), 20_000),

    comeToRest,
    assertBooksAreTheChain,
  };
}

/** What may be in a transaction whose place on the chain is still open, in words. */
async function inFlight({ store: { read, tables } }: Service): Promise<string[]> {
  const [payments, payouts] = [await read.select().from(tables.payments), await read.select().from(tables.transfers)];
  return [
    ...payments.filter(({ status }) => status === 'received' || status === 'settling').map(toWords('payment')),
    ...payouts.filter(({ status }) => status === 'assigned' || status === 'broadcast').map(toWords('payout')),
  ];
}

async function moving(service: Service): Promise<string[]> {
  const { read, tables } = service.store;
  const waiting = (await read.select().from(tables.transfers)).filter(({ status }) => status === 'queued');
  return [...(await inFlight(service)), ...waiting.map(toWords('payout'))];
}

/** What has not come to its end: in words, so that a case that waits in vain says for what. */
async function unfinished(service: Service): Promise<string[]> {
  const { read, tables } = service.store;
  const [payments, payouts] = [await read.select().from(tables.payments), await read.select().from(tables.transfers)];
  const carriers = await read.select().from(tables.carriers);
  return [
    ...(await moving(service)),
    ...payments.filter(({ status }) => status === 'settled').map(toWords('payment')),
    ...payouts.filter(({ status }) => status === 'confirmed').map(toWords('payout')),
    ...carriers.filter(({ status }) => status === 'open' || status === 'sealed').map(toWords('carrier')),
  ];
}

const toWords =
  (kind: string) =>
  ({ id, status }: { id: string | number; status: string }) =>
    `${kind} ${id} is ${status}`;
