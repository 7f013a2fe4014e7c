import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { PLATFORM_NAMES, type Platform } from '../../../core/platforms/platforms.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { createResolver } from '../../../identity/resolve.ts';
import { platformIdentity } from '../../../identity/platforms/platforms.ts';
import { createResolvers } from '../../../identity/platforms/resolvers.ts';
import { startDnsServer } from '../../../local/identity/name-server.ts';
import { answering, createTestLog, startServer } from '../servers.ts';
import { startGithubStandIn, startHubStandIn, startInstagramStandIn, startXStandIn } from '../stand-ins.ts';

const START_MS = 1_800_000_000_000;

function create(env: Record<string, string>) {
  const { log, lines } = createTestLog();
  const clock = { nowMs: START_MS };
  const now = () => clock.nowMs;
  const { resolvers, close } = createResolvers(parseConfig(env).identity, { log, now });
  onTestFinished(close);
  const { resolve } = createResolver({ resolvers, now, log });
  return {
    resolve: (platform: Platform, name: string) => resolve(parseRecipient(platform, name)),
    resolvers,
    lines,
    clock,
  };
}

test('every platform is asked at the endpoint that the configuration names', async () => {
  const standIns = await Promise.all([
    startXStandIn({ appToken: 'x-token', find: (name) => ({ id: '1', username: name }) }),
    startGithubStandIn({ authorizations: ['Bearer gh-token'], find: (login) => ({ id: 2, login, type: 'User' }) }),
    startInstagramStandIn({ appToken: 'ig-token', accountId: '17', find: (username) => ({ id: '3', username }) }),
    startHubStandIn({ find: (name) => ({ fid: 4, name }) }),
  ]);
  const dns = await startDnsServer((_name, type) => (type === 'MX' ? ['10 mail.example.com'] : []));
  onTestFinished(async () => {
    await Promise.all([...standIns, dns].map((server) => server.close()));
  });
  const [x, github, instagram, hub] = standIns;
  const { resolve, lines } = create({
    X_APP_TOKEN: 'x-token',
    X_LOOKUP_URL: `${x.url}/2/users/by/username/{name}`,
    GITHUB_APP_TOKEN: 'gh-token',
    GITHUB_LOOKUP_URL: `${github.url}/users/{name}`,
    INSTAGRAM_APP_TOKEN: 'ig-token',
    INSTAGRAM_LOOKUP_URL: `${instagram.url}/v25.0/17`,
    FARCASTER_HUB_URL: hub.url,
    DNS_SERVERS: dns.address,
  });
  const people: readonly (readonly [Platform, string, string])[] = [
    ['x', 'alice', '1'],
    ['code', 'alice', '2'],
    ['photo', 'alice', '3'],
    ['decsocial', 'alice', '4'],
    ['email', 'alice@example.com', 'alice@example.com'],
    ['web', 'example.com', 'example.com'],
    ['discord', '42', '42'],
    ['telegram', '42', '42'],
  ];
  for (const [platform, name, stableId] of people) {
    expect(await resolve(platform, name), platform).toMatchObject({ kind: 'found', stableId });
  }
  expect(lines).toEqual([]);
});

test('what is not configured cannot be asked', () => {
  const { resolvers } = create({ INSTAGRAM_APP_TOKEN: 'token' });
  const absent = Object.entries(resolvers).filter(([, resolver]) => resolver === null);
  const needy = PLATFORM_NAMES.filter((platform) => platformIdentity(platform).needs !== undefined);
  expect(absent.map(([platform]) => platform).toSorted()).toEqual(needy.toSorted());
  expect(needy).toEqual(expect.arrayContaining(['decsocial', 'photo', 'x']));
});

describe('trouble', () => {
  async function createBroken(status: number) {
    const { url, requests } = await startServer(answering(status, '{"secret":"leak"}'));
    return { ...create({ X_APP_TOKEN: 'x-token', X_LOOKUP_URL: `${url}/{name}` }), requests };
  }

  test('is one line in the log, without handle, URL, token or answer', async () => {
    const { resolve, lines, requests } = await createBroken(401);
    for (const name of ['alice', 'bob', 'carol']) expect(await resolve('x', name)).toEqual({ kind: 'unavailable' });
    expect(requests()).toBe(3);
    const text = 'identity provider gave no usable answer';
    expect(lines).toEqual([{ details: { platform: 'x', reason: 'status 401' }, text }]);
  });

  test('is reported again when it still holds after ten minutes', async () => {
    const { resolve, lines, clock } = await createBroken(200);
    await resolve('x', 'alice');
    clock.nowMs += 10 * 60_000 - 1;
    await resolve('x', 'alice');
    expect(lines).toHaveLength(1);
    clock.nowMs += 1;
    await resolve('x', 'alice');
    expect(lines).toHaveLength(2);
  });

  test('of another kind is another line', async () => {
    let status = 429;
    const { url } = await startServer((request, response) => answering(status, '{}')(request, response));
    const { resolve, lines } = create({ X_APP_TOKEN: 'x-token', X_LOOKUP_URL: url });
    await resolve('x', 'alice');
    status = 503;
    await resolve('x', 'alice');
    expect(lines.map(({ details }) => details)).toEqual([
      { platform: 'x', reason: 'status 429' },
      { platform: 'x', reason: 'status 503' },
    ]);
  });
});
