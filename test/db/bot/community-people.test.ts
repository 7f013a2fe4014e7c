/** Whom a community knows by name: a name is one person's at a time, and nobody's for long. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERSON_KNOWN_MS } from '../../../core/communities/people.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { moveCommunity } from '../../../db/communities/community-move.ts';
import {
  bearersOf,
  chatNamesOf,
  forgetPeople,
  namesKnownTo,
  notePeople,
} from '../../../db/communities/community-people.ts';
import { lastSeenCommunities } from '../../../db/communities/last-seen.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const DAY_MS = 86_400_000;
const START_MS = 1_800_000_000_000;

onBothDatabases((fresh) => {
  let store: Store;
  let counter = 0;
  beforeAll(async () => {
    const address = await fresh();
    store = address === undefined ? await openTestStore() : await openMigrated(address);
  });
  afterAll(() => store.close());

  /** Names are the platform's, so each test has a platform of its own. */
  const newPlatform = () => ({ transport: `test-${++counter}`, communityId: 'one' });
  const person = (userId: string, username: string | null) => ({ userId, username, isBot: false });
  const bearer = async (community: { transport: string; communityId: string }, name: string, nowMs = START_MS) =>
    (await bearersOf(store, community, [name], nowMs)).get(name.toLowerCase())?.userId;

  test('a name is found in any case, in this community alone', async () => {
    const here = newPlatform();
    await notePeople(store, here, [person('t:1', 'Anna'), person('t:2', null)], START_MS);
    expect(await bearer(here, 'aNNa')).toBe('t:1');
    expect(await bearer({ ...here, communityId: 'two' }, 'anna')).toBeUndefined();
    expect(await bearer(here, 'carl')).toBeUndefined();
  });

  test('what the chat calls a person is the newest that was seen there, for 30 days, and no sighting without one takes it', async () => {
    const here = newPlatform();
    const called = async (nowMs = START_MS) => [...(await chatNamesOf(store, here, ['t:1', 't:2', 't:3'], nowMs))];
    const named = (name: string) => ({ ...person('t:1', 'anna'), name });
    await notePeople(store, here, [named('Anna'), person('t:2', 'bea')], START_MS);
    expect(await called()).toEqual([['t:1', 'Anna']]);
    await notePeople(store, here, [person('t:1', 'anna')], START_MS + DAY_MS);
    expect(await called()).toEqual([['t:1', 'Anna']]);
    await notePeople(store, here, [named('Anna B.')], START_MS + DAY_MS + 1);
    expect(await called()).toEqual([['t:1', 'Anna B.']]);
    expect(await chatNamesOf(store, { ...here, communityId: 'two' }, ['t:1'], START_MS)).toEqual(new Map());
    const lapsedMs = START_MS + DAY_MS + 1 + PERSON_KNOWN_MS;
    expect([await called(lapsedMs), await called(lapsedMs + 1)]).toEqual([[['t:1', 'Anna B.']], []]);
  });

  test('in private a reader is told the name of whom they share a place with, and of who told the bot in private', async () => {
    const here = newPlatform();
    const { transport } = here;
    const [reader, met, stranger, direct] = [1, 2, 3, 4].map((id) => `${transport}:${String(id)}`) as [
      string,
      string,
      string,
      string,
    ];
    const named = (userId: string, name: string) => ({ ...person(userId, null), name });
    const elsewhere = { transport, communityId: 'two' };
    const known = async (nowMs = START_MS) => [
      ...(await namesKnownTo(store, { transport, userId: reader }, [met, stranger, direct], nowMs)),
    ];
    await notePeople(store, here, [named(reader, 'Anna'), named(met, 'Bea')], START_MS);
    await notePeople(store, elsewhere, [named(met, 'Beatrix'), named(stranger, 'Cleo')], START_MS + 1);
    await notePeople(store, { transport, communityId: direct }, [named(direct, 'Dora')], START_MS);
    // Whom another one names in private is that one's business.
    await notePeople(store, { transport, communityId: direct }, [named(stranger, 'Cleo')], START_MS);
    expect(await known()).toEqual([
      [met, 'Bea'],
      [direct, 'Dora'],
    ]);
    await notePeople(store, { transport, communityId: reader }, [named(stranger, 'Cleo C.')], START_MS);
    await notePeople(store, { transport, communityId: reader }, [named(reader, 'Anna')], START_MS);
    expect(new Map(await known()).get(stranger)).toBe('Cleo C.');
    expect(await known(START_MS + PERSON_KNOWN_MS + 1)).toEqual([]);
    expect((await lastSeenCommunities(store, transport, 9)).toSorted()).toEqual(['one', 'two']);
    // Nothing stays of the private chat of a person who is erased, other names in it included.
    await eraseChatUser(store, direct, START_MS);
    const { communityPeople } = store.tables;
    expect(await store.read.$count(communityPeople, eq(communityPeople.communityId, direct))).toBe(0);
  });

  test('it lapses after 30 days without being seen, and is forgotten', async () => {
    const here = newPlatform();
    await notePeople(store, here, [person('t:1', 'anna')], START_MS);
    expect(await bearer(here, 'anna', START_MS + PERSON_KNOWN_MS)).toBe('t:1');
    expect(await bearer(here, 'anna', START_MS + PERSON_KNOWN_MS + 1)).toBeUndefined();
    await notePeople(store, here, [person('t:1', 'anna')], START_MS + DAY_MS);
    expect(await bearer(here, 'anna', START_MS + PERSON_KNOWN_MS + 1)).toBe('t:1');
    await forgetPeople(store, START_MS + PERSON_KNOWN_MS + DAY_MS, 100);
    expect(await bearer(here, 'anna')).toBe('t:1');
    expect(await forgetPeople(store, START_MS + PERSON_KNOWN_MS + DAY_MS + 1, 100)).toBeGreaterThan(0);
    expect(await bearer(here, 'anna')).toBeUndefined();
  });

  test('a person who gives a name up has lost it, and so has its former bearer, everywhere', async () => {
    const here = newPlatform();
    const there = { ...here, communityId: 'two' };
    await notePeople(store, here, [person('t:1', 'anna')], START_MS);
    await notePeople(store, there, [person('t:2', 'anna')], START_MS + 1);
    expect(await bearer(here, 'anna')).toBeUndefined();
    expect(await bearer(there, 'anna')).toBe('t:2');
    await notePeople(store, here, [person('t:2', 'bea')], START_MS + 2);
    expect(await bearer(there, 'anna')).toBeUndefined();
    expect(await bearer(here, 'bea')).toBe('t:2');
    await notePeople(store, here, [person('t:2', null)], START_MS + 3);
    expect(await bearer(here, 'bea')).toBeUndefined();
  });

  test('what comes late takes no name from who bears it by now', async () => {
    const here = newPlatform();
    await notePeople(store, { ...here, communityId: 'two' }, [person('t:2', 'anna')], START_MS + 5);
    await notePeople(store, here, [person('t:1', 'anna')], START_MS);
    expect(await bearer(here, 'anna')).toBeUndefined();
    expect(await bearer({ ...here, communityId: 'two' }, 'anna')).toBe('t:2');
  });

  test('a group that moves takes along whom it knows, and an erased person is known nowhere', async () => {
    const here = newPlatform();
    await notePeople(store, here, [person('t:1', 'anna'), person('t:2', 'bea')], START_MS);
    await moveCommunity(store, { transport: here.transport, from: 'one', to: 'two' });
    const there = { ...here, communityId: 'two' };
    expect(await bearer(here, 'anna')).toBeUndefined();
    expect(await bearer(there, 'anna')).toBe('t:1');
    await eraseChatUser(store, 't:1', START_MS);
    expect(await bearer(there, 'anna')).toBeUndefined();
    expect(await bearer(there, 'bea')).toBe('t:2');
  });
});
