import { and, count, eq, gte, inArray, lte } from 'drizzle-orm';
import {
  ANSWERED_MIN,
  countsAnswer,
  isLongKnown,
  KNOWN_AFTER_MS,
  type AnsweredMessage,
} from '../../core/communities/people.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Community } from './community-settings.ts';

/** A message of this person that another one has answered. Most of them change nothing, and cost a read. */
export async function noteAnswer(
  store: Store,
  community: Community,
  { userId, ...answer }: AnsweredMessage & { userId: string },
): Promise<void> {
  if (answer.byId === userId) return;
  const { communityAnswers: table } = store.tables;
  const member = { ...community, userId };
  if (!countsAnswer(await answersTo(store.read, store.tables, member), answer)) return;
  const { transport, communityId } = community;
  await store.tx(async (db) => {
    if (!countsAnswer(await answersTo(db, store.tables, member), answer)) return;
    await db.insert(table).values({ transport, communityId, userId, ...answer });
  });
}

type Member = Community & { userId: string };

async function answersTo(
  db: Db,
  { communityAnswers: table }: Tables,
  { transport, communityId, userId }: Member,
): Promise<AnsweredMessage[]> {
  return db
    .select({ messageId: table.messageId, byId: table.byId })
    .from(table)
    .where(and(eq(table.transport, transport), eq(table.communityId, communityId), eq(table.userId, userId)));
}

/** Which of these people have been known there for long. */
export async function longKnownAmong(
  store: Store,
  { transport, communityId }: Community,
  userIds: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const { communityPeople: people, communityAnswers: answers } = store.tables;
  const seen = await store.read
    .select({ userId: people.userId, firstSeenAtMs: people.firstSeenAtMs })
    .from(people)
    .where(
      and(
        eq(people.transport, transport),
        eq(people.communityId, communityId),
        inArray(people.userId, [...userIds]),
        eq(people.isBot, false),
      ),
    );
  const answered = await store.read
    .select({ userId: answers.userId })
    .from(answers)
    .where(
      and(
        eq(answers.transport, transport),
        eq(answers.communityId, communityId),
        inArray(answers.userId, [...userIds]),
      ),
    );
  const known = seen.filter(({ userId, firstSeenAtMs }) => {
    const count = answered.filter((one) => one.userId === userId).length;
    return isLongKnown({ firstSeenAtMs, answered: count }, nowMs);
  });
  return new Set(known.map(({ userId }) => userId));
}

/** Whether anybody there is known for long, so that not everybody is asked in vain. */
export async function isAnyoneKnown(
  store: Store,
  { transport, communityId }: Community,
  nowMs: number,
): Promise<boolean> {
  const { communityPeople: people, communityAnswers: answers } = store.tables;
  const isTheirs = and(
    eq(answers.transport, people.transport),
    eq(answers.communityId, people.communityId),
    eq(answers.userId, people.userId),
  );
  const [found] = await store.read
    .select({ userId: people.userId })
    .from(people)
    .innerJoin(answers, isTheirs)
    .where(
      and(
        eq(people.transport, transport),
        eq(people.communityId, communityId),
        eq(people.isBot, false),
        lte(people.firstSeenAtMs, nowMs - KNOWN_AFTER_MS),
      ),
    )
    .groupBy(people.userId)
    .having(gte(count(), ANSWERED_MIN))
    .limit(1);
  return found !== undefined;
}
