import { and, asc, desc, eq, inArray, isNull, lte, not, or } from 'drizzle-orm';
import { accounts as names, depositReceived, moved, outflowLost } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { postEntry } from '../ledger/ledger.ts';
import { formerName, leftFormer } from '../rotations/formers.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { isRestored } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { fitsTask } from '../tasks/fitting.ts';
import { isSignedAs, landOutflow } from './land-outflow.ts';
import { moveToSuspense } from './suspense.ts';

/** In one step; the rest is found by the next one. */
const TAKEN_MAX = 100;
/** What may have come there before one of them left. */
const INBOUND_MAX = 500;

type Seen = Tables['observedTransfers']['$inferSelect'];

/**
 * Books what left a former address and is explained by nothing: anyone who knows its key may have taken it. Only once it is
 * final, so that nothing of this is ever reversed. A restored database explains its lost time first, by name.
 */
export async function bookTaken(
  db: Db,
  store: Store,
  { network, finalizedBlock }: { network: Network; finalizedBlock: number },
  nowMs: number,
): Promise<void> {
  const open = await selectTaken(db, { network, finalizedBlock });
  if (open.length === 0 || (await isRestored(db))) return;
  for (const out of open) await bookOne(db, store, out, nowMs);
}

const selectTaken = prepare((db, tables) => {
  const { observedTransfers: seen } = tables;
  return db
    .select()
    .from(seen)
    .where(
      and(
        eq(seen.network, placeholder('network')),
        isNull(seen.consumedBy),
        lte(seen.block, placeholder('finalizedBlock')),
        eq(seen.landed, true),
        eq(seen.outgoing, true),
        leftFormer(tables),
      ),
    )
    .orderBy(asc(seen.block), asc(seen.logIndex))
    .limit(TAKEN_MAX);
});

async function bookOne(db: Db, store: Store, out: Seen, nowMs: number): Promise<void> {
  const { tables } = store;
  const { network, fact, fromAddress: from, toAddress: to, amountMicroUsdc: amount, landings: landing } = out;
  const room = await heldAt(db, tables, network, from);
  const isMove = await isInBooks(db, tables, network, to);
  // A loss is what the books have there less: neither what moved to another address of ours is one, nor what we have signed.
  if (to !== from && amount > room && (isMove || (await isSignedAs(db, tables, out))))
    if (!(await bookStrangers(db, store, { out, missing: amount - room }, nowMs))) return;
  // The books may know more than when it was seen.
  if (await landOutflow(db, store, out, nowMs)) return;
  // To itself it moves nothing, and an entry of nothing is none.
  if (isMove && to !== from) await postEntry(db, tables, moved({ network, from, to, fact, landing, amount }), nowMs);
  const consumedBy = isMove ? 'moved' : await bookLoss(db, store, { out, room }, nowMs);
  if (consumedBy === null) return;
  await db.update(tables.observedTransfers).set({ consumedBy }).where(eq(tables.observedTransfers.fact, fact));
}

/**
 * What strangers had sent there has left with it, and is ours to return: it goes to suspense at once, because only what is in
 * the books here can leave. Sent in and moved in circles it grows nothing: each time we have it.
 * False, with nothing changed, where that is not enough yet: what a task asks for, or what goes back, is booked as that first.
 */
async function bookStrangers(
  db: Db,
  store: Store,
  { out, missing }: { out: Seen; missing: bigint },
  nowMs: number,
): Promise<boolean> {
  const chosen: Seen[] = [];
  let rest = missing;
  for (const one of await unbookedAt(db, store, out)) {
    if (rest <= 0n) break;
    chosen.push(one);
    rest -= one.amountMicroUsdc;
  }
  if (rest > 0n) return false;
  const facts = chosen.map(({ fact }) => fact);
  await moveToSuspense(db, store, inArray(store.tables.observedTransfers.fact, facts), nowMs);
  return true;
}

/**
 * It took first what strangers had sent there and no book has. Were that owed to them, who knows the key could send the
 * same money in and out for ever, and we would owe it each time. The rest is a loss of ours. Answers what explains it now;
 * null: more left than came.
 */
async function bookLoss(
  db: Db,
  { tables }: Store,
  { out, room }: { out: Seen; room: bigint },
  nowMs: number,
): Promise<string | null> {
  const { observedTransfers: seen } = tables;
  const { network, fact, fromAddress: address } = out;
  const strangers = `taken:${fact}`;
  const inbound = await unbookedAt(db, { tables }, out);
  const { taken, rest } = fill(inbound, out.amountMicroUsdc);
  const covering = rest > room ? inbound.findLast((one) => !taken.includes(one) && one.amountMicroUsdc >= rest) : null;
  if (covering === undefined) return null;
  if (covering === null && rest > 0n)
    await postEntry(db, tables, outflowLost({ network, fact, address, amount: rest }), nowMs);
  if (covering !== null && covering.amountMicroUsdc > rest) {
    // What is left of it is there, and cannot be told apart: it is ours.
    const kept = { fact: covering.fact, landing: covering.landings, amount: covering.amountMicroUsdc - rest };
    await postEntry(db, tables, depositReceived({ network, address, ...kept }), nowMs);
  }
  const facts = [...taken, ...(covering === null ? [] : [covering])].map((one) => one.fact);
  if (facts.length > 0) await db.update(seen).set({ consumedBy: strangers }).where(inArray(seen.fact, facts));
  return covering === null && rest > 0n ? 'taken' : strangers;
}

/** Came there by then and is in no book: the largest first. What a task asks for is that task's. */
async function unbookedAt(db: Db, { tables }: Pick<Store, 'tables'>, out: Seen): Promise<Seen[]> {
  const { observedTransfers: seen } = tables;
  return db
    .select()
    .from(seen)
    .where(
      and(
        eq(seen.network, out.network),
        isNull(seen.consumedBy),
        eq(seen.toAddress, out.fromAddress),
        lte(seen.block, out.block),
        eq(seen.landed, true),
        eq(seen.outgoing, false),
        eq(seen.returnWanted, false),
        not(fitsTask(db, tables)),
      ),
    )
    .orderBy(desc(seen.amountMicroUsdc), asc(seen.block), asc(seen.logIndex))
    .limit(INBOUND_MAX);
}

/** Those that fit into the amount, and what of it they leave. */
function fill(inbound: readonly Seen[], amount: bigint): { taken: Seen[]; rest: bigint } {
  const taken: Seen[] = [];
  let rest = amount;
  for (const one of inbound) {
    if (one.amountMicroUsdc > rest) continue;
    taken.push(one);
    rest -= one.amountMicroUsdc;
  }
  return { taken, rest };
}

async function heldAt(db: Db, { accounts }: Tables, network: Network, address: string): Promise<bigint> {
  const [row] = await db
    .select()
    .from(accounts)
    .where(eq(accounts.name, names.chain(network, address)));
  return row?.balance ?? 0n;
}

/** Whether books and chain are compared there: a treasury, a task address, or one that was replaced. */
async function isInBooks(db: Db, { stamps }: Tables, network: Network, address: string): Promise<boolean> {
  const isNow = and(inArray(stamps.name, [`${network}:treasury`, `${network}:task`]), eq(stamps.value, address));
  const wasIt = eq(stamps.name, formerName(network, address));
  const [found] = await db.select({ name: stamps.name }).from(stamps).where(or(isNow, wasIt)).limit(1);
  return found !== undefined;
}
