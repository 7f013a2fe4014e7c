import { createHash } from 'node:crypto';
import { addWithin, takeWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many mails with codes may go to one address, and may be asked for from one place. */
export type MailLimits = { perAddressHourMax: number; perAddressDayMax: number; perIpHourMax: number };

export type MailAsked = { address: string; ip: string | null; nowMs: number };

/**
 * Takes one mail from an address's limits; false, and nothing taken, when a limit is reached. Call it before every mail
 * to any address: strangers must not fill a mailbox through us.
 */
export async function takeMail(store: Store, asked: MailAsked, limits: MailLimits): Promise<boolean> {
  const wanted = countersFor(asked, limits);
  return store.tx((db) => takeAll(db, store, wanted));
}

type Counter = { name: string; max: number };

async function takeAll(db: Db, store: Store, wanted: readonly Counter[]): Promise<boolean> {
  const taken: string[] = [];
  for (const { name, max } of wanted) {
    if (!(await takeWithin(db, store, name, 1n, BigInt(max)))) {
      for (const other of taken) await addWithin(db, store, other, -1n);
      return false;
    }
    taken.push(name);
  }
  return true;
}

/** Each hour and day has counters of its own, always in this order, so that no two transactions wait in a circle. */
function countersFor({ address, ip, nowMs }: MailAsked, limits: MailLimits): Counter[] {
  const hour = Math.floor(nowMs / HOUR_MS);
  const day = Math.floor(nowMs / DAY_MS);
  const to = opaque('address', address);
  return [
    { name: `claim_mail:day:${day}:${to}`, max: limits.perAddressDayMax },
    { name: `claim_mail:hour:${hour}:${to}`, max: limits.perAddressHourMax },
    ...(ip === null ? [] : [{ name: `claim_mail:ip:${hour}:${opaque('ip', ip)}`, max: limits.perIpHourMax }]),
  ];
}

/** Expired counters: of each kind those whose names sort before `before` as text. */
export function mailCountersBefore(nowMs: number): { prefix: string; before: string }[] {
  // One hour or day more, for transactions begun in it. The numbers keep the same length until 2084.
  const hour = Math.floor(nowMs / HOUR_MS) - 1;
  const day = Math.floor(nowMs / DAY_MS) - 1;
  const ended = [`claim_mail:day:`, `claim_mail:hour:`, `claim_mail:ip:`] as const;
  return ended.map((prefix) => ({ prefix, before: `${prefix}${prefix === 'claim_mail:day:' ? day : hour}` }));
}

/** Counters survive the erasure of a person's data, so they must not name the person. */
function opaque(kind: string, text: string): string {
  return createHash('sha256').update(`pennypost/claim-mail/${kind}/${text}`).digest('hex').slice(0, 24);
}

/** When the present hour's counters expire. */
export function secondsToNextHour(nowMs: number): number {
  return Math.ceil((HOUR_MS - (nowMs % HOUR_MS)) / 1_000);
}
