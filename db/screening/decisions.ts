import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm';
import { outcomeOf, standsUntilMs, type ScreeningAnswer } from '../../core/screening/screening.ts';
import type { ScreeningFails, ScreeningOutcome, ScreeningQuestion } from '../../core/screening/screening.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

export type DecisionRow = Tables['screenings']['$inferSelect'];
type Subject = Pick<ScreeningQuestion, 'stage' | 'subject'>;

/** Null: nothing was decided, or it has to be asked again. */
export async function standingOutcome(
  { read, tables: { screenings } }: Store,
  { stage, subject }: Subject,
  nowMs: number,
): Promise<ScreeningOutcome | null> {
  const isIt = and(eq(screenings.stage, stage), eq(screenings.subject, subject));
  const [row] = await read.select().from(screenings).where(isIt);
  return row === undefined ? null : outcomeNow(row, nowMs);
}

/** Stores what was answered, and says what follows. The operator's own word is written over by nobody. */
export async function decide(
  store: Store,
  { stage, subject }: Subject,
  { answer, fails, nowMs }: { answer: ScreeningAnswer; fails: ScreeningFails; nowMs: number },
): Promise<ScreeningOutcome> {
  const { screenings } = store.tables;
  const outcome = outcomeOf(answer.verdict, fails);
  const decided = { ...answer, passes: outcome === 'go', atMs: nowMs, untilMs: standsUntilMs(outcome, nowMs) };
  return store.tx(async (db) => {
    const [row] = await db
      .insert(screenings)
      .values({ stage, subject, ...decided })
      .onConflictDoUpdate({
        target: [screenings.stage, screenings.subject],
        set: decided,
        setWhere: ne(screenings.source, 'operator'),
      })
      .returning();
    return row === undefined ? 'go' : outcome;
  });
}

/** The operator has looked, and lets a held payout go. Belongs in the transaction that does. */
export async function overrule(db: Db, { screenings }: Tables, subject: string, nowMs: number): Promise<void> {
  const decided = {
    verdict: 'allowed',
    source: 'operator',
    detail: null,
    passes: true,
    atMs: nowMs,
    untilMs: null,
  } as const;
  await db
    .insert(screenings)
    .values({ stage: 'payout', subject, ...decided })
    .onConflictDoUpdate({ target: [screenings.stage, screenings.subject], set: decided });
}

/** What was decided about these payouts, as far as it stands. */
export async function payoutOutcomes(
  { read, tables: { screenings } }: Store,
  payoutIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, ScreeningOutcome>> {
  if (payoutIds.length === 0) return new Map();
  const rows = await read
    .select()
    .from(screenings)
    .where(and(eq(screenings.stage, 'payout'), inArray(screenings.subject, [...payoutIds])));
  return new Map(
    rows.flatMap((row): [string, ScreeningOutcome][] => {
      const outcome = outcomeNow(row, nowMs);
      return outcome === null ? [] : [[row.subject, outcome]];
    }),
  );
}

/** Queued payouts, and money on its way back, about which nothing is decided; the oldest first. */
export async function undecidedPayouts(store: Store, nowMs: number, limit: number): Promise<TransferRow[]> {
  const { screenings, transfers } = store.tables;
  const isIts = and(eq(screenings.stage, 'payout'), eq(screenings.subject, transfers.id));
  const rows = await store.read
    .select({ transfer: transfers })
    .from(transfers)
    .leftJoin(screenings, isIts)
    .where(
      and(
        eq(transfers.status, 'queued'),
        inArray(transfers.purpose, [...SCREENED_PURPOSES]),
        or(isNull(screenings.subject), lte(screenings.untilMs, nowMs)),
      ),
    )
    .orderBy(asc(transfers.createdAtMs))
    .limit(limit);
  return rows.map(({ transfer }) => transfer);
}

/** What leaves for others. The operator's own money, and what stays ours, is nobody's to screen. */
export const SCREENED_PURPOSES = ['payout', 'refund'] as const;

/** By payout: who paid for it, and whom it is for. */
export async function peopleOf(
  { read, tables: { lines, payments } }: Store,
  payoutIds: readonly string[],
): Promise<{ payoutId: string; network: string; payer: string; platform: string; key: string }[]> {
  if (payoutIds.length === 0) return [];
  const rows = await read
    .select({
      payoutId: lines.payoutId,
      network: payments.network,
      payer: payments.payer,
      platform: lines.platform,
      key: lines.recipientKey,
    })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(lines.payoutId, [...payoutIds]));
  return rows.flatMap(({ payoutId, ...row }) => (payoutId === null ? [] : [{ payoutId, ...row }]));
}

/** What was not simply let pass, the newest first. */
export async function listDecisions({ read, tables: { screenings } }: Store, limit: number): Promise<DecisionRow[]> {
  return read
    .select()
    .from(screenings)
    .where(or(ne(screenings.verdict, 'allowed'), eq(screenings.source, 'operator')))
    .orderBy(desc(screenings.atMs))
    .limit(limit);
}

/** How often there was no answer lately. */
export async function unansweredSince({ read, tables: { screenings } }: Store, sinceMs: number): Promise<number> {
  return read.$count(screenings, and(eq(screenings.verdict, 'unanswered'), gt(screenings.atMs, sinceMs)));
}

function outcomeNow({ passes, verdict, untilMs }: DecisionRow, nowMs: number): ScreeningOutcome | null {
  if (untilMs !== null && untilMs <= nowMs) return null;
  if (passes) return 'go';
  return verdict === 'refused' ? 'refuse' : 'wait';
}
