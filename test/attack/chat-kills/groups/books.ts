import { and, eq, inArray } from 'drizzle-orm';
import { DEFAULT_SETTINGS } from '../../../../core/communities/community-settings.ts';
import type { LineState } from '../../../../core/states.ts';
import { ANSWERED_MIN, KNOWN_AFTER_MS } from '../../../../core/communities/people.ts';
import { changeCommunitySettings } from '../../../../db/communities/community-settings.ts';
import { chooseRequests, EVERYBODY } from '../../../../db/money-requests/money-requests.ts';
import { firstLines } from '../../../../db/tips/blocks.ts';
import { topOf } from '../../../../db/tips/top.ts';
import type { Store } from '../../../../db/store/store.ts';
import { REGULARS, type Regular, type Screen } from './screen.ts';

const LONG_AGO_MS = 2 * KNOWN_AFTER_MS;

/** All may be asked for money; two may take shares, by their role or because they are known there for long. */
export async function admit(
  store: Store,
  screen: Pick<Screen, 'transport' | 'communityId'> & { userId: (member: Regular) => string },
  roleId: string | null,
): Promise<void> {
  const nowMs = Date.now();
  const { transport, communityId } = screen;
  for (const member of REGULARS) {
    await chooseRequests(store, { userId: screen.userId(member), otherId: EVERYBODY, isAllowed: true }, nowMs);
  }
  if (roleId !== null) {
    const settings = { ...DEFAULT_SETTINGS, dropRole: { id: roleId, name: 'crew' } };
    const change = { changedBy: screen.userId('giver'), nowMs };
    await changeCommunitySettings(store, { transport, communityId }, change, () => ({ kind: 'changed', settings }));
    return;
  }
  const { communityPeople, communityAnswers } = store.tables;
  await store.tx(async (db) => {
    for (const userId of REGULARS.map((member) => screen.userId(member))) {
      const seen = { username: null, isBot: false, firstSeenAtMs: nowMs - LONG_AGO_MS, seenAtMs: nowMs };
      await db.insert(communityPeople).values({ transport, communityId, userId, ...seen });
      for (let at = 0; at < ANSWERED_MIN; at += 1) {
        const answer = { messageId: `before${at}`, byId: `${transport}:${at + 1}` };
        await db.insert(communityAnswers).values({ transport, communityId, userId, ...answer });
      }
    }
  });
}

/** The minutes of a drop are over; the bot finds that by itself. */
export async function passTime(store: Store, giverId: string): Promise<void> {
  const { drops } = store.tables;
  const nowMs = Date.now();
  const isIt = and(eq(drops.giverId, giverId), eq(drops.status, 'open'));
  await store.tx((db) => db.update(drops).set({ closesAtMs: nowMs, nextLookAtMs: nowMs }).where(isIt));
}

export type GroupBooks = {
  /** What has landed for each person, by the platform's id. */
  landed: ReadonlyMap<string, readonly bigint[]>;
  /** How many drops of each giver, and bills of each asker, were agreed to and are told. */
  drops: ReadonlyMap<string, readonly boolean[]>;
  bills: ReadonlyMap<string, readonly boolean[]>;
  /** By who tipped: what became of each line that was paid. */
  tips: ReadonlyMap<string, readonly LineState[]>;
};

/** More people than a group of the plan has. */
const LISTED_MAX = 10;

/** Who stands in a group's list, with how many people they have thanked. */
export async function readTop(
  store: Store,
  { transport, communityId }: Pick<Screen, 'transport' | 'communityId'>,
): Promise<ReadonlyMap<string, number>> {
  const top = await topOf(store, { transport, communityId }, { sinceMs: 0, limit: LISTED_MAX });
  return new Map(top.map(({ userId, people }) => [userId, people]));
}

export async function readGroupBooks(store: Store): Promise<GroupBooks> {
  const { read, tables } = store;
  const { lines, payments, drops, moneyRequests, orders } = tables;
  const rows = await read
    .select({ platform: lines.platform, key: lines.recipientKey, amount: lines.amountMicroUsdc })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(payments.status, ['settled', 'final']));
  const told = await read.select({ id: orders.id, status: orders.status, shownAtMs: orders.shownAtMs }).from(orders);
  const over = new Set(told.flatMap((one) => (one.status === 'answered' && one.shownAtMs !== null ? [one.id] : [])));
  const isOver = (orderId: string | null) => orderId !== null && over.has(orderId);
  const dropRows = await read.select({ who: drops.giverId, orderId: drops.orderId }).from(drops);
  const billRows = await read
    .select({ who: moneyRequests.askerId, orderId: moneyRequests.orderId })
    .from(moneyRequests);
  const first = firstLines(store);
  const tips = await read
    .select({ who: orders.userId, status: lines.status })
    .from(orders)
    .innerJoin(first, eq(first.firstTxnId, orders.txnId))
    .innerJoin(lines, eq(lines.paymentId, first.paidBy));
  return {
    tips: gather(tips.map(({ who, status }) => [who, status])),
    landed: gather(rows.map(({ platform, key, amount }) => [`${platform}:${key}`, amount])),
    drops: gather(dropRows.map(({ who, orderId }) => [who, isOver(orderId)])),
    bills: gather(billRows.map(({ who, orderId }) => [who, isOver(orderId)])),
  };
}

function gather<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const found = new Map<string, Value[]>();
  for (const [key, value] of pairs) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}
