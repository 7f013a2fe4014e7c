import { and, asc, eq, gte, sql } from 'drizzle-orm';
import type { Rates } from '../../core/grammar/rates.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { dayOf } from '../limits/daily.ts';
import type { Store } from '../store/store.ts';

/** Remembers the rates as those of this day; those of a day that is over never change. */
export async function noteRates(store: Store, rates: Rates, nowMs: number): Promise<void> {
  const day = dayOf(nowMs);
  const { dayRates: table } = store.tables;
  const known = await store.read.select().from(table).where(eq(table.day, day));
  const worthOf = new Map(known.map(({ currency, worthMicroUsdc }) => [currency, worthMicroUsdc]));
  const changed = [...rates].filter(([currency, worth]) => worthOf.get(currency) !== worth);
  if (changed.length === 0) return;
  const rows = changed.map(([currency, worthMicroUsdc]) => ({ currency, day, worthMicroUsdc }));
  await store.tx((db) =>
    db
      .insert(table)
      .values(rows)
      .onConflictDoUpdate({
        target: [table.currency, table.day],
        set: { worthMicroUsdc: sql`excluded.worth_micro_usdc` },
      }),
  );
}

/** Of which any day's rate is known, in the order of their names. */
export async function knownCurrencies(store: Store): Promise<string[]> {
  const { dayRates: table } = store.tables;
  const rows = await store.read.selectDistinct({ currency: table.currency }).from(table).orderBy(asc(table.currency));
  return rows.map(({ currency }) => currency);
}

/** What one of it was worth on a day; null for a day on which nobody said. */
export type RateAt = (atMs: number) => MicroUsdc | null;

export async function ratesSince(store: Store, currency: string, sinceMs: number): Promise<RateAt> {
  const { dayRates: table } = store.tables;
  const rows = await store.read
    .select({ day: table.day, worth: table.worthMicroUsdc })
    .from(table)
    .where(and(eq(table.currency, currency), gte(table.day, dayOf(sinceMs))));
  const worthOn = new Map(rows.map(({ day, worth }) => [day, microUsdc(worth)]));
  return (atMs) => worthOn.get(dayOf(atMs)) ?? null;
}
