import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_ROLES, mayDo, type AdminRole } from '../../../core/admins/admins.ts';
import { changeRole } from '../../../db/admins/admins.ts';
import { ROUTES, type Route } from '../../../service/console/routes.ts';
import { createConsoleHarness, type Browser, type ConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
let browsers: Record<AdminRole, Browser>;
beforeAll(async () => {
  harness = await createConsoleHarness();
  browsers = {
    viewer: await harness.signedIn('vera', 'viewer'),
    operator: await harness.signedIn('otto', 'operator'),
    owner: await harness.signedIn('olga', 'owner'),
  };
});
afterAll(async () => {
  await harness.close();
});

const ask = (browser: Browser, { kind, path }: Route): Promise<Response> =>
  kind === 'page' ? browser.get(path) : browser.post(path);

/** By hand, so that a right that changes in the code is noticed here. */
const LEAST: Readonly<Record<string, AdminRole>> = {
  '/': 'viewer',
  '/flows': 'viewer',
  '/search': 'viewer',
  '/held': 'viewer',
  '/suspense': 'viewer',
  '/stops': 'viewer',
  '/reports': 'viewer',
  '/limits': 'viewer',
  '/exports': 'viewer',
  '/admins': 'viewer',
  '/audit': 'viewer',
  '/export.csv': 'operator',
  '/do/release': 'operator',
  '/do/give-back': 'operator',
  '/do/return': 'operator',
  '/do/stop': 'operator',
  '/do/resume': 'operator',
  '/do/close-report': 'operator',
  '/do/bar-page': 'operator',
  '/do/repeat-event': 'operator',
  '/do/invite': 'owner',
  '/do/role': 'owner',
  '/do/remove': 'owner',
};

test('each route is in the table, and the console has no other but the sign-in', () => {
  expect(ROUTES.map(({ path }) => path).toSorted()).toEqual(Object.keys(LEAST).toSorted());
  const open = ['/*', '/assets/:version/:name', '/sign-in', '/invite/*', '/invite/:secret', '/sign-out'];
  const mounted = new Set(harness.app.routes.map(({ path }) => path));
  expect([...mounted].filter((path) => !(path in LEAST) && !open.includes(path))).toEqual([]);
});

describe.each(ROUTES.map((route) => [route.path, route] as const))('%s', (path, route) => {
  test('is closed without a session', async () => {
    const answer = await ask(harness.openBrowser(), route);
    if (route.kind === 'page') expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
    else expect(answer.status).toBe(401);
  });

  test.each(ADMIN_ROLES)('for a %s', async (role) => {
    const before = (await harness.actions()).length;
    const answer = await ask(browsers[role], route);
    const least = LEAST[path] ?? 'owner';
    const isAllowed = ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(least);
    expect(mayDo(role, route.right)).toBe(isAllowed);
    if (!isAllowed) {
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain(`The role ${role} may not do that.`);
      expect(await harness.actions()).toHaveLength(before);
    } else if (route.kind === 'page') expect(answer.status).toBe(200);
    else expect([200, 400, 409]).toContain(answer.status);
    await answer.body?.cancel().catch(() => undefined);
  });
});

test('no form makes a role bigger: not one’s own, and not by fields that nobody asked for', async () => {
  const wishes: [string, Record<string, string>][] = [
    ['/do/role', { name: 'otto', role: 'owner' }],
    ['/do/invite', { name: 'otto', role: 'owner', right: 'look' }],
    ['/do/release', { payout: 'x', role: 'owner', admin: 'olga' }],
    ['/do/remove', { name: 'olga' }],
  ];
  for (const [path, fields] of wishes) await browsers.operator.post(path, fields);
  const { admins, adminInvites } = harness.store.tables;
  const rows = await harness.store.read.select().from(admins);
  expect(Object.fromEntries(rows.map(({ name, role, removedAtMs }) => [name, removedAtMs ?? role]))).toEqual({
    olga: 'owner',
    otto: 'operator',
    vera: 'viewer',
  });
  expect(await harness.store.read.$count(adminInvites)).toBe(0);
  expect(await (await browsers.operator.get('/admins')).text()).not.toContain('/do/');
});

test('a page shows the forms that its reader may send, and a smaller role counts from the next request on', async () => {
  expect(await (await browsers.viewer.get('/stops')).text()).not.toContain('/do/stop');
  expect(await (await browsers.operator.get('/stops')).text()).toContain('/do/stop');
  expect(await (await browsers.owner.get('/admins')).text()).toContain('/do/invite');
  const command = { name: 'admin role', arguments: [], who: 'test' };
  await changeRole(harness.store, { name: 'olga', role: 'viewer' }, command, harness.clock.nowMs);
  expect((await browsers.owner.post('/do/stop', { network: 'all', kind: 'signing' })).status).toBe(403);
  await changeRole(harness.store, { name: 'olga', role: 'owner' }, command, harness.clock.nowMs);
});
