import { and, eq, gt, gte, inArray, isNotNull, lt, lte, ne, or } from 'drizzle-orm';
import { PERSON_KNOWN_MS, PERSON_SEEN_AGAIN_MS, type SeenPerson } from '../../core/communities/people.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Community } from './community-settings.ts';

/**
 * Records who was seen in a community, and by which name. A platform gives a name to one person at a time, so
 * its former owner has lost it, in every community. A sighting older than the row changes nothing.
 */
export async function notePeople(
  store: Store,
  community: Community,
  people: readonly SeenPerson[],
  seenAtMs: number,
): Promise<void> {
  const seen = eachOnce(people);
  const changed = await unknownOf(store, community, seen, seenAtMs);
  if (changed.length === 0) return;
  await store.tx(async (db) => {
    for (const person of changed) await noteOne(db, store.tables, community, person, seenAtMs);
  });
}

/** Of several mentions of a person, the last. */
function eachOnce(people: readonly SeenPerson[]): SeenPerson[] {
  const seen = people.map(({ username, ...rest }) => ({ ...rest, username: username?.toLowerCase() ?? null }));
  return [...new Map(seen.map((person) => [person.userId, person])).values()];
}

/** Most events show nobody new, and then cost one read. */
async function unknownOf(
  store: Store,
  community: Community,
  people: readonly SeenPerson[],
  seenAtMs: number,
): Promise<SeenPerson[]> {
  if (people.length === 0) return [];
  const { communityPeople: table } = store.tables;
  const ids = people.map(({ userId }) => userId);
  const rows = await store.read
    .select()
    .from(table)
    .where(and(isIn(store.tables, community), inArray(table.userId, ids)));
  const known = new Map(rows.map((row) => [row.userId, row]));
  return people.filter(({ userId, username, name, isBot }) => {
    const row = known.get(userId);
    if (row === undefined) return true;
    const isSame = row.username === username && row.isBot === isBot && (name ?? row.name) === row.name;
    return row.seenAtMs < seenAtMs && !(isSame && row.seenAtMs > seenAtMs - PERSON_SEEN_AGAIN_MS);
  });
}

async function noteOne(
  db: Db,
  tables: Tables,
  { transport, communityId }: Community,
  person: SeenPerson,
  seenAtMs: number,
): Promise<void> {
  const { communityPeople: table } = tables;
  const { userId, username, name } = person;
  const isEarlier = and(eq(table.transport, transport), lte(table.seenAtMs, seenAtMs));
  // Also this person's older names, in communities where they were not seen since.
  const isOtherName = username === null ? undefined : ne(table.username, username);
  const isOldName = and(isEarlier, eq(table.userId, userId), isOtherName);
  // All conditions on each side, so that each has its index.
  const isLost =
    username === null
      ? isOldName
      : or(isOldName, and(isEarlier, eq(table.username, username), ne(table.userId, userId)));
  await db.update(table).set({ username: null }).where(isLost);
  const now = { username: (await isLostSince(db, tables, transport, person, seenAtMs)) ? null : username };
  await db
    .insert(table)
    .values({ transport, communityId, ...person, ...now, firstSeenAtMs: seenAtMs, seenAtMs })
    .onConflictDoUpdate({
      target: [table.transport, table.communityId, table.userId],
      set: { ...now, ...(name === undefined ? {} : { name }), isBot: person.isBot, seenAtMs },
      setWhere: lt(table.seenAtMs, seenAtMs),
    });
}

/** An event may be taken up late, when another person already has the name. */
async function isLostSince(
  db: Db,
  { communityPeople: table }: Tables,
  transport: string,
  { userId, username }: SeenPerson,
  seenAtMs: number,
): Promise<boolean> {
  if (username === null) return false;
  const isTheirs = and(eq(table.transport, transport), eq(table.username, username), ne(table.userId, userId));
  const [row] = await db
    .select({ userId: table.userId })
    .from(table)
    .where(and(isTheirs, gt(table.seenAtMs, seenAtMs)));
  return row !== undefined;
}

export type Bearer = Pick<SeenPerson, 'userId' | 'isBot'> & { seenAtMs: number };

/** Who has these names in this community, by the name in lower case. Nobody else's directory is asked. */
export async function bearersOf(
  store: Store,
  community: Community,
  names: readonly string[],
  nowMs: number,
): Promise<Map<string, Bearer>> {
  const { communityPeople: table } = store.tables;
  if (names.length === 0) return new Map();
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const isFresh = gte(table.seenAtMs, nowMs - PERSON_KNOWN_MS);
  const rows = await store.read
    .select()
    .from(table)
    .where(and(isIn(store.tables, community), inArray(table.username, wanted), isFresh))
    .orderBy(table.seenAtMs);
  return new Map(
    rows.flatMap(({ username, userId, isBot, seenAtMs }) =>
      username === null ? [] : [[username, { userId, isBot, seenAtMs }]],
    ),
  );
}

/** What the chat calls these people, as far as they were seen in this community lately. */
export async function chatNamesOf(
  store: Store,
  community: Community,
  userIds: readonly string[],
  nowMs: number,
): Promise<Map<string, string>> {
  const { communityPeople: table } = store.tables;
  if (userIds.length === 0) return new Map();
  const isFresh = gte(table.seenAtMs, nowMs - PERSON_KNOWN_MS);
  const rows = await store.read
    .select({ userId: table.userId, name: table.name })
    .from(table)
    .where(and(isIn(store.tables, community), inArray(table.userId, [...new Set(userIds)]), isFresh));
  return new Map(rows.flatMap(({ userId, name }) => (name === null ? [] : [[userId, name]])));
}

/**
 * What these people are called for one reader in private: where both were seen lately, or as they told the bot in private
 * themselves. Of several names the newest. Nobody learns a name from a group that they were not seen in.
 */
export async function namesKnownTo(
  store: Store,
  reader: { transport: string; userId: string },
  userIds: readonly string[],
  nowMs: number,
): Promise<Map<string, string>> {
  const { communityPeople: table } = store.tables;
  if (userIds.length === 0) return new Map();
  const isFresh = and(eq(table.transport, reader.transport), gte(table.seenAtMs, nowMs - PERSON_KNOWN_MS));
  const whereReaderIs = store.read
    .select({ communityId: table.communityId })
    .from(table)
    .where(and(isFresh, eq(table.userId, reader.userId)));
  const isOpen = or(inArray(table.communityId, whereReaderIs), eq(table.communityId, table.userId));
  const rows = await store.read
    .select({ userId: table.userId, name: table.name })
    .from(table)
    .where(and(isFresh, inArray(table.userId, [...new Set(userIds)]), isNotNull(table.name), isOpen))
    .orderBy(table.seenAtMs);
  return new Map(rows.flatMap(({ userId, name }) => (name === null ? [] : [[userId, name]])));
}

/** Whether all of them were seen in this community lately. */
export async function areSeen(
  store: Store,
  community: Community,
  userIds: readonly string[],
  nowMs: number,
): Promise<boolean> {
  const { communityPeople: table } = store.tables;
  const isFresh = gte(table.seenAtMs, nowMs - PERSON_KNOWN_MS);
  const rows = await store.read
    .select({ userId: table.userId })
    .from(table)
    .where(and(isIn(store.tables, community), inArray(table.userId, [...userIds]), isFresh));
  return rows.length === new Set(userIds).size;
}

/** Forgets people nobody has seen for so long that their name may be another's. Answers how many. */
export async function forgetPeople(store: Store, nowMs: number, limit: number): Promise<number> {
  const { communityPeople: table, communityAnswers: answers } = store.tables;
  const isOver = lt(table.seenAtMs, nowMs - PERSON_KNOWN_MS);
  const due = await store.read.select().from(table).where(isOver).limit(limit);
  if (due.length === 0) return 0;
  await store.tx(async (db) => {
    for (const { transport, communityId, userId } of due) {
      const isTheirs = and(isIn(store.tables, { transport, communityId }), eq(table.userId, userId), isOver);
      const gone = await db.delete(table).where(isTheirs).returning({ userId: table.userId });
      if (gone.length === 0) continue;
      const isOfThem = and(eq(answers.transport, transport), eq(answers.communityId, communityId));
      await db.delete(answers).where(and(isOfThem, eq(answers.userId, userId)));
    }
  });
  return due.length;
}

function isIn({ communityPeople: table }: Tables, { transport, communityId }: Community) {
  return and(eq(table.transport, transport), eq(table.communityId, communityId));
}
