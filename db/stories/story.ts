import { and, asc, eq, inArray, like, or, sql } from 'drizzle-orm';
import type { ClaimRow } from '../claims/find.ts';
import { eventsOf, type ShownEvent } from '../operator/events.ts';
import {
  findPayment,
  linesOf,
  type LineWithPayout,
  type PaymentRow,
  type TransferRow,
} from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { DecisionRow } from '../screening/decisions.ts';
import type { Store } from '../store/store.ts';
import { othersBehind, type Other } from './others.ts';

type RefundRow = Tables['refunds']['$inferSelect'];
export type ActionRow = Tables['operatorActions']['$inferSelect'];
type PostingRow = Tables['postings']['$inferSelect'];

/** Behind the host its address may hold a password of the payer's. */
type StoryEvent = Omit<ShownEvent, 'url'> & { origin: string };

/** Everything that is known of one payment. What it was signed with is left out. */
export type Story = {
  payment: Omit<PaymentRow, 'signature' | 'answer'>;
  lines: LineWithPayout[];
  refunds: { refund: RefundRow; payout: TransferRow | null }[];
  claims: { claim: ClaimRow; txnId: number }[];
  entries: { cause: string; atMs: number; postings: PostingRow[] }[];
  events: StoryEvent[];
  screenings: DecisionRow[];
  actions: ActionRow[];
  /** What led to it. */
  behind: Other[];
};

/** A payment has at most so many generations and landings that are shown. */
const ROUNDS_MAX = 20;

export async function paymentStory(store: Store, paymentId: string): Promise<Story | null> {
  const found = await findPayment(store, paymentId);
  if (found === null) return null;
  const { signature: _signature, answer: _answer, ...payment } = found;
  const lines = await linesOf(store, paymentId);
  const txnIds = lines.map(({ line }) => line.txnId);
  const refunds = await refundsOf(store, paymentId);
  const payouts = [...lines, ...refunds].flatMap(({ payout }) => (payout === null ? [] : [payout]));
  const claims = await claimsOf(store, txnIds);
  const ids = [
    paymentId,
    ...txnIds.map(String),
    ...payouts.map(({ id }) => id),
    ...claims.map(({ claim }) => claim.id),
  ];
  return {
    payment,
    lines,
    refunds,
    claims,
    entries: await entriesOf(store, { payment: found, txnIds, payouts }),
    events: (await eventsOf(store, txnIds[0] ?? 0)).map(withoutPath),
    screenings: await screeningsOf(store, ids, `${payment.network} ${payment.payer} ${payment.nonce} `),
    actions: await actionsAbout(store, ids),
    behind: await othersBehind(store, paymentId, txnIds),
  };
}

function withoutPath({ url, ...event }: ShownEvent): StoryEvent {
  return { ...event, origin: new URL(url).origin };
}

async function refundsOf(
  { read, tables: { refunds, transfers } }: Store,
  paymentId: string,
): Promise<Story['refunds']> {
  return read
    .select({ refund: refunds, payout: transfers })
    .from(refunds)
    .leftJoin(transfers, eq(transfers.id, refunds.payoutId))
    .where(eq(refunds.paymentId, paymentId))
    .orderBy(asc(refunds.createdAtMs));
}

async function claimsOf({ read, tables: { claims, claimLines } }: Store, txnIds: number[]): Promise<Story['claims']> {
  return read
    .select({ claim: claims, txnId: claimLines.txnId })
    .from(claimLines)
    .innerJoin(claims, eq(claims.id, claimLines.claimId))
    .where(inArray(claimLines.txnId, txnIds))
    .orderBy(asc(claims.createdAtMs));
}

type Moved = { payment: PaymentRow; txnIds: number[]; payouts: TransferRow[] };

/** Their causes are known (db/ledger/README.md), so nothing is searched for in the ledger. */
async function entriesOf({ read, tables }: Store, { payment, txnIds, payouts }: Moved): Promise<Story['entries']> {
  const { entries, observedTransfers, postings } = tables;
  const consumers = [`payment:${payment.id}`, ...payouts.map(({ id }) => `transfer:${id}`)];
  const facts = await read
    .select({ fact: observedTransfers.fact, landings: observedTransfers.landings })
    .from(observedTransfers)
    .where(inArray(observedTransfers.consumedBy, consumers));
  const causes = [
    ...facts.flatMap(({ fact, landings }) =>
      upTo(landings).flatMap((n) => ['in', 'un.in', 'out.land', 'out.unland'].map((kind) => `${kind}:${fact}:${n}`)),
    ),
    ...payouts.flatMap(({ id, generation }) =>
      upTo(generation).flatMap((n) => ['out.reserve', 'out.dead', 'cross'].map((kind) => `${kind}:${id}:${n}`)),
    ),
    ...txnIds.flatMap((txnId) => ['resolve', 'refund', 'unlost'].map((kind) => `${kind}:${payment.id}:${txnId}`)),
  ];
  const found = await read.select().from(entries).where(inArray(entries.cause, causes)).orderBy(asc(entries.id));
  const all = await read
    .select()
    .from(postings)
    .where(
      inArray(
        postings.entryId,
        found.map(({ id }) => id),
      ),
    )
    .orderBy(asc(postings.entryId), asc(postings.position));
  return found.map(({ id, cause, createdAtMs }) => ({
    cause,
    atMs: createdAtMs,
    postings: all.filter(({ entryId }) => entryId === id),
  }));
}

const upTo = (count: number): number[] => Array.from({ length: Math.min(count, ROUNDS_MAX) + 1 }, (_, n) => n);

/** `proof`: how the subject of the payment itself begins. */
async function screeningsOf(
  { read, tables: { screenings } }: Store,
  ids: string[],
  proof: string,
): Promise<DecisionRow[]> {
  const ofPayment = and(eq(screenings.stage, 'payment'), like(screenings.subject, `${proof}%`));
  return read
    .select()
    .from(screenings)
    .where(or(inArray(screenings.subject, ids), ofPayment))
    .orderBy(asc(screenings.atMs));
}

/** What operators did about any of these, by the words that they gave. */
export async function actionsAbout(
  { read, tables: { operatorActions: done } }: Store,
  ids: string[],
): Promise<ActionRow[]> {
  const words = sql`cast(${done.arguments} as text)`;
  const isNamed = ids.map((id) => sql`${words} like ${`%"${id}"%`}`);
  return read
    .select()
    .from(done)
    .where(and(or(...isNamed)))
    .orderBy(asc(done.id));
}
