import type { LimitReason } from '../../core/states.ts';
import { addWithin, takeWithin } from '../store/counters.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import type { PayoutSettings } from './settings.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** Whose limits a payout counts against. */
export type Limited = { payer: string; identityId: string; amountMicroUsdc: bigint };

const DAY_MS = 24 * 3_600_000;

/** A day in UTC, such as `2026-11-20`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** When the counters of the next day begin, at zero because each day has its own. */
export function nextDayMs(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}

/** Counters are kept longer than addresses may be, so a payer is in them by an opaque id. */
export const dailyCounters = {
  payer: (day: string, payer: string) => `payer_daily:${day}:${payerAccountId(payer)}`,
  recipient: (day: string, identityId: string) => `recipient_daily:${day}:${identityId}`,
};

/**
 * Takes a payout's part of today's limits of its payer and its recipient; where one of them has no room, nothing is
 * taken, and that one is the answer. Belongs in the transaction that queues the payout and writes `countedOn`.
 */
export async function takeDaily(
  db: Db,
  tables: Tables,
  limited: Limited,
  { dailyMicroUsdc: caps }: Pick<PayoutSettings, 'dailyMicroUsdc'>,
  nowMs: number,
): Promise<LimitReason | null> {
  const { payer, recipient } = namesOf(limited, dayOf(nowMs));
  const { amountMicroUsdc: amount } = limited;
  if (!(await take(db, tables, payer, amount, caps.payer))) return 'payer_limit';
  if (await take(db, tables, recipient, amount, caps.recipient)) return null;
  await addWithin(db, { tables }, payer, -amount);
  return 'recipient_limit';
}

async function take(db: Db, tables: Tables, name: string, amount: bigint, cap: bigint | null): Promise<boolean> {
  if (cap !== null) return takeWithin(db, { tables }, name, amount, cap);
  await addWithin(db, { tables }, name, amount);
  return true;
}

/** An operator lets it go over the limits: it still counts, so that the counters show what left. */
export async function takeDailyAnyway(db: Db, tables: Tables, limited: Limited, nowMs: number): Promise<void> {
  await addDaily(db, tables, limited, dayOf(nowMs), limited.amountMicroUsdc);
}

export async function giveBackDaily(db: Db, tables: Tables, limited: Limited, day: string): Promise<void> {
  await addDaily(db, tables, limited, day, -limited.amountMicroUsdc);
}

async function addDaily(db: Db, tables: Tables, limited: Limited, day: string, amount: bigint): Promise<void> {
  const { payer, recipient } = namesOf(limited, day);
  await addWithin(db, { tables }, payer, amount);
  await addWithin(db, { tables }, recipient, amount);
}

function namesOf({ payer, identityId }: Limited, day: string): { payer: string; recipient: string } {
  return { payer: dailyCounters.payer(day, payer), recipient: dailyCounters.recipient(day, identityId) };
}
