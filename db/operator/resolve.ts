import { and, eq, inArray, or } from 'drizzle-orm';
import type { TransferRow } from '../payments/records/find.ts';
import { readCursor } from '../scan/cursor.ts';
import { oweRest } from '../refunds/return-transfer.ts';
import type { Db, Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';
import { release } from './held.ts';
import { linesOfInbound, type Naming } from './lost-names.ts';
import { stoppingOutflows } from './lost-outflows.ts';
import { payersOf, type Outflow } from './paid-before.ts';
import { settledBeforeMs } from './reconcile.ts';
import type { ObservedRow } from './suspense.ts';

/**
 * What `reconcile` held, and what the chain tells of it. `doubts`: transfers that its payer got in the lost time, each of
 * which may have given back more than its name says. `left`: what left for the lines of a lost payment.
 */
export type Story =
  | { kind: 'payout'; payout: TransferRow; doubts: readonly Outflow[]; own: readonly Outflow[] }
  | { kind: 'inbound'; inbound: ObservedRow; paid: bigint; doubts: readonly Outflow[]; left: readonly TransferRow[] };

/** Why nothing can be decided by the books and the chain; null where it is proven. */
export type Unproven =
  | { why: 'unexplained' | 'booked-for-nothing' | 'own-name'; facts: readonly string[] }
  | { why: 'too-new' };

export type Told = { story: Story; unproven: Unproven | null };

/** A payout that is held as `paid_before`, or an inbound of which a part was paid out; null for any other name. */
export async function storyOf(db: Db, store: Store, name: string, naming: Naming): Promise<Told | null> {
  const story = (await payoutStory(db, store, name, naming)) ?? (await inboundStory(db, store, name, naming));
  return story && { story, unproven: await whyUnproven(db, store, story) };
}

async function payoutStory(db: Db, store: Store, id: string, { namesOf }: Naming): Promise<Story | null> {
  const { observedTransfers: seen, transfers } = store.tables;
  const [payout] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), eq(transfers.status, 'held'), eq(transfers.heldReason, 'paid_before')));
  if (payout === undefined) return null;
  const { nonce, tag } = namesOf(id);
  const isNamed = and(eq(seen.outgoing, true), eq(seen.landed, true), or(eq(seen.nonce, nonce), eq(seen.memo, tag)));
  const own = await db.select().from(seen).where(isNamed);
  const payers = (await payersOf(db, store, [payout])).get(id) ?? [];
  const asked = payout.purpose === 'refund' ? [...payers, payout.toAddress] : payers;
  return { kind: 'payout', payout, own, doubts: await doubtsOf(db, store, asked) };
}

async function inboundStory(db: Db, store: Store, fact: string, { transferIdOf }: Naming): Promise<Story | null> {
  const { lostInbounds, observedTransfers: seen, transfers } = store.tables;
  const isHeld = and(eq(lostInbounds.state, 'held'), eq(lostInbounds.heldReason, 'partly_paid'));
  const [found] = await db
    .select({ inbound: seen, paid: lostInbounds.paidMicroUsdc })
    .from(lostInbounds)
    .innerJoin(seen, eq(seen.fact, lostInbounds.fact))
    .where(and(eq(lostInbounds.fact, fact), isHeld));
  if (found === undefined) return null;
  const ids = linesOfInbound(found.inbound).map((source) => transferIdOf(source));
  const left = await db.select().from(transfers).where(inArray(transfers.id, ids));
  return { kind: 'inbound', ...found, left, doubts: await doubtsOf(db, store, [found.inbound.fromAddress]) };
}

async function doubtsOf(db: Db, { tables }: Store, payers: readonly string[]): Promise<Outflow[]> {
  const { doubtfulPayers, observedTransfers: seen } = tables;
  const rows = await db
    .selectDistinct({ seen })
    .from(doubtfulPayers)
    .innerJoin(seen, eq(seen.fact, doubtfulPayers.fact))
    .where(inArray(doubtfulPayers.payer, [...payers]));
  return rows.map((row) => row.seen);
}

/**
 * A transfer to the payer that is booked against money of theirs took as much from it as it gave back, whichever lines it
 * gathered: what is still owed to them is right as a sum. One that is booked for nothing may have given back just this.
 */
async function whyUnproven(db: Db, store: Store, story: Story): Promise<Unproven | null> {
  const facts = (rows: readonly Outflow[]) => rows.map(({ fact }) => fact);
  const unexplained = await stoppingOutflows(db, store);
  if (unexplained.length > 0) return { why: 'unexplained', facts: facts(unexplained) };
  if (story.kind === 'payout' && story.own.length > 0) return { why: 'own-name', facts: facts(story.own) };
  const forNothing = story.doubts.filter(({ consumedBy }) => consumedBy === 'lost');
  if (forNothing.length > 0) return { why: 'booked-for-nothing', facts: facts(forNothing) };
  if (story.kind === 'payout') return null;
  const cursor = await readCursor(store, story.inbound.network);
  const isSettled = cursor !== null && story.inbound.seenAtMs <= settledBeforeMs(cursor);
  return isSettled ? null : { why: 'too-new' };
}

/** `taken`: another command was quicker. */
type Ended = { kind: 'taken' } | { kind: 'released' | 'returned'; amountMicroUsdc: bigint };
export type Resolution = Ended | { kind: 'unknown' } | { kind: 'unproven'; unproven: Unproven };

/**
 * Ends what `reconcile` held, where it is proven: a payout goes out, and what is left of an inbound goes back to its
 * payer. The transaction looks at the proof once more.
 */
export async function resolveHeld(
  store: Store,
  name: string,
  { command, nowMs, ...naming }: Naming & { command: Command; nowMs: number },
): Promise<Resolution> {
  return store.tx(async (db) => {
    const told = await storyOf(db, store, name, naming);
    if (told === null) return { kind: 'unknown' };
    const { story, unproven } = told;
    if (unproven !== null) return { kind: 'unproven', unproven };
    const ended =
      story.kind === 'payout' ? await releaseOne(db, store, story, nowMs) : await giveRest(db, store, story, nowMs);
    if (ended.kind === 'taken') return ended;
    const result = `${ended.kind} ${ended.amountMicroUsdc} micro-USDC`;
    await recordAction(db, store.tables, command, { result, nowMs });
    return ended;
  });
}

type Of<Kind> = Extract<Story, { kind: Kind }>;

async function releaseOne(db: Db, store: Store, { payout }: Of<'payout'>, nowMs: number): Promise<Ended> {
  const { amountMicroUsdc } = payout;
  const isReleased = await release(db, store, payout, { isCounted: payout.countedOn !== null, nowMs });
  return isReleased ? { kind: 'released', amountMicroUsdc } : { kind: 'taken' };
}

async function giveRest(db: Db, store: Store, { inbound, paid }: Of<'inbound'>, nowMs: number): Promise<Ended> {
  const { lostInbounds } = store.tables;
  const amountMicroUsdc = inbound.amountMicroUsdc - paid;
  const taken = await db
    .update(lostInbounds)
    .set({ state: 'returned', heldReason: null })
    .where(and(eq(lostInbounds.fact, inbound.fact), eq(lostInbounds.state, 'held')))
    .returning({ fact: lostInbounds.fact });
  if (taken.length === 0 || !(await oweRest(db, store, inbound, { amountMicroUsdc, nowMs }))) return { kind: 'taken' };
  return { kind: 'returned', amountMicroUsdc };
}
