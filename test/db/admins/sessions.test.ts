import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SESSION_IDLE_MS, SESSION_MS } from '../../../core/admins/admins.ts';
import { acceptInvite, changeRole, inviteAdmin, removeAdmin } from '../../../db/admins/admins.ts';
import { endSession, findSession, openSession } from '../../../db/admins/sessions.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { START_MS } from '../../support/books.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onBothDatabases } from '../../support/postgres.ts';

onBothDatabases((fresh) => {
  let store: Store;
  beforeAll(async () => {
    const address = await fresh();
    store = address === undefined ? await openTestStore() : await openMigrated(address);
  });
  // A new passkey for each test; what was signed before stays known.
  beforeEach(async () => {
    const command = { name: 'admin invite', arguments: [], who: 'test' };
    await inviteAdmin(store, { name: 'ada', role: 'owner', linkHash: 'link' }, command, START_MS);
    await acceptInvite(store, 'link', { id: 'one', publicKey: 'key', counter: 0, transports: [] }, START_MS);
    await store.tx((db) => db.delete(store.tables.adminSessions));
  });
  afterAll(() => store.close());

  const ADA = { name: 'ada', role: 'owner' };
  const signIn = (cookieHash: string, counter: number, challengeHash = cookieHash) =>
    openSession(store, { passkeyId: 'one', counter, cookieHash, challengeHash }, START_MS);

  test('what was signed opens one session, also when that has ended', async () => {
    expect(await signIn('first', 0, 'same')).toEqual(ADA);
    expect(await signIn('second', 0, 'same')).toBeNull();
    await endSession(store, 'first', START_MS);
    expect(await signIn('third', 0, 'same')).toBeNull();
    expect(await findSession(store, 'first', START_MS)).toBeNull();
  });

  test('a count that is over is a copy', async () => {
    expect(await signIn('first', 5)).toEqual(ADA);
    expect(await signIn('second', 5)).toBeNull();
    expect(await signIn('third', 0)).toBeNull();
    expect(await signIn('fourth', 6)).toEqual(ADA);
  });

  test('it ends when nobody uses it, and at its end whatever is done', async () => {
    await signIn('first', 1);
    expect(await findSession(store, 'first', START_MS + SESSION_IDLE_MS)).toBeNull();
    let atMs = START_MS;
    for (; atMs < START_MS + SESSION_MS; atMs += SESSION_IDLE_MS - 1)
      expect(await findSession(store, 'first', atMs)).toEqual(ADA);
    expect(await findSession(store, 'first', START_MS + SESSION_MS)).toBeNull();
  });

  test('whoever is removed, or owner no longer, leaves no invitation behind', async () => {
    const command = { name: 'admin', arguments: [], who: 'console:mallory' };
    const passkey = { id: 'two', publicKey: 'key', counter: 0, transports: [] };
    const invite = (name: string, linkHash: string) =>
      inviteAdmin(store, { name, role: 'owner', linkHash }, command, START_MS);
    await invite('mallory', 'mallorys');
    await acceptInvite(store, 'mallorys', { ...passkey, id: 'mallorys' }, START_MS);
    await invite('ada', 'for ada');
    expect(await changeRole(store, { name: 'mallory', role: 'viewer' }, command, START_MS)).toBe(true);
    expect(await acceptInvite(store, 'for ada', passkey, START_MS)).toBeNull();
    await invite('bob', 'for bob');
    expect(await removeAdmin(store, 'mallory', command, START_MS)).toBe(true);
    expect(await acceptInvite(store, 'for bob', passkey, START_MS)).toBeNull();
    expect(await removeAdmin(store, 'nobody', command, START_MS)).toBe(false);
  });
});
