import { eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { accounts as accountNames } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { CarrierRow } from '../../db/carriers/carriers.ts';
import type { PaymentRow, TransferRow } from '../../db/payments/records/find.ts';
import type { Store } from '../../db/store/store.ts';
import { readBooks } from '../../db/audit/books.ts';
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
  /** These go on after a case. */
  const kept = new Set<S>();

  beforeAll(async () => {
    world = await open();
    shared = await track(world.install().start());
    kept.add(shared);
  });
  afterEach(async () => {
    await world.releaseBlocks();
    try {
      await Promise.all([...running].map(assertBooksAreTheChain));
    } finally {
      await Promise.all([...running].filter((service) => !kept.has(service)).map(close));
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

  /** One service for all cases of a `describe`. */
  function startForAll(options?: ServiceOptions): () => S {
    let service: S;
    beforeAll(async () => {
      service = await track(world.install().start(options));
      kept.add(service);
    });
    afterAll(() => close(service));
    return () => service;
  }

  async function close(service: S): Promise<void> {
    running.delete(service);
    await service.close();
  }

  /** Every invariant; and to the micro-USDC, without the audit's excuse that something may have come meanwhile. */
  async function assertBooksAreTheChain({ store, treasury, assertSound }: S): Promise<void> {
    await eventually(async () => {
      expect((await readBooks(store, network, [treasury]))?.held.get(treasury)).toBe(await world.usdcBalance(treasury));
    });
    await assertSound();
    expect(await signingStops(store)).toEqual([]);
  }

  /** What was spent of the network's coin is booked against what caused it, to the last wei or lamport. */
  async function assertCostsHaveCauses({ store }: S): Promise<void> {
    const { nativeCosts, accounts } = store.tables;
    const rows = await store.read.select().from(nativeCosts);
    const [spent] = await store.read
      .select()
      .from(accounts)
      .where(eq(accounts.name, accountNames.gasSpent(network)));
    const isWei = spent?.unit === 'wei';
    const total = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    expect(total).toBeGreaterThan(0n);
    expect(total).toBe(isWei ? BigInt(spent.balanceWei) : spent?.balance);
    const uncaused = rows.filter(({ kind, payer }) => kind !== 'sweep' && payer === null);
    expect(uncaused).toEqual([]);
  }

  /** Once what it waits for may be final at once. Blocks in a hurry are the end of proofs and payouts that wait for their place. */
  const soon = <T>(service: S, check: () => Promise<T>): Promise<T> =>
    eventually(async () => {
      if ((await inFlight(service)).length === 0) await world.finalize();
      service.worker?.wake();
      return check();
    }, 20_000);

  /** Until all of it is final: what could still happen has happened. */
  const comeToRest = (service: S) => soon(service, async () => expect(await unfinished(service)).toEqual([]));

  return {
    network,
    world: () => world,
    /** With default options. */
    service: () => shared,
    /** A service of its own for this case, on the shared chain. */
    start: (options?: ServiceOptions) => track(world.install().start(options)),
    startForAll,
    track,
    close,

    /** Until no payment and no payout can move any more money, unless a block is taken back. */
    untilNothingMoves: (service: S) => eventually(async () => expect(await moving(service)).toEqual([]), 20_000),

    soon,
    comeToRest,
    assertBooksAreTheChain,
    assertCostsHaveCauses,
  };
}

/** What may be in a transaction whose place on the chain is still open, in words. */
const inFlight = async ({ store }: Service): Promise<string[]> => [
  ...(await paymentsThatAre(store, ['received', 'settling'])),
  ...(await payoutsThatAre(store, ['assigned', 'broadcast'])),
];

const moving = async (service: Service): Promise<string[]> => [
  ...(await inFlight(service)),
  ...(await payoutsThatAre(service.store, ['queued'])),
];

/** What has not come to its end: in words, so that a case that waits in vain says for what. */
const unfinished = async (service: Service): Promise<string[]> => [
  ...(await moving(service)),
  ...(await paymentsThatAre(service.store, ['settled'])),
  ...(await payoutsThatAre(service.store, ['confirmed'])),
  ...(await carriersThatAre(service.store, ['open', 'sealed'])),
];

// All that was ever paid is in the books of a shared service, so only what is asked for is read.
async function paymentsThatAre({ read, tables: { payments } }: Store, states: PaymentRow['status'][]) {
  const rows = await read
    .select({ id: payments.id, status: payments.status })
    .from(payments)
    .where(inArray(payments.status, states));
  return rows.map(toWords('payment'));
}

async function payoutsThatAre({ read, tables: { transfers } }: Store, states: TransferRow['status'][]) {
  const rows = await read
    .select({ id: transfers.id, status: transfers.status })
    .from(transfers)
    .where(inArray(transfers.status, states));
  return rows.map(toWords('payout'));
}

async function carriersThatAre({ read, tables: { carriers } }: Store, states: CarrierRow['status'][]) {
  const rows = await read
    .select({ id: carriers.id, status: carriers.status })
    .from(carriers)
    .where(inArray(carriers.status, states));
  return rows.map(toWords('carrier'));
}

const toWords =
  (kind: string) =>
  ({ id, status }: { id: string | number; status: string }) =>
    `${kind} ${id} is ${status}`;
