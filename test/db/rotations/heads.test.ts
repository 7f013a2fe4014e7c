/** Where the chain was when a key was replaced: books that are a backup do not know what that key had paid by then. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { payoutNonce } from '../../../chain/evm/nonces.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { settlePaidBefore } from '../../../db/operator/paid-before.ts';
import { stoppingOutflows } from '../../../db/operator/lost-outflows.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { noteHeads, withoutHead } from '../../../db/rotations/heads.ts';
import { outflowNamed } from '../../../db/rotations/outflows.ts';
import { stampStore } from '../../../db/store/stamp.ts';
import { signingStops } from '../../../db/store/stops.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { withoutFormers } from '../../../worker/evm/formers.ts';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { TREASURY as FORMER } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTaskBooks, type TaskBooks } from '../tasks/world.ts';

const [NEXT, OTHER] = [`0x${'88'.repeat(20)}`, `0x${'66'.repeat(20)}`];
const network = 'base' as const;
const USDC = 1_000_000n;
const HOUR = 3_600;

/** As long as an authorization of ours is valid. */
const headAt = (number: number, time: number) => ({ number, time, until: time + HOUR });

onBothDatabases((fresh, isSqlite) => {
  let books: TaskBooks;
  beforeEach(async () => {
    books = await openTaskBooks(await fresh());
    await stampStore(books.store, { mode: 'local' }, { 'base:treasury': NEXT });
    await books.store.tx((db) =>
      noteFormer(db, books.store.tables, { network, address: FORMER, sinceMs: books.clock.nowMs }),
    );
  });
  afterEach(() => books.close());

  const name = () => `0x${randomBytes(32).toString('hex')}`;
  const left = (value: bigint, nonce = name()) =>
    books.land({ from: FORMER, to: OTHER, value, authorizer: FORMER, nonce });
  const finalize = () => books.mine([], books.height() + 1);
  const endOf = async (transfer: Awaited<ReturnType<typeof left>>) => (await books.rowOf(transfer))?.consumedBy ?? null;
  const stops = async () => (await signingStops(books.store)).map(({ reason }) => reason);

  async function cursorTime(): Promise<number> {
    const { scanCursors } = books.store.tables;
    const [row] = await books.store.read.select().from(scanCursors).where(eq(scanCursors.network, network));
    return row?.blockTime ?? 0;
  }

  async function paid(): Promise<TransferRow> {
    await books.payDirect({ payees: [{ name: 'person', stableId: '1', amount: 2n * USDC }] });
    await books.link(await books.meet('person', '1'));
    const [payout] = await books.payouts();
    if (payout === undefined) throw new Error('there is no payout');
    return payout;
  }

  test('what left the address up to then stops signing, and pays what bears its name; it is noted once', async () => {
    const payout = await paid();
    const missing = () => withoutHead(books.store.read, books.store.tables, network);
    expect(await missing()).toEqual([FORMER]);
    const head = books.height() + 1;
    for (const number of [head, head + 2]) await noteHeads(books.store, network, headAt(number, 0));
    const { stamps } = books.store.tables;
    const isHead = eq(stamps.name, `base:former-head:${FORMER}`);
    const noted = await books.store.read.select().from(stamps).where(isHead);
    expect([await missing(), noted]).toMatchObject([[], [{ value: `${head}` }]]);
    const nonce = name();
    const before = await left(USDC, nonce);
    expect(await stops()).toEqual(['unexplained_outflow']);
    await finalize();
    // Not booked as taken: the operator compares it.
    expect(await endOf(before)).toBeNull();
    expect((await stoppingOutflows(books.store.read, books.store)).map((row) => row.nonce)).toEqual([nonce]);
    expect(await outflowNamed(books.store, { network, authorizer: FORMER, nonce }, payout)).toBe('open');
    expect((await findViolations(books.store)).map(({ rule }) => rule)).toEqual(['every outflow is explained']);
  });

  /** What the treasury may sign where the newest final block has this time. `used`: the former one has spent the nonce. */
  async function ready(time: number, used = false): Promise<string[]> {
    const head = { number: 1, time };
    const worker = {
      store: books.store,
      profile: { network },
      treasury: { address: NEXT },
      formers: [{ address: FORMER }],
      log: pino({ level: 'silent' }),
      now: () => books.clock.nowMs,
      rpc: {
        head: () => Promise.resolve({ finalized: head, safe: head, latest: head }),
        authorizationStates: (keys: readonly unknown[]) => Promise.resolve(keys.map(() => used)),
      },
    };
    const queued = (await books.payouts()).filter(({ status }) => status === 'queued');
    return (await withoutFormers(worker as unknown as EvmWorker, queued)).map(({ fromAddress }) => fromAddress);
  }

  test('where the books were far behind it, a payout goes over only when nothing can be valid that it had signed; one that is planned anew for the new key waits as long', async () => {
    await paid();
    const time = (await cursorTime()) + 121;
    await noteHeads(books.store, network, headAt(1, time));
    const looks = async () => [await ready(time + HOUR - 1), await ready(time + HOUR)];
    expect(await looks()).toEqual([[], [NEXT]]);
    // The old one may have paid it all the same.
    expect((await books.payouts()).map(({ fromAddress, status }) => [fromAddress, status])).toEqual([[NEXT, 'queued']]);
    expect(await looks()).toEqual([[], [NEXT]]);
  });

  describe('a nonce that a former address has spent', () => {
    /** As these books have booked what left it under the nonce of their payout. */
    async function spent(consumedBy: 'taken' | 'lost', less: bigint) {
      const { id, toAddress, amountMicroUsdc } = await paid();
      const time = await cursorTime();
      await noteHeads(books.store, network, headAt(books.height(), time));
      const { observedTransfers: seen } = books.store.tables;
      const [one] = await books.store.read.select().from(seen).limit(1);
      if (one === undefined) throw new Error('nothing was seen');
      const ends = { fromAddress: FORMER, toAddress, authorizer: FORMER, nonce: payoutNonce(id) };
      const gone = { ...one, ...ends, fact: 'gone', transaction: 'gone', outgoing: true, consumedBy };
      await books.store.tx((db) => db.insert(seen).values({ ...gone, amountMicroUsdc: amountMicroUsdc - less }));
      return { id, time };
    }
    const held = async () => (await books.payouts()).map(({ status, heldReason }) => [status, heldReason]);
    const release = (payoutId: string) =>
      releaseByOperator(
        books.store,
        { payoutId },
        { name: 'release', arguments: [], who: 'a test' },
        books.clock.nowMs,
      );

    test('has paid what agrees to the last detail: it is held, whatever an operator says', async () => {
      const { id, time } = await spent('taken', 0n);
      for (let look = 0; look < 2; look += 1) {
        expect(await ready(time, true)).toEqual([]);
        expect(await held()).toEqual([['held', 'paid_before']]);
        await release(id);
      }
    });

    if (!isSqlite) return;

    test('says nothing where someone else has spent it on another sum', async () => {
      const { time } = await spent('taken', 1n);
      expect(await ready(time, true)).toEqual([NEXT]);
    });

    test('is doubtful where these books have lost what it paid: an operator compares, and lets it go', async () => {
      const { id, time } = await spent('lost', 1n);
      expect(await ready(time, true)).toEqual([]);
      expect(await held()).toEqual([['held', 'former_nonce']]);
      await release(id);
      expect(await ready(time, true)).toEqual([NEXT]);
      // The next question before a signature is about the same transfer.
      const [payout] = await books.payouts();
      if (payout === undefined) throw new Error('there is no payout');
      const settle = (one: TransferRow) => settlePaidBefore(books.store, [one], chainNamesOf, books.clock.nowMs);
      expect([...(await settle(payout))]).toEqual([]);
      expect([...(await settle({ ...payout, formerNonceAtMs: null }))]).toEqual([[id, 'held']]);
    });
  });

  if (!isSqlite) return;

  test('what has a name pays what bears it only where it agrees to the last detail', async () => {
    await paid();
    await noteHeads(books.store, network, headAt(books.height(), 0));
    const [same, less] = [name(), name()];
    await left(USDC, same);
    const other = await left(USDC - 1n, less);
    await finalize();
    const asked = (nonce: string, toAddress = OTHER) =>
      outflowNamed(books.store, { network, authorizer: FORMER, nonce }, { toAddress, amountMicroUsdc: USDC });
    expect([await asked(same), await asked(less), await asked(same, NEXT)]).toEqual(['ours', 'other', 'other']);
    const { observedTransfers: seen } = books.store.tables;
    const row = await books.rowOf(other);
    if (row === undefined) throw new Error('it was not seen');
    // As it is booked where the books are a backup.
    const lost = { ...row, fact: 'lost', transaction: 'lost', nonce: name(), consumedBy: 'lost' };
    await books.store.tx((db) => db.insert(seen).values(lost));
    expect(await asked(lost.nonce)).toBe('doubtful');
  });

  test('what leaves it afterwards is taken, and stops nothing', async () => {
    await paid();
    await noteHeads(books.store, network, headAt(books.height(), 0));
    const after = await left(USDC);
    expect(await stoppingOutflows(books.store.read, books.store)).toEqual([]);
    await finalize();
    expect([await endOf(after), await stops()]).toEqual(['taken', []]);
    expect(await findViolations(books.store)).toEqual([]);
  });

  test('what the old key has paid in a block that is not final yet waits for that', async () => {
    const { id, amountMicroUsdc } = await paid();
    const time = await cursorTime();
    await noteHeads(books.store, network, headAt(books.height(), time));
    await left(amountMicroUsdc - 1n, payoutNonce(id));
    expect(await ready(time)).toEqual([]);
  });

  test('where they were not, it goes over at once', async () => {
    await paid();
    const time = (await cursorTime()) + 120;
    await noteHeads(books.store, network, headAt(1, time));
    expect(await ready(time)).toEqual([NEXT]);
  });
});
