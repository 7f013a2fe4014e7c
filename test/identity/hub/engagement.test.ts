import { describe, expect, test } from 'vitest';
import { toHubHash } from '../../../local/identity/farcaster-posts.ts';
import { EPOCH_MS, FOREVER, like, nameOf, openReader, POST, recast, refusalOf, reply, startWorld } from './posts.ts';

const read = async (world: Parameters<typeof startWorld>[0], options: Parameters<typeof startWorld>[1] = {}) => {
  const { hub } = await startWorld(world, options);
  const { people } = await hub.readEngagement(POST.hash, FOREVER);
  return people.toSorted((a, b) => Number(a.userId) - Number(b.userId));
};

test('a post with its author, its beginning and its time', async () => {
  const { hub } = await startWorld();
  expect(await hub.readEngagement(POST.hash, FOREVER)).toEqual({
    platform: 'decsocial',
    contentId: POST.hash,
    authorId: '1',
    authorName: 'alice',
    url: `https://farcaster.xyz/alice/${POST.hash.slice(0, 10)}`,
    excerpt: 'Hello.',
    publishedAtMs: EPOCH_MS + 1_000_000,
    people: [],
  });
});

test('an author without a name leads to the page of the conversation', async () => {
  const { hub } = await startWorld({ nameOf: () => null });
  const { authorName, url } = await hub.readEngagement(POST.hash, FOREVER);
  expect([authorName, url]).toEqual([null, `https://farcaster.xyz/~/conversations/${POST.hash}`]);
});

test('what a stranger wrote is one line without hidden characters', async () => {
  const text = `one\n\ttwo\u202E${'x'.repeat(400)}`;
  const { hub } = await startWorld({ casts: [{ ...POST, hash: toHubHash('long'), text }] });
  const { excerpt } = await hub.readEngagement(toHubHash('long'), FOREVER);
  expect(excerpt).toBe(`one two${'x'.repeat(133)}…`);
});

test('everybody who liked, answered or recasted it, with the times', async () => {
  const people = await read({
    reactions: [like(5, 10), recast(5, 20), like(6, 30)],
    casts: [reply(7, 40), reply(5, 50)],
  });
  const at = (seconds: number) => EPOCH_MS + seconds * 1_000;
  expect(people).toEqual([
    { userId: '5', firstAtMs: { like: at(10), repost: at(20), comment: at(50) } },
    { userId: '6', firstAtMs: { like: at(30) } },
    { userId: '7', firstAtMs: { comment: at(40) } },
  ]);
});

test('what a person did several times counts once, from the first time', async () => {
  const people = await read({ reactions: [like(5, 30), like(5, 20)], casts: [reply(5, 90), reply(5, 60)] });
  const at = (seconds: number) => EPOCH_MS + seconds * 1_000;
  expect(people).toEqual([{ userId: '5', firstAtMs: { like: at(20), comment: at(60) } }]);
});

test('what belongs to another post is not counted', async () => {
  const other = { ...POST, hash: toHubHash('other') };
  const reactions = [like(5), { ...like(6), target: other }];
  const casts = [other, { ...reply(7), parent: other }];
  expect((await read({ reactions, casts })).map(({ userId }) => userId)).toEqual(['5']);
});

describe('pages', () => {
  // Fids are kept in two parts by whether they are even: one part ends long before the other.
  const reactions = [
    ...Array.from({ length: 23 }, (_, index) => like(2 * index + 3, index)),
    ...Array.from({ length: 4 }, (_, index) => like(2 * index + 4, index)),
    ...Array.from({ length: 9 }, (_, index) => recast(2 * index + 4, index)),
  ];
  const casts = Array.from({ length: 17 }, (_, index) => reply(3 * index + 3, index));

  test.each([1, 2, 3, 5, 23, 1_000])('of %s bring the same people', async (pageSizeMax) => {
    const whole = await read({ reactions, casts });
    expect(await read({ reactions, casts }, { pageSizeMax })).toEqual(whole);
    expect(whole).toHaveLength(new Set([...reactions, ...casts].map(({ fid }) => fid)).size);
  });

  test('end when one brings nothing new, although its token leads on', async () => {
    const { hub, standIn } = await startWorld({ casts });
    await hub.readEngagement(POST.hash, FOREVER);
    expect(standIn.requests.filter((path) => path.startsWith('/v1/castsByParent'))).toHaveLength(2);
  });

  test('also end when a finished part starts again while another goes on', async () => {
    // Five pages for the odd ones; the even ones begin again after their third, and the sixth page has no news.
    const odd = Array.from({ length: 23 }, (_, index) => like(2 * index + 3, index));
    const even = Array.from({ length: 12 }, (_, index) => like(2 * index + 4, index));
    const { hub, standIn } = await startWorld({ reactions: [...odd, ...even] }, { pageSizeMax: 5 });
    expect((await hub.readEngagement(POST.hash, FOREVER)).people).toHaveLength(35);
    expect(standIn.requests.filter((path) => path.includes('reaction_type=Like'))).toHaveLength(6);
  });

  test('more people than anybody would share out among are refused, whole', async () => {
    const { standIn } = await startWorld({ reactions }, { pageSizeMax: 5 });
    const refusal = (engagementsMax: number) =>
      refusalOf(openReader(standIn.url, { engagementsMax }).hub.readEngagement(POST.hash, FOREVER));
    expect((await refusal(27)).code).toBe('none');
    const { code, detail } = await refusal(26);
    expect([code, detail]).toEqual(['validation_failed', expect.stringContaining('More than 26')]);
  });
});

describe('how a post is named', () => {
  const address = (hash: string) => `https://farcaster.xyz/alice/${hash}`;

  test.each([
    ['its hash', POST.hash],
    ['its hash in capitals', POST.hash.toUpperCase().replace('0X', '0x')],
    ['its address', address(POST.hash.slice(0, 10))],
    ['its address with the whole hash', address(POST.hash)],
    ['its old address', `warpcast.com/alice/${POST.hash.slice(0, 10)}?from=app`],
    ['the page of its conversation', `https://warpcast.com/~/conversations/${POST.hash}`],
  ])('%s', async (_case, contentId) => {
    const { hub } = await startWorld();
    expect((await hub.readEngagement(contentId, FOREVER)).contentId).toBe(POST.hash);
  });

  test('an address is found among the many casts of its author', async () => {
    const casts = Array.from({ length: 12 }, (_, index) => ({
      ...POST,
      hash: toHubHash(`later ${index}`),
      timestamp: 2_000 + index,
    }));
    const { hub } = await startWorld({ casts }, { pageSizeMax: 5 });
    expect((await hub.readEngagement(address(POST.hash.slice(0, 10)), FOREVER)).contentId).toBe(POST.hash);
  });

  test('one that lies too far back needs its whole hash', async () => {
    const casts = Array.from({ length: 25 }, (_, index) => ({
      ...POST,
      hash: toHubHash(`later ${index}`),
      timestamp: 2_000 + index,
    }));
    const { hub } = await startWorld({ casts }, { pageSizeMax: 1 });
    const { code, detail } = await refusalOf(hub.readEngagement(address(POST.hash.slice(0, 10)), FOREVER));
    expect([code, detail]).toEqual(['content_not_found', expect.stringContaining('give its whole hash')]);
    expect((await hub.readEngagement(address(POST.hash), FOREVER)).contentId).toBe(POST.hash);
  });

  test.each([
    ['nobody has the author’s name', 'https://farcaster.xyz/nobody/0x12345678'],
    ['the author wrote nothing that begins so', 'https://farcaster.xyz/alice/0x12345678'],
    ['the author did not write it', `https://farcaster.xyz/person-7/${POST.hash}`],
    ['the hash is unknown', `0x${'12'.repeat(20)}`],
  ])('%s: not found', async (_case, contentId) => {
    const { hub } = await startWorld();
    expect((await refusalOf(hub.readEngagement(contentId, FOREVER))).code).toBe('content_not_found');
  });

  test('a bare hub finds it by its address only, and the refusal of its hash says so', async () => {
    const { hub } = await startWorld({ hasIndex: false });
    const { code, detail } = await refusalOf(hub.readEngagement(POST.hash, FOREVER));
    expect([code, detail]).toEqual(['content_not_found', expect.stringContaining(`/<author>/${POST.hash}`)]);
    expect((await hub.readEngagement(address(POST.hash), FOREVER)).contentId).toBe(POST.hash);
  });

  test('what names no cast is refused before anybody is asked', async () => {
    const { hub, standIn } = await startWorld();
    expect((await refusalOf(hub.readEngagement('https://x.com/alice/status/1', FOREVER))).code).toBe(
      'validation_failed',
    );
    expect(standIn.requests).toEqual([]);
  });
});

describe('people', () => {
  const KEY = '0x91031dcfdea024b4d51e775486111d2b2a715871';
  const findVerifications = (fid: number) =>
    fid === 5 ? [{ address: KEY, protocol: 'PROTOCOL_ETHEREUM' as const }] : [];

  test('are described by their names and the addresses that they published', async () => {
    const { hub } = await startWorld({}, { findVerifications });
    const people = await hub.describePeople(['5', '6', '5'], FOREVER);
    expect([...people.values()].toSorted((a, b) => Number(a.userId) - Number(b.userId))).toEqual([
      {
        userId: '5',
        username: 'person-5',
        addresses: [
          { network: 'base', address: KEY, isProvenHere: false },
          { network: 'polygon', address: KEY, isProvenHere: false },
        ],
      },
      { userId: '6', username: 'person-6', addresses: [] },
    ]);
  });

  test.each([
    ['shows none', () => null],
    ['shows another person’s', () => 'person-7'],
    ['shows one that nobody has', () => 'nobody'],
    ['shows none that could be written', () => 'Al ice'],
  ])('an account that %s has no name', async (_case, shown) => {
    const { hub } = await startWorld({ nameOf: (fid) => (fid === 5 ? shown() : nameOf(fid)) });
    const people = await hub.describePeople(['5', '6'], FOREVER);
    expect([people.get('5')?.username, people.get('6')?.username]).toEqual([null, 'person-6']);
  });

  test('a hundred are described, and more are a mistake of ours', async () => {
    const { hub } = await startWorld();
    const ids = Array.from({ length: 101 }, (_, index) => String(index + 2));
    expect((await hub.describePeople(ids.slice(1), FOREVER)).size).toBe(100);
    await expect(hub.describePeople(ids, FOREVER)).rejects.toThrow('expected at most 100 people');
  });

  test('all of them, or none: a hub that is down tells about nobody', async () => {
    const { hub, standIn } = await startWorld();
    standIn.setDown(true);
    expect((await refusalOf(hub.describePeople(['5'], FOREVER))).code).toBe('upstream_unavailable');
  });
});
