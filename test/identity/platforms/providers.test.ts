import { describe, expect, onTestFinished, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import type { Platform } from '../../../core/platforms/platforms.ts';
import { createCodeResolver } from '../../../identity/platforms/code.ts';
import { createDecsocialResolver } from '../../../identity/platforms/decsocial.ts';
import { createGuardedFetch } from '../../../identity/guarded-fetch.ts';
import type { LookupTools } from '../../../identity/lookup.ts';
import { createPhotoResolver } from '../../../identity/platforms/photo.ts';
import type { Resolution, Resolver } from '../../../identity/port.ts';
import { createXResolver } from '../../../identity/platforms/x.ts';
import { answering, startServer } from '../servers.ts';
import {
  startGithubStandIn,
  startHubStandIn,
  startInstagramStandIn,
  startXStandIn,
  type HubOptions,
  type StandIn,
} from '../stand-ins.ts';

const FOREVER = new AbortController().signal;
const FOUND = (stableId: string): Resolution => ({ kind: 'found', stableId });
/** Since when the stand-ins say that a person has the account, or its name. */
const SINCE_MS = {
  x: Date.parse('2013-12-14T04:35:55.000Z'),
  code: Date.parse('2011-01-25T18:44:36Z'),
  decsocial: 1_670_603_245_000,
} as const;
const FOUND_SINCE = (stableId: string, sinceMs: number): Resolution => ({ kind: 'found', stableId, sinceMs });
const NOT_FOUND: Resolution = { kind: 'not-found' };
const UNAVAILABLE: Resolution = { kind: 'unavailable' };

function createTools(timeoutMs = 5_000): LookupTools & { reasons: string[] } {
  const fetch = createGuardedFetch({ timeoutMs, bytesMax: 50_000, redirectsMax: 2, allowsAddress: () => true });
  onTestFinished(() => fetch.close());
  const reasons: string[] = [];
  return { fetch, reasons, report: (reason) => void reasons.push(reason) };
}

async function keep<T extends StandIn>(starting: Promise<T>): Promise<T> {
  const standIn = await starting;
  onTestFinished(() => standIn.close());
  return standIn;
}

const resolve = (resolver: Resolver, platform: Platform, name: string): Promise<Resolution> =>
  resolver(parseRecipient(platform, name), FOREVER);

describe('x', () => {
  const users: Readonly<Record<string, { id: string; username: string; isSuspended?: boolean }>> = {
    alice: { id: '2244994945', username: 'Alice' },
    newest: { id: '18446744073709551615', username: 'newest' },
    banned: { id: '3', username: 'banned', isSuspended: true },
  };
  const startX = () => keep(startXStandIn({ appToken: 'app', find: (name) => users[name] ?? null }));
  const lookupUrl = (url: string) => `${url}/2/users/by/username/{name}`;

  test.each([
    ['found', 'alice', FOUND_SINCE('2244994945', SINCE_MS.x)],
    ['found, in another case', 'ALICE', FOUND_SINCE('2244994945', SINCE_MS.x)],
    ['found, with an id beyond exact numbers', 'newest', FOUND_SINCE('18446744073709551615', SINCE_MS.x)],
    ['unknown', 'nobody', NOT_FOUND],
    ['suspended', 'banned', NOT_FOUND],
  ])('%s: %s', async (_case, name, expected) => {
    const { url } = await startX();
    const tools = createTools();
    const resolver = createXResolver({ lookupUrl: lookupUrl(url), appToken: 'app' }, tools);
    expect(await resolve(resolver, 'x', name)).toEqual(expected);
    expect(tools.reasons).toEqual([]);
  });

  test('a wrong token is a platform that does not answer', async () => {
    const { url } = await startX();
    const tools = createTools();
    const resolver = createXResolver({ lookupUrl: lookupUrl(url), appToken: 'other' }, tools);
    expect(await resolve(resolver, 'x', 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual(['status 401']);
  });

  test('a look-up URL without a place for the name gets it as its last segment', async () => {
    const { url, requests } = await startX();
    const resolver = createXResolver({ lookupUrl: `${url}/2/users/by/username/`, appToken: 'app' }, createTools());
    expect(await resolve(resolver, 'x', 'alice')).toEqual(FOUND_SINCE('2244994945', SINCE_MS.x));
    expect(requests).toEqual(['/2/users/by/username/alice?user.fields=created_at']);
  });

  test.each([
    ['another person', { data: { id: '7', username: 'mallory' } }],
    ['a numeric id', { data: { id: 7, username: 'alice' } }],
    ['an id that is no number', { data: { id: '../7', username: 'alice' } }],
    ['the id 0', { data: { id: '0', username: 'alice' } }],
    ['no id', { data: { username: 'alice' } }],
    ['no user', { data: null }],
    ['another error', { errors: [{ type: 'https://api.twitter.com/2/problems/over-capacity' }] }],
    ['no errors', { errors: [] }],
    ['a list', []],
  ])('an answer with %s is not used', async (_case, body) => {
    const { url } = await startServer(answering(200, JSON.stringify(body)));
    const tools = createTools();
    expect(await resolve(createXResolver({ lookupUrl: url, appToken: 'app' }, tools), 'x', 'alice')).toEqual(
      UNAVAILABLE,
    );
    expect(tools.reasons).toEqual(['unexpected answer with status 200']);
  });
});

describe('code', () => {
  const octocat = { id: 583_231, login: 'OctoCat', type: 'User' } as const;
  const accounts: Readonly<Record<string, { id: number; login: string; type: 'User' | 'Organization' | 'Bot' }>> = {
    octocat,
    github: { id: 9_919, login: 'github', type: 'Organization' },
    'a-bot': { id: 4, login: 'a-bot', type: 'Bot' },
  };
  const startGithub = () =>
    keep(
      startGithubStandIn({
        authorizations: ['Bearer app', `Basic ${Buffer.from('id:secret').toString('base64')}`],
        find: (login) => accounts[login] ?? null,
        findRenamed: (login) => (login === 'oldcat' ? octocat : null),
      }),
    );

  test.each([
    ['found', 'octocat', FOUND_SINCE('583231', SINCE_MS.code)],
    ['found, in another case', 'OCTOCAT', FOUND_SINCE('583231', SINCE_MS.code)],
    ['unknown', 'nobody', NOT_FOUND],
    ['renamed', 'oldcat', NOT_FOUND],
    ['an organisation', 'github', NOT_FOUND],
    ['a bot', 'a-bot', NOT_FOUND],
  ])('%s: %s', async (_case, name, expected) => {
    const { url } = await startGithub();
    const tools = createTools();
    const resolver = createCodeResolver({ lookupUrl: `${url}/users/{name}`, appToken: 'app' }, tools);
    expect(await resolve(resolver, 'code', name)).toEqual(expected);
    expect(tools.reasons).toEqual([]);
  });

  test('a renamed login was followed to its account before it was refused', async () => {
    const { url, requests } = await startGithub();
    const resolver = createCodeResolver({ lookupUrl: `${url}/users/{name}`, appToken: 'app' }, createTools());
    expect(await resolve(resolver, 'code', 'oldcat')).toEqual(NOT_FOUND);
    expect(requests).toEqual(['/users/oldcat', '/user/583231']);
  });

  test.each([
    ['the app token', { appToken: 'app' }, FOUND_SINCE('583231', SINCE_MS.code)],
    ['the OAuth application itself', { clientId: 'id', clientSecret: 'secret' }, FOUND_SINCE('583231', SINCE_MS.code)],
    [
      'the app token before the application',
      { appToken: 'app', clientId: 'x', clientSecret: 'x' },
      FOUND_SINCE('583231', SINCE_MS.code),
    ],
    ['nobody', {}, FOUND_SINCE('583231', SINCE_MS.code)],
    ['a wrong token', { appToken: 'other' }, UNAVAILABLE],
    ['a wrong application', { clientId: 'id', clientSecret: 'other' }, UNAVAILABLE],
  ])('asks as %s', async (_case, credentials, expected) => {
    const { url } = await startGithub();
    const resolver = createCodeResolver({ lookupUrl: `${url}/users/{name}`, ...credentials }, createTools());
    expect(await resolve(resolver, 'code', 'octocat')).toEqual(expected);
  });

  test.each([
    ['a text as id', { id: '583231', login: 'octocat', type: 'User' }],
    ['a negative id', { id: -1, login: 'octocat', type: 'User' }],
    ['an id beyond exact numbers', { id: 2 ** 60, login: 'octocat', type: 'User' }],
    ['no login', { id: 1, type: 'User' }],
    ['no type', { id: 1, login: 'octocat' }],
  ])('an answer with %s is not used', async (_case, body) => {
    const { url } = await startServer(answering(200, JSON.stringify(body)));
    expect(await resolve(createCodeResolver({ lookupUrl: url }, createTools()), 'code', 'octocat')).toEqual(
      UNAVAILABLE,
    );
  });
});

describe('photo', () => {
  const startInstagram = () =>
    keep(
      startInstagramStandIn({
        appToken: 'app',
        accountId: '17841400000000000',
        find: (name) => (name === 'alice.smith' ? { id: '17841401441775531', username: 'alice.smith' } : null),
      }),
    );
  const node = (url: string) => `${url}/v25.0/17841400000000000`;

  test.each([
    ['a professional account', 'alice.smith', FOUND('17841401441775531')],
    ['an unknown or personal account', 'nobody', NOT_FOUND],
  ])('%s: %s', async (_case, name, expected) => {
    const { url } = await startInstagram();
    const tools = createTools();
    const resolver = createPhotoResolver({ lookupUrl: node(url), appToken: 'app' }, tools);
    expect(await resolve(resolver, 'photo', name)).toEqual(expected);
    expect(tools.reasons).toEqual([]);
  });

  test.each([
    ['a query of its own', (url: string) => `${node(url)}?debug=none`],
    ['a template', (url: string) => `${node(url)}?fields=business_discovery.username({name})%7Bid,username%7D`],
  ])('a look-up URL with %s works too', async (_case, toUrl) => {
    const { url } = await startInstagram();
    const resolver = createPhotoResolver({ lookupUrl: toUrl(url), appToken: 'app' }, createTools());
    expect(await resolve(resolver, 'photo', 'alice.smith')).toEqual(FOUND('17841401441775531'));
  });

  test('a wrong token is a platform that does not answer', async () => {
    const { url } = await startInstagram();
    const resolver = createPhotoResolver({ lookupUrl: node(url), appToken: 'other' }, createTools());
    expect(await resolve(resolver, 'photo', 'alice.smith')).toEqual(UNAVAILABLE);
  });

  test.each([
    ['an expired token, told as 400', 400, { error: { code: 190, error_subcode: 463 } }],
    ['a limit, told as 400', 400, { error: { code: 4 } }],
    ['the subcode under another code', 400, { error: { code: 100, error_subcode: 2_207_013 } }],
    ['the code without its subcode', 400, { error: { code: 110 } }],
    ['an error told as 200', 200, { error: { code: 110, error_subcode: 2_207_013 } }],
    ['another person', 200, { business_discovery: { id: '7', username: 'mallory' } }],
    ['a numeric id', 200, { business_discovery: { id: 7, username: 'alice' } }],
    ['our own account only', 200, { id: '17841400000000000' }],
  ])('%s is not used', async (_case, status, body) => {
    const { url } = await startServer(answering(status, JSON.stringify(body)));
    const tools = createTools();
    expect(await resolve(createPhotoResolver({ lookupUrl: url, appToken: 'app' }, tools), 'photo', 'alice')).toEqual(
      UNAVAILABLE,
    );
    expect(tools.reasons).toEqual([`unexpected answer with status ${status}`]);
  });
});

describe('decsocial', () => {
  const fids: Readonly<Record<string, number>> = { alice: 6_833, 'dwr.eth': 3, 'jesse.base.eth': 99 };
  const startHub = (options: Partial<HubOptions> = {}) =>
    keep(
      startHubStandIn({
        find: (name) => (fids[name] === undefined ? null : { name, fid: fids[name] }),
        ...options,
      }),
    );

  test.each([
    ['an fname', 'alice', FOUND_SINCE('6833', SINCE_MS.decsocial)],
    ['an fname in another case', 'Alice', FOUND_SINCE('6833', SINCE_MS.decsocial)],
    ['an ENS name', 'dwr.eth', FOUND_SINCE('3', SINCE_MS.decsocial)],
    ['a name on Base', 'jesse.base.eth', FOUND_SINCE('99', SINCE_MS.decsocial)],
    ['an unknown fname', 'nobody', NOT_FOUND],
    ['an unproven ENS name', 'alice.eth', NOT_FOUND],
  ])('%s: %s', async (_case, name, expected) => {
    const { url } = await startHub();
    const tools = createTools();
    expect(await resolve(createDecsocialResolver({ hubUrl: url }, tools), 'decsocial', name)).toEqual(expected);
    expect(tools.reasons).toEqual([]);
  });

  test('an unknown name in the words of older hubs', async () => {
    const { url } = await startHub({ dialect: 'hubble' });
    expect(await resolve(createDecsocialResolver({ hubUrl: url }, createTools()), 'decsocial', 'nobody')).toEqual(
      NOT_FOUND,
    );
  });

  test("the hub's URL keeps its path and its key", async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await startServer((request, response) => {
      asked.push(request.url);
      response.end(JSON.stringify({ fid: 6_833, name: 'alice.eth' }));
    });
    const resolver = createDecsocialResolver({ hubUrl: `${url}/hub/?api_key=k` }, createTools());
    expect(await resolve(resolver, 'decsocial', 'alice.eth')).toEqual(FOUND('6833'));
    expect(asked).toEqual(['/hub/v1/userNameProofByName?api_key=k&name=alice.eth']);
  });

  test('credentials of the URL go into a header', async () => {
    const { url } = await startHub({ authorization: `Basic ${Buffer.from('us er:p@ss').toString('base64')}` });
    const hubUrl = url.replace('http://', 'http://us%20er:p%40ss@');
    expect(await resolve(createDecsocialResolver({ hubUrl }, createTools()), 'decsocial', 'alice')).toEqual(
      FOUND_SINCE('6833', SINCE_MS.decsocial),
    );
    expect(await resolve(createDecsocialResolver({ hubUrl: url }, createTools()), 'decsocial', 'alice')).toEqual(
      UNAVAILABLE,
    );
  });

  test.each([
    ['another name', 200, { fid: 7, name: 'mallory' }],
    ['the fid 0', 200, { fid: 0, name: 'alice' }],
    ['a text as fid', 200, { fid: '6833', name: 'alice' }],
    ['no name', 200, { fid: 6_833 }],
    ['another refusal', 400, { error: 'Failed to get username proof', error_detail: 'status: Unavailable' }],
    ['another gRPC code', 400, { code: 14, details: 'unavailable' }],
    ['a refusal without words', 400, {}],
    ['the words of an unknown name with another status', 410, { code: 5 }],
  ])('%s is not used', async (_case, status, body) => {
    const { url } = await startServer(answering(status, JSON.stringify(body)));
    const tools = createTools();
    expect(await resolve(createDecsocialResolver({ hubUrl: url }, tools), 'decsocial', 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual([`unexpected answer with status ${status}`]);
  });
});

type ProviderCase = { platform: Platform; create: (url: string, tools: LookupTools) => Resolver; body: object };

/** Each asks for "alice" and knows one answer that says who that is. */
const PROVIDERS: readonly ProviderCase[] = [
  {
    platform: 'x',
    create: (lookupUrl, tools) => createXResolver({ lookupUrl, appToken: 'app' }, tools),
    body: { data: { id: '5', username: 'alice' } },
  },
  {
    platform: 'code',
    create: (lookupUrl, tools) => createCodeResolver({ lookupUrl, appToken: 'app' }, tools),
    body: { id: 5, login: 'alice', type: 'User' },
  },
  {
    platform: 'photo',
    create: (lookupUrl, tools) => createPhotoResolver({ lookupUrl, appToken: 'app' }, tools),
    body: { business_discovery: { id: '5', username: 'alice' } },
  },
  {
    platform: 'decsocial',
    create: (hubUrl, tools) => createDecsocialResolver({ hubUrl }, tools),
    body: { fid: 5, name: 'alice' },
  },
];

describe.each(PROVIDERS)('$platform, whatever happens', ({ platform, create, body }) => {
  const good = JSON.stringify(body);
  const TIMEOUT_MS = 100;

  test('an exact answer is used', async () => {
    const { url } = await startServer(answering(200, good));
    expect(await resolve(create(url, createTools()), platform, 'alice')).toEqual(FOUND('5'));
  });

  test('404 is not found', async () => {
    const { url } = await startServer(answering(404, ''));
    const tools = createTools();
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(NOT_FOUND);
    expect(tools.reasons).toEqual([]);
  });

  // Each carries a body that would be used if only the status were right.
  test.each([
    [401, 'status 401'],
    [403, 'status 403'],
    [429, 'status 429'],
    [500, 'status 500'],
    [502, 'status 502'],
    [503, 'status 503'],
    [204, 'unexpected answer with status 204'],
    [304, 'unexpected answer with status 304'],
    [400, 'unexpected answer with status 400'],
    [410, 'unexpected answer with status 410'],
  ])('status %i is a platform that does not answer', async (status, reason) => {
    const { url } = await startServer(answering(status, good));
    const tools = createTools();
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual([reason]);
  });

  test.each([
    ['no JSON', '<html>', 'unexpected answer with status 200'],
    ['half an answer', good.slice(0, -1), 'unexpected answer with status 200'],
    ['nothing', '', 'unexpected answer with status 200'],
    ['null', 'null', 'unexpected answer with status 200'],
    ['an empty object', '{}', 'unexpected answer with status 200'],
    ['a list around the answer', `[${good}]`, 'unexpected answer with status 200'],
    ['a huge body', `${good}${' '.repeat(60_000)}`, 'too-large'],
  ])('%s is a platform that does not answer', async (_case, text, reason) => {
    const { url } = await startServer(answering(200, text));
    const tools = createTools();
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual([reason]);
  });

  test('silence ends at the time limit', async () => {
    const { url } = await startServer(() => {});
    const tools = createTools(TIMEOUT_MS);
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual(['timeout']);
  });

  test('a body that never ends ends at the time limit', async () => {
    const { url } = await startServer((_request, response) => void response.writeHead(200).write(good));
    const tools = createTools(TIMEOUT_MS);
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual(['timeout']);
  });

  test('a closed connection is a platform that does not answer', async () => {
    const { url } = await startServer((request) => request.socket.destroy());
    const tools = createTools();
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual(['unreachable']);
  });

  test('a redirect to another host gets neither the question nor the token', async () => {
    const other = await startServer(answering(200, good));
    const { url } = await startServer(answering(302, '', { location: other.url }));
    const tools = createTools();
    expect(await resolve(create(url, tools), platform, 'alice')).toEqual(UNAVAILABLE);
    expect(tools.reasons).toEqual(['redirected']);
    expect(other.requests()).toBe(0);
  });

  test("the caller's signal ends the question", async () => {
    const caller = new AbortController();
    const { url } = await startServer(() => caller.abort());
    const resolver = create(url, createTools());
    expect(await resolver(parseRecipient(platform, 'alice'), caller.signal)).toEqual(UNAVAILABLE);
  });
});

test.each([
  ['x', { data: { id: '5', username: 'alice', created_at: 'yesterday' } }],
  ['x', { data: { id: '5', username: 'alice', created_at: 7 } }],
  ['code', { id: 5, login: 'alice', type: 'User', created_at: '' }],
  ['decsocial', { fid: 5, name: 'alice', timestamp: -1 }],
  ['decsocial', { fid: 5, name: 'alice', timestamp: '2020' }],
] as const)(
  '%s: an age that cannot be read is no age, and the person is found all the same: %j',
  async (platform, body) => {
    const { url } = await startServer(answering(200, JSON.stringify(body)));
    const tools = createTools();
    const resolvers = {
      x: () => createXResolver({ lookupUrl: url, appToken: 'app' }, tools),
      code: () => createCodeResolver({ lookupUrl: url }, tools),
      decsocial: () => createDecsocialResolver({ hubUrl: url }, tools),
    };
    expect(await resolve(resolvers[platform](), platform, 'alice')).toEqual(FOUND('5'));
  },
);
