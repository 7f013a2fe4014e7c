/** Transfers that a block shows: written down, matched to payments, and to what they were for. */
import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { factOf, signedFact, type ObservedTransfer } from '../../core/observed.ts';
import { unindexed } from '../dialects/unindexed.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Landing } from '../payments/settle.ts';
import type { Tables } from '../schema/tables.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';

/** `isNew`: no block has shown it before. */
export type Landed = Landing & { transfer: ObservedTransfer; outgoing: boolean; isNew: boolean };

const ROWS_MAX = 100;

/** Writes down transfers that touch our addresses, once per landing. Answers those that are still to be explained, in their order. */
export async function recordLandings(
  db: Db,
  store: Store,
  {
    network,
    seen,
    ownAddresses,
  }: { network: Network; seen: readonly ObservedTransfer[]; ownAddresses: readonly string[] },
  nowMs: number,
): Promise<Landed[]> {
  const byFact = new Map<string, ObservedTransfer>();
  for (const transfer of seen) {
    const fact = factOf(network, transfer);
    if (!byFact.has(fact)) byFact.set(fact, transfer);
  }
  const all = [...byFact].map(([fact, transfer]) => ({
    fact,
    transfer,
    outgoing: ownAddresses.includes(transfer.from),
  }));
  const landed: Landed[] = [];
  for (let from = 0; from < all.length; from += ROWS_MAX) {
    const some = all.slice(from, from + ROWS_MAX);
    const isNew = await insertObserved(db, store.tables, network, some, nowMs);
    for (const one of some) {
      const { fact, transfer } = one;
      const landing = isNew.has(fact) ? 1 : ((await landAgain(db, store, one)) ?? (await openLanding(db, store, fact)));
      const { transaction, block } = transfer;
      if (landing !== null) landed.push({ ...one, landing, transaction, block, isNew: isNew.has(fact) });
    }
  }
  return landed;
}

type Seen = { fact: string; transfer: ObservedTransfer; outgoing: boolean };

const placeOf = ({ transaction, logIndex, block, blockHash }: ObservedTransfer) => ({
  transaction,
  logIndex,
  block,
  blockHash,
});

/** Answers those that were not there. */
async function insertObserved(
  db: Db,
  { observedTransfers }: Tables,
  network: Network,
  seen: readonly Seen[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = seen.map(({ fact, transfer, outgoing }) => ({
    fact,
    network,
    ...placeOf(transfer),
    fromAddress: transfer.from,
    toAddress: transfer.to,
    amountMicroUsdc: transfer.value,
    authorizer: transfer.authorizer ?? null,
    nonce: transfer.nonce ?? null,
    memo: transfer.memo ?? null,
    outgoing,
    seenAtMs: nowMs,
    returnWanted: false,
    landed: true,
    landings: 1,
  }));
  const inserted = await db
    .insert(observedTransfers)
    .values(rows)
    .onConflictDoNothing()
    .returning({ fact: observedTransfers.fact });
  return new Set(inserted.map(({ fact }) => fact));
}

/** One that a reorganisation has taken away. Null when it is already known as landed. */
async function landAgain(db: Db, { tables }: Store, { fact, transfer }: Seen): Promise<number | null> {
  const { observedTransfers } = tables;
  const [again] = await db
    .update(observedTransfers)
    .set({ ...placeOf(transfer), landed: true, landings: sql`${observedTransfers.landings} + 1` })
    .where(and(eq(observedTransfers.fact, fact), eq(observedTransfers.landed, false)))
    .returning({ landings: observedTransfers.landings });
  return again?.landings ?? null;
}

/** A transfer that stood in the books before its payment was reserved, and that nothing explains yet. */
async function openLanding(db: Db, { tables }: Store, fact: string): Promise<number | null> {
  const { observedTransfers } = tables;
  const [row] = await db
    .select({ landings: observedTransfers.landings })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.fact, fact),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        isNull(observedTransfers.consumedBy),
      ),
    );
  return row?.landings ?? null;
}

/** What each of these transfers was made for, in their order; those that nothing of ours explains are left out. */
export async function findPayments(
  db: Db,
  store: Store,
  network: Network,
  landed: readonly Landed[],
): Promise<(readonly [Landed, PaymentRow])[]> {
  const proven = await findProven(db, store.tables, network, landed);
  const found: (readonly [Landed, PaymentRow])[] = [];
  for (const one of landed) {
    const payment =
      proven.get(one.fact) ??
      (await findSigned(db, network, one.transfer)) ??
      (one.isNew ? null : await findPaidBy(db, store.tables, one.fact));
    if (payment !== null) found.push([one, payment]);
  }
  return found;
}

type Authorization = { payer: string; nonce: string };

/** Which payments hold these authorizations: each condition names a whole primary key, so that no plan reads other rows. */
export function reservationsOf(db: Db, { proofs }: Tables, network: Network, held: readonly Authorization[]) {
  const isOne = held.map(({ payer, nonce }) =>
    and(eq(proofs.network, network), eq(proofs.payer, payer), eq(proofs.nonce, nonce)),
  );
  return db
    .select({ paymentId: proofs.paymentId })
    .from(proofs)
    .where(or(...isOne));
}

/**
 * By their facts, the payments whose reservations hold these authorizations. One that was released holds none, and an alias
 * was promised never to settle: it leads to a payment with another authorization, or on another network.
 */
async function findProven(
  db: Db,
  tables: Tables,
  network: Network,
  landed: readonly Landed[],
): Promise<ReadonlyMap<string, PaymentRow>> {
  const held = landed.flatMap(({ transfer: { authorizer: payer, nonce } }) =>
    payer === undefined || nonce === undefined ? [] : [{ payer, nonce }],
  );
  if (held.length === 0) return new Map();
  const reserved = await reservationsOf(db, tables, network, held);
  if (reserved.length === 0) return new Map();
  const { payments } = tables;
  const ids = reserved.map(({ paymentId }) => paymentId);
  const rows = await db.select().from(payments).where(inArray(payments.id, ids));
  return new Map(rows.map((payment) => [signedFact(payment.network, payment.payer, payment.nonce), payment]));
}

/** The newest payment with this authorization that was refused: its reservation was released. A reason stays, whatever lands. */
async function findSigned(
  db: Db,
  network: Network,
  { authorizer, nonce }: ObservedTransfer,
): Promise<PaymentRow | null> {
  if (authorizer === undefined || nonce === undefined) return null;
  const [payment] = await selectSigned(db, { network, payer: authorizer, nonce });
  return payment ?? null;
}

const selectSigned = prepare((db, { payments }) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.network, placeholder('network')),
        // A payer may have any number of payments: the way to one is its nonce.
        eq(unindexed(payments.payer), placeholder('payer')),
        eq(payments.nonce, placeholder('nonce')),
        isNotNull(payments.rejectReason),
      ),
    )
    .orderBy(desc(payments.createdAtMs))
    .limit(1),
);

/** A plain transfer that had paid a task before a reorganisation took it away, and has landed again. */
async function findPaidBy(db: Db, { payments, observedTransfers }: Tables, fact: string): Promise<PaymentRow | null> {
  const [row] = await db
    .select({ consumer: observedTransfers.consumedBy })
    .from(observedTransfers)
    .where(eq(observedTransfers.fact, fact));
  const [kind, id] = (row?.consumer ?? '').split(':');
  if (kind !== 'payment' || id === undefined) return null;
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), isNotNull(payments.landedAddress)));
  return payment ?? null;
}

/** Writes down what these facts were for. */
export async function consume(
  db: Db,
  { observedTransfers }: Tables,
  uses: readonly { fact: string; consumer: string }[],
): Promise<void> {
  if (uses.length === 0) return;
  const cases = uses.map(({ fact, consumer }) => sql`when ${fact} then ${consumer}`);
  await db
    .update(observedTransfers)
    .set({ consumedBy: sql`case ${observedTransfers.fact} ${sql.join(cases, sql` `)} end` })
    .where(
      inArray(
        observedTransfers.fact,
        uses.map(({ fact }) => fact),
      ),
    );
}
