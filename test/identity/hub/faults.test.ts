/** A hub is a stranger: what it answers is believed in its known form only, and half of it is nothing. */
import { describe, expect, test } from 'vitest';
import { startServer } from '../servers.ts';
import { FOREVER, openReader, refusalOf, startWorld } from './posts.ts';

const HASH = `0x${'ab'.repeat(20)}`;
const hash = (digit: string) => `0x${digit.repeat(40)}`;

const cast = (fid: number, at: string, more: object = {}) => ({
  hash: at,
  data: {
    type: 'MESSAGE_TYPE_CAST_ADD',
    fid,
    timestamp: 100,
    castAddBody: { text: 'Hello.', parentCastId: null },
    ...more,
  },
});
const reply = (parentCastId: object | null) => cast(4, hash('4'), { castAddBody: { text: 'Nice.', parentCastId } });
const reaction = (more: object = {}, body: object = {}) => ({
  hash: hash('3'),
  data: {
    type: 'MESSAGE_TYPE_REACTION_ADD',
    fid: 3,
    timestamp: 100,
    reactionBody: { type: 'REACTION_TYPE_LIKE', targetCastId: { fid: 1, hash: HASH }, ...body },
    ...more,
  },
});

type Answer = { status?: number; body: unknown };
type Answers = Partial<Record<'index' | 'cast' | 'likes' | 'recasts' | 'replies' | 'userData', Answer>>;

const GOOD = {
  index: { body: { cast: { hash: HASH, author: { fid: 1 } } } },
  cast: { body: cast(1, HASH) },
  likes: { body: { messages: [reaction()] } },
  recasts: { body: { messages: [] } },
  replies: { body: { messages: [reply({ fid: 1, hash: HASH })] } },
  userData: { body: { messages: [] } },
} as const satisfies Answers;

/** With these, nothing that follows could notice that the cast is another one. */
const NOBODY: Answers = { likes: { body: { messages: [] } }, replies: { body: { messages: [] } } };

function toKind(url: URL): keyof typeof GOOD | null {
  if (url.pathname === '/v2/farcaster/cast') return 'index';
  if (url.pathname === '/v1/castById') return 'cast';
  if (url.pathname === '/v1/castsByParent') return 'replies';
  if (url.pathname === '/v1/userDataByFid') return 'userData';
  if (url.pathname !== '/v1/reactionsByCast') return null;
  return url.searchParams.get('reaction_type') === 'Like' ? 'likes' : 'recasts';
}

async function read(answers: Answers) {
  const { url, requests } = await startServer((request, response) => {
    const kind = toKind(new URL(request.url ?? '', 'http://hub'));
    const { status = 200, body }: Answer = kind === null ? { status: 404, body: {} } : { ...GOOD, ...answers }[kind];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const { hub, reasons } = openReader(url);
  return { work: hub.readEngagement(HASH, FOREVER), reasons, requests };
}

const ids = async (answers: Answers) =>
  (await (await read(answers)).work).people.map(({ userId }) => userId).toSorted();

test('the exact answers that the next tables spoil', async () => {
  expect(await ids({})).toEqual(['3', '4']);
});

describe('passed over', () => {
  test.each<[string, Answers]>([
    [
      'what was taken back',
      {
        recasts: {
          body: {
            messages: [{ hash: hash('5'), data: { type: 'MESSAGE_TYPE_REACTION_REMOVE', fid: 5, timestamp: 1 } }],
          },
        },
      },
    ],
    ['a message that comes twice', { likes: { body: { messages: [reaction(), reaction()] } } }],
    ['an empty token', { likes: { body: { messages: [reaction()], nextPageToken: '' } } }],
    ['a token that leads back to itself', { likes: { body: { messages: [reaction()], nextPageToken: 'again' } } }],
    ['hashes in capitals', { cast: { body: cast(1, HASH.toUpperCase().replace('0X', '0x')) } }],
  ])('%s', async (_case, answers) => {
    expect(await ids(answers)).toEqual(['3', '4']);
  });
});

describe('nothing at all is read, and the reason is reported, from', () => {
  test.each<[string, Answers]>([
    ['a hub that fails half way', { replies: { status: 503, body: '' } }],
    ['a hub that refuses us half way', { recasts: { status: 429, body: '' } }],
    ['a hub that does not know the question', { likes: { status: 400, body: { error: 'Invalid request' } } }],
    ['a failure that looks like an answer', { likes: { status: 400, body: GOOD.likes.body } }],
    ['a failure that looks like a cast', { cast: { status: 400, body: GOOD.cast.body } }],
    ['no JSON', { likes: { body: '<html>' } }],
    ['no messages', { likes: { body: {} } }],
    [
      'another post’s likes',
      { likes: { body: { messages: [reaction({}, { targetCastId: { fid: 1, hash: hash('9') } })] } } },
    ],
    [
      'another author’s likes',
      { likes: { body: { messages: [reaction({}, { targetCastId: { fid: 2, hash: HASH } })] } } },
    ],
    ['recasts in place of likes', { likes: { body: { messages: [reaction({}, { type: 'REACTION_TYPE_RECAST' })] } } }],
    ['a like of a page on the web', { likes: { body: { messages: [reaction({}, { targetCastId: undefined })] } } }],
    ['replies to another post', { replies: { body: { messages: [reply({ fid: 1, hash: hash('9') })] } } }],
    ['replies to nothing', { replies: { body: { messages: [reply(null)] } } }],
    ['a negative time', { likes: { body: { messages: [reaction({ timestamp: -1 })] } } }],
    ['a time that is no number', { likes: { body: { messages: [reaction({ timestamp: '100' })] } } }],
    ['half a second', { likes: { body: { messages: [reaction({ timestamp: 1.5 })] } } }],
    ['nobody', { likes: { body: { messages: [reaction({ fid: 0 })] } } }],
    ['a person whose number JavaScript rounds', { likes: { body: { messages: [reaction({ fid: 2 ** 53 })] } } }],
    ['half a hash', { likes: { body: { messages: [{ ...reaction(), hash: '0x12' }] } } }],
    ['another cast than was asked for', { ...NOBODY, cast: { body: cast(1, hash('9')) } }],
    ['a cast of another author', { ...NOBODY, cast: { body: cast(2, HASH) } }],
    ['the author’s entries of another person', { userData: { body: { messages: [otherEntry()] } } }],
  ])('%s', async (_case, answers) => {
    const { work, reasons } = await read(answers);
    expect((await refusalOf(work)).code).toBe('upstream_unavailable');
    expect(reasons.length).toBeGreaterThan(0);
  });
});

function otherEntry(): object {
  const userDataBody = { type: 'USER_DATA_TYPE_USERNAME', value: 'mallory' };
  return { hash: hash('7'), data: { type: 'MESSAGE_TYPE_USER_DATA_ADD', fid: 7, userDataBody } };
}

describe('not found', () => {
  const gone = { error: 'Failed to get cast', error_detail: `code: 'entity was not found', message: "cast not found"` };

  test.each<[string, Answers]>([
    ['a cast that was deleted', { cast: { status: 400, body: gone } }],
    ['the same from a hub of an older make', { cast: { status: 400, body: { code: 5, details: 'NotFound: ' } } }],
    ['the same behind a gateway', { cast: { status: 404, body: '' } }],
    ['a hash that the index does not know', { index: { status: 404, body: { code: 'NotFound' } } }],
    ['a hash for which it names another cast', { index: { body: { cast: { hash: hash('9'), author: { fid: 1 } } } } }],
  ])('%s', async (_case, answers) => {
    const { work, reasons } = await read(answers);
    expect((await refusalOf(work)).code).toBe('content_not_found');
    expect(reasons).toEqual([]);
  });
});

/** A hub that answers as a good one does, but for one path. */
async function openSpoilt(path: string, { status = 200, body }: Answer) {
  const { standIn } = await startWorld();
  const asked: string[] = [];
  const forward = async (target: string): Promise<[number, string]> => {
    const { pathname } = new URL(target, 'http://hub');
    asked.push(pathname);
    if (pathname === path) return [status, JSON.stringify(body)];
    const answer = await fetch(standIn.url + target);
    return [answer.status, await answer.text()];
  };
  const { url } = await startServer((request, response) => {
    void forward(request.url ?? '').then(([code, text]) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(text),
    );
  });
  return { ...openReader(url), asked };
}

test.each([
  ['whose name nobody can look up', '/v1/userNameProofByName'],
  ['whose addresses are not known now', '/v1/verificationsByFid'],
])('a person %s is not described without that', async (_case, path) => {
  const good = await openSpoilt('/v1/nothing', { body: {} });
  expect((await good.hub.describePeople(['5'], FOREVER)).get('5')).toMatchObject({ username: 'person-5' });
  const { hub, asked } = await openSpoilt(path, { status: 503, body: {} });
  expect((await refusalOf(hub.describePeople(['5'], FOREVER))).code).toBe('upstream_unavailable');
  expect(asked).toContain(path);
});

test('a cast of another person among those of the author who is named is not the post', async () => {
  const messages = [cast(2, HASH)];
  const { hub, asked } = await openSpoilt('/v1/castsByFid', { body: { messages } });
  const work = hub.readEngagement(`https://farcaster.xyz/alice/${HASH.slice(0, 10)}`, FOREVER);
  expect((await refusalOf(work)).code).toBe('content_not_found');
  expect(asked).toContain('/v1/castsByFid');
});

test('nobody is asked after the caller has gone', async () => {
  const { url, requests } = await startServer((_request, response) => response.end('{}'));
  const { hub } = openReader(url);
  expect((await refusalOf(hub.readEngagement(HASH, AbortSignal.abort()))).code).toBe('upstream_unavailable');
  expect(requests()).toBe(0);
});

test('a caller who goes ends what is under way', async () => {
  const caller = new AbortController();
  const { url } = await startServer(() => caller.abort());
  const { hub } = openReader(url);
  expect((await refusalOf(hub.readEngagement(HASH, caller.signal))).code).toBe('upstream_unavailable');
});
