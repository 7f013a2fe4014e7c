/** What an audit finds, and when: what a trigger or what is open shows it in the next round, the rest within a pass. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { eq, inArray, like, ne } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPass, type Pass } from '../../../db/audit/pass.ts';
import { auditRound } from '../../../db/audit/round.ts';
import type { Db } from '../../../db/store/store.ts';
import type { Tables } from '../../../db/schema/tables.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const LATER_MS = START_MS + 30 * 86_400_000;
const TASK = {
  id: 'task_planted',
  skill: 'tip',
  operation: 'a2a.tip',
  platform: 'x',
  params: {},
  requestHash: 'hash',
  memo: 'memo',
  caller: null,
  agentKnown: false,
  sumMicroUsdc: 1n,
  feeMicroUsdc: 0n,
  refundAddresses: [],
  claimTtlMs: 1,
  createdAtMs: START_MS,
  expiresAtMs: START_MS,
  reservedUntilMs: START_MS,
  paymentId: null,
};

let books: Books;
/** Of everything it asks about one part a round, which is two rows. */
const slowPass = () => startPass({ shareMs: 0, partRows: 2 });
const violations = (pass = slowPass()) => auditRound(books.store, pass, LATER_MS);
const round = async (pass?: Pass) => (await violations(pass)).map(({ rule }) => rule);

/** Payments that are long final, and audits that have seen them: the checkpoint is behind all that there is. */
async function settleDown(): Promise<void> {
  await books.mine([], books.height() + 1);
  expect(await round()).toEqual([]);
  expect(await books.store.read.select().from(books.store.tables.auditFeed)).toEqual([]);
}

/** One that is final then. `isWaiting`: nobody has collected it. */
async function payOne(name: string, isWaiting = false): Promise<Paid> {
  if (!isWaiting) await books.link(await books.meet(name, name));
  const [line] = (await books.pay({ payees: [{ name, stableId: name }] })).lines;
  if (line === undefined) throw new Error('each payment has a line');
  return line;
}

type Paid = Awaited<ReturnType<Books['pay']>>['lines'][number];
type Plant = (db: Db, tables: Tables, paid: Paid) => Promise<unknown>;

/**
 * Each in a row that is finished and older than the checkpoint, of a payment of its own, with what the audit finds.
 * `isSlow`: no trigger tells of it, so it is found when everything has been asked about.
 */
const PLANTS: readonly { plant: Plant; isWaiting?: true; isSlow?: true; found: (paid: Paid) => string }[] = [
  // A payment is for more than its lines.
  {
    plant: (db, { payments }, { paymentId }) =>
      db.update(payments).set({ sumMicroUsdc: 2_000_000n }).where(eq(payments.id, paymentId)),
    found: ({ paymentId }) => `lines sum to the payment: ${paymentId} is for 2000000, its lines for 1000000`,
  },
  // A line is for more than it was.
  {
    plant: (db, { lines }, { paymentId }) =>
      db.update(lines).set({ amountMicroUsdc: 2_000_000n }).where(eq(lines.paymentId, paymentId)),
    found: ({ paymentId }) => `lines sum to the payment: ${paymentId} is for 1000000, its lines for 2000000`,
  },
  // A line is gone.
  {
    plant: (db, { lines }, { paymentId }) => db.delete(lines).where(eq(lines.paymentId, paymentId)),
    found: ({ paymentId }) => `lines sum to the payment: ${paymentId} is for 1000000, its lines for 0`,
  },
  // The transfer of a payment has not landed.
  {
    plant: (db, { observedTransfers: seen }, { paymentId }) =>
      db
        .update(seen)
        .set({ landed: false })
        .where(eq(seen.consumedBy, `payment:${paymentId}`)),
    found: ({ paymentId }) => `settled means landed: payment ${paymentId} has no transfer`,
  },
  // The transfer of a payment is gone.
  {
    plant: (db, { observedTransfers: seen }, { paymentId }) =>
      db.delete(seen).where(eq(seen.consumedBy, `payment:${paymentId}`)),
    found: ({ paymentId }) => `settled means landed: payment ${paymentId} has no transfer`,
  },
  // A balance is another than its postings say.
  {
    plant: (db, { accounts }, { identityId }) =>
      db
        .update(accounts)
        .set({ balance: -7n })
        .where(like(accounts.name, `escrow:%:${identityId}`)),
    isWaiting: true,
    found: ({ identityId }) => `cached balance = sum: escrow:base:${identityId} caches -7,`,
  },
  // A balance is gone.
  {
    plant: (db, { accounts }, { identityId }) =>
      db
        .update(accounts)
        .set({ balance: 0n })
        .where(like(accounts.name, `escrow:%:${identityId}`)),
    isWaiting: true,
    found: ({ identityId }) => `cached balance = sum: escrow:base:${identityId} caches 0,`,
  },
  // An entry does not sum to zero.
  {
    plant: async (db, { entries, postings }) => {
      const [entry] = await db.insert(entries).values({ cause: 'planted', createdAtMs: LATER_MS }).returning();
      const posting = { position: 0, account: 'fees:base', unit: 'usdc' as const, amount: -1n, amountWei: '0' };
      await db.insert(postings).values({ entryId: entry?.id ?? 0, ...posting });
    },
    found: () => 'postings sum to zero: entry ',
  },
  // An entry does not sum to zero in the network's own coin.
  {
    plant: async (db, { entries, postings }) => {
      const [entry] = await db.insert(entries).values({ cause: 'planted wei', createdAtMs: LATER_MS }).returning();
      const posting = { position: 0, account: 'planted', unit: 'wei' as const, amount: 0n, amountWei: '-5' };
      await db.insert(postings).values({ entryId: entry?.id ?? 0, ...posting });
    },
    found: () => ' does not sum to 0 wei',
  },
  // A balance in the network's own coin has no postings.
  {
    plant: (db, { accounts }) =>
      db
        .insert(accounts)
        .values({ name: 'gas', unit: 'wei', side: 'signed', balance: 0n, balanceWei: `-${10n ** 30n}` }),
    isSlow: true,
    found: () => 'cached balance = sum: gas caches another sum of wei',
  },
  // One payout serves two lines.
  {
    plant: async (db, { lines }, { txnId, paymentId }) => {
      const [line] = await db.select({ payoutId: lines.payoutId }).from(lines).where(eq(lines.paymentId, paymentId));
      const [other] = await db.select({ txnId: lines.txnId }).from(lines).where(ne(lines.txnId, txnId));
      const shared = { status: 'paying' as const, payoutId: line?.payoutId };
      await db
        .update(lines)
        .set(shared)
        .where(inArray(lines.txnId, [txnId, other?.txnId ?? 0]));
    },
    isSlow: true,
    found: () => 'one line per payout: ',
  },
  // A payment landed twice.
  {
    plant: async (db, { observedTransfers: seen }, { paymentId }) => {
      const [landing] = await db
        .select()
        .from(seen)
        .where(eq(seen.consumedBy, `payment:${paymentId}`));
      const fact = `${landing?.fact} once more`;
      if (landing) await db.insert(seen).values({ ...landing, fact, consumedBy: null });
      await db
        .update(seen)
        .set({ consumedBy: `payment:${paymentId}` })
        .where(eq(seen.fact, fact));
    },
    found: ({ paymentId }) => `at most one landing: payment:${paymentId} landed 2 times`,
  },
  // What was paid out is not on the chain.
  {
    plant: async (db, { lines, transfers }, { paymentId }) => {
      const [line] = await db.select({ payoutId: lines.payoutId }).from(lines).where(eq(lines.paymentId, paymentId));
      await db
        .update(transfers)
        .set({ status: 'final' })
        .where(eq(transfers.id, line?.payoutId ?? ''));
    },
    found: () => 'paid means landed: transfer ',
  },
  // A task counts as paid and has no payment.
  {
    plant: async (db, { tasks }) => {
      await db.insert(tasks).values({ ...TASK, status: 'open' });
      await db.update(tasks).set({ status: 'paid' }).where(eq(tasks.id, TASK.id));
    },
    found: () => 'a paid task has its payment: 1 have none',
  },
  // A caller's tasks are counted wrong.
  {
    plant: (db, { taskLoads }) => db.insert(taskLoads).values({ caller: 'planted', unpaid: 3 }),
    found: () => 'task loads = unpaid tasks: one is off by 3',
  },
  // Nobody is asked for a line that waits for its platform.
  {
    plant: (db, { lines }, { paymentId }) =>
      db.update(lines).set({ status: 'resolving' }).where(eq(lines.paymentId, paymentId)),
    found: ({ txnId }) => `lookups = resolving lines: nobody is asked for line ${txnId}`,
  },
];

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  test('the next round finds each fault in what was found sound, and forgets none before it is mended', async () => {
    const paid: Paid[] = [];
    for (const [index, { isWaiting }] of PLANTS.entries()) paid.push(await payOne(`person${index}`, isWaiting));
    await settleDown();
    for (const { paymentId } of paid) expect((await books.paymentOf(paymentId)).status).toBe('final');
    const each = PLANTS.map((planted, index) => ({ ...planted, paid: paid[index]! }));
    await books.store.tx(async (db) => {
      for (const { plant, paid: one } of each) await plant(db, books.store.tables, one);
    });
    const wantedOf = (those: typeof each) =>
      those.map(({ found, paid: one }) => expect.stringContaining(found(one)) as string);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      const found = (await violations()).map(({ rule, detail }) => `${rule}: ${detail}`);
      expect(found).toEqual(expect.arrayContaining(wantedOf(each.filter(({ isSlow }) => isSlow !== true))));
    }
    // The slow pass asks for all of it, fed or not.
    await books.store.tx((db) => db.delete(books.store.tables.auditFeed));
    const all: string[] = [];
    for (const pass = slowPass(); pass.over === 0;)
      all.push(...(await violations(pass)).map(({ rule, detail }) => `${rule}: ${detail}`));
    expect(all).toEqual(expect.arrayContaining(wantedOf(each)));
  });

  test('a round of sound books finds nothing, forgets what it was fed, and counts each entry once', async () => {
    await payOne('alice');
    await payOne('bob', true);
    await settleDown();
    await books.pay({ payees: [{ name: 'carol', stableId: '3' }] });
    await Promise.all([round(), round()]);
    const { auditedBalances, auditFeed, accounts } = books.store.tables;
    expect(await books.store.read.select().from(auditFeed)).toEqual([]);
    const cached = await books.store.read.select().from(accounts);
    for (const { account, amount } of await books.store.read.select().from(auditedBalances))
      expect(amount).toBe(cached.find(({ name }) => name === account)?.balance);
  });
});

test('what no trigger has fed, and an old posting that was written anew past its trigger, are found within a pass', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-audit-'));
  const path = join(dir, 'books.sqlite');
  books = await openBooks({ kind: 'sqlite', path });
  const { paymentId } = await payOne('alice');
  await payOne('bob', true);
  await settleDown();
  const { payments, auditFeed } = books.store.tables;
  await books.store.tx(async (db) => {
    await db.update(payments).set({ sumMicroUsdc: 2_000_000n }).where(eq(payments.id, paymentId));
    await db.delete(auditFeed);
  });
  const handle = new Database(path);
  handle.exec('DROP TRIGGER postings_no_update; UPDATE postings SET amount = amount * 3');
  handle.close();
  const found: string[] = [];
  for (const pass = slowPass(); pass.over === 0;) found.push(...(await round(pass)));
  expect([...new Set(found)].toSorted()).toEqual(['cached balance = sum', 'lines sum to the payment']);
  expect(found.filter((rule) => rule === 'lines sum to the payment')).toHaveLength(1);
  await books.close();
  rmSync(dir, { recursive: true });
});

test('a pass that took long gives each round as much more time, so that the next is over within the hour', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-audit-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
  await payOne('alice');
  const pass = { ...startPass(), spentMs: 90_000 };
  await violations(pass);
  expect(pass).toMatchObject({ over: 1, spentMs: 0, check: 0, after: null });
  const rounds = 45 * 2;
  expect(pass.shareMs).toBeGreaterThan(90_000 / rounds);
  expect(pass.shareMs).toBeLessThan((90_000 + 10_000) / rounds);
  // A short one leaves a share that is not nothing.
  await violations(pass);
  expect(pass.over).toBe(2);
  expect(pass.shareMs).toBe(50);
  await books.close();
  rmSync(dir, { recursive: true });
});
