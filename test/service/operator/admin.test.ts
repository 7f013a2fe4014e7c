import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { INVITE_MS } from '../../../core/admins/admins.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { acceptInvite, findInvite } from '../../../db/admins/admins.ts';
import { findSession, openSession } from '../../../db/admins/sessions.ts';
import type { Store } from '../../../db/store/store.ts';
import { linkHashOf } from '../../../service/operator/admin.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { START_MS } from '../../support/books.ts';

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-admin-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

async function admin(words: readonly string[], env: Record<string, string> = { ADMIN_PORT: '8403' }) {
  const all = { DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, ...env };
  return runOperator(() => parseConfig(all), ['admin', ...words], START_MS);
}

async function invited(name: string, role = 'owner') {
  const { text } = await admin(['invite', name, role, '--json']);
  const { url } = JSON.parse(text) as { url: string };
  return { url, linkHash: linkHashOf(url.split('/').at(-1) ?? '') };
}

const passkey = (id: string) => ({ id, publicKey: 'key', counter: 0, transports: [] });
const signIn = (passkeyId: string, counter: number, name = `${passkeyId} ${counter}`) =>
  openSession(store, { passkeyId, counter, cookieHash: name, challengeHash: `challenge of ${name}` }, START_MS);
const actions = async () =>
  (await store.read.select().from(store.tables.operatorActions)).map(({ who, command, arguments: words }) => [
    who,
    command,
    ...words,
  ]);

describe('the command admin', () => {
  test.each([
    [[], 2, 'Expected list'],
    [['list', 'x'], 2, 'Expected list'],
    [['invite', 'ada'], 2, 'Expected list'],
    [['invite', 'ada', 'boss'], 2, 'viewer, operator, owner; found boss'],
    [['invite', 'Ada', 'owner'], 2, 'found Ada'],
    [['remove', 'ada'], 1, 'Nobody is admin as ada'],
    [['role', 'ada', 'owner'], 1, 'Nobody is admin as ada'],
  ])('%j ends with %i and says %j', async (words, exitCode, says) => {
    const result = await admin(words);
    expect([result.exitCode, result.text]).toEqual([exitCode, expect.stringContaining(says)]);
    expect(await actions()).toEqual([]);
  });

  test('without a console there is no link, and with ADMIN_URL it leads there', async () => {
    const none = await admin(['invite', 'ada', 'owner'], {});
    expect([none.exitCode, none.text]).toEqual([1, expect.stringContaining('set ADMIN_PORT')]);
    const env = { ADMIN_PORT: '8403', ADMIN_URL: 'https://console.example.com' };
    expect((await admin(['invite', 'ada', 'owner'], env)).text).toContain('https://console.example.com/invite/');
    expect((await invited('ada')).url).toMatch(/^http:\/\/localhost:8403\/invite\/[\w-]{43}$/);
  });

  test('a link is stored as a hash, works once, for a day, and the next one ends it', async () => {
    const first = await invited('ada');
    const second = await invited('ada');
    expect(JSON.stringify(await store.read.select().from(store.tables.adminInvites))).not.toContain(
      second.url.split('/').at(-1),
    );
    expect(await findInvite(store, first.linkHash, START_MS)).toBeNull();
    expect(await findInvite(store, second.linkHash, START_MS + INVITE_MS)).toBeNull();
    expect(await acceptInvite(store, second.linkHash, passkey('late'), START_MS + INVITE_MS)).toBeNull();
    expect(await acceptInvite(store, second.linkHash, passkey('one'), START_MS)).toEqual({
      name: 'ada',
      role: 'owner',
    });
    expect(await acceptInvite(store, second.linkHash, passkey('two'), START_MS)).toBeNull();
    expect(await actions()).toEqual([
      ['unknown', 'admin invite', 'ada', 'owner'],
      ['unknown', 'admin invite', 'ada', 'owner'],
      ['console:ada', 'admin accept', 'ada', 'owner'],
    ]);
  });

  test('a link for a lost passkey ends the old one and what was signed in with it, and gives no other role', async () => {
    await acceptInvite(store, (await invited('ada', 'viewer')).linkHash, passkey('lost'), START_MS);
    await signIn('lost', 1);
    const other = await admin(['invite', 'ada', 'owner']);
    expect([other.exitCode, other.text]).toEqual([1, expect.stringContaining('ada is viewer')]);
    const { linkHash } = await invited('ada', 'viewer');
    // Until it is used the old one works: who asks for a link has not lost it yet.
    expect(await findSession(store, 'lost 1', START_MS)).toEqual({ name: 'ada', role: 'viewer' });
    await acceptInvite(store, linkHash, passkey('new'), START_MS);
    expect(await findSession(store, 'lost 1', START_MS)).toBeNull();
    expect(await signIn('lost', 2)).toBeNull();
    expect(await signIn('new', 1)).toEqual({ name: 'ada', role: 'viewer' });
  });

  test('a role counts from the next request on, and who is removed is out at once', async () => {
    await acceptInvite(store, (await invited('ada')).linkHash, passkey('one'), START_MS);
    await signIn('one', 1);
    await admin(['role', 'ada', 'viewer']);
    expect(await findSession(store, 'one 1', START_MS)).toEqual({ name: 'ada', role: 'viewer' });
    const { linkHash } = await invited('ada', 'viewer');
    expect((await admin(['list'])).text).toContain('ada  viewer  signs in with a passkey; a link works until');
    expect((await admin(['remove', 'ada'])).exitCode).toBe(0);
    expect(await findSession(store, 'one 1', START_MS)).toBeNull();
    expect(await signIn('one', 2)).toBeNull();
    expect(await findInvite(store, linkHash, START_MS)).toBeNull();
    expect((await admin(['list'])).text).toContain('Nobody may use the console');
  });
});
