/** The part of a hub that knows posts, as Snapchain answers, with what is odd about its pages. */
import { toHubHash, type CastId, type HubCast, type HubPosts, type HubReaction } from './farcaster-posts.ts';
import type { Reply } from './server.ts';

type Question = { path: string; query: URLSearchParams };
/** What is not on the page is not made. */
type Listed = { fid: number; timestamp: number; toMessage: () => object };

const ROUTES: Readonly<Record<string, (query: URLSearchParams, posts: HubPosts, pageSizeMax: number) => Reply>> = {
  '/v1/castById': answerCast,
  '/v1/castsByFid': answerCasts,
  '/v1/castsByParent': answerReplies,
  '/v1/reactionsByCast': answerReactions,
  '/v1/userDataByFid': answerUserData,
  '/v2/farcaster/cast': answerIndex,
};

/** Undefined: no path of ours. */
export function answerAboutPosts({ path, query }: Question, posts: HubPosts, pageSizeMax = 1_000): Reply | undefined {
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  return route?.(query, posts, pageSizeMax);
}

function answerCast(query: URLSearchParams, { casts }: HubPosts): Reply {
  const id = readCastId(query, 'fid', 'hash');
  if (id === null) return refuse('Invalid request', 'missing field `fid`');
  const cast = casts().find((each) => isSame(each, id));
  if (cast) return { status: 200, body: toCastMessage(cast) };
  return refuse('Failed to get cast', `code: 'Some requested entity was not found', message: "cast not found"`);
}

function answerCasts(query: URLSearchParams, { casts }: HubPosts, pageSizeMax: number): Reply {
  const fid = Number(query.get('fid'));
  const own = casts().filter((cast) => cast.fid === fid);
  // One account's messages lie in one part.
  return toPage(query, own.map(toListedCast), { parts: 1, pageSizeMax, isTokenAlways: false });
}

function answerReplies(query: URLSearchParams, { casts }: HubPosts, pageSizeMax: number): Reply {
  const id = readCastId(query, 'fid', 'hash');
  if (id === null) return refuse('Invalid parent', 'no parent');
  const replies = casts().filter(({ parent }) => parent !== undefined && isSame(parent, id));
  // Snapchain gives a token here even when there is nothing more: it leads back to the beginning.
  return toPage(query, replies.map(toListedCast), { parts: 2, pageSizeMax, isTokenAlways: true });
}

function answerReactions(query: URLSearchParams, { reactions }: HubPosts, pageSizeMax: number): Reply {
  const id = readCastId(query, 'target_fid', 'target_hash');
  const wanted = query.get('reaction_type');
  if (id === null || (wanted !== 'Like' && wanted !== 'Recast')) return refuse('Invalid request', 'unknown variant');
  const found = reactions().filter(({ target, type }) => isSame(target, id) && type === wanted.toUpperCase());
  return toPage(query, found.map(toListedReaction), { parts: 2, pageSizeMax, isTokenAlways: false });
}

function answerUserData(query: URLSearchParams, { nameOf }: HubPosts): Reply {
  const fid = Number(query.get('fid'));
  const name = nameOf(fid);
  const entries = [
    ['USER_DATA_TYPE_DISPLAY', name ?? `!${fid}`],
    ['USER_DATA_TYPE_BIO', 'Somebody of the pretend Farcaster.'],
    ...(name === null ? [] : [['USER_DATA_TYPE_USERNAME', name]]),
  ];
  const messages = entries.map(([type = '', value]) =>
    toMessage(
      `data/${fid}/${type}`,
      'MESSAGE_TYPE_USER_DATA_ADD',
      { fid, timestamp: 100 },
      { userDataBody: { type, value } },
    ),
  );
  return { status: 200, body: { messages } };
}

/** Not of a hub, but of the indexes that stand beside one: a cast by nothing but its hash. */
function answerIndex(query: URLSearchParams, { casts, nameOf, hasIndex = true }: HubPosts): Reply {
  if (!hasIndex) return { status: 404, body: 'Not Found' };
  const cast = casts().find(({ hash }) => query.get('type') === 'hash' && hash === query.get('identifier'));
  if (!cast) return { status: 404, body: { code: 'NotFound', message: 'Cast not found' } };
  const { hash, fid, text } = cast;
  return { status: 200, body: { cast: { object: 'cast', hash, author: { fid, username: nameOf(fid) }, text } } };
}

/**
 * Accounts are kept in parts. A page is a page of each part, and its token holds the next position of each; null is a
 * part that has come to its end, and the next question begins that one anew.
 */
function toPage(
  query: URLSearchParams,
  listed: readonly Listed[],
  { parts, pageSizeMax, isTokenAlways }: { parts: number; pageSizeMax: number; isTokenAlways: boolean },
): Reply {
  const size = Math.min(Number(query.get('pageSize') ?? '1000'), pageSizeMax);
  const direction = query.get('reverse') === 'true' ? -1 : 1;
  const sorted = listed.toSorted((a, b) => direction * (a.timestamp - b.timestamp));
  const starts = readToken(query.get('pageToken'), parts);
  if (starts === null) return refuse('Failed to get messages', 'Page token does not match number of shards');
  const pages = starts.map((start, part) => {
    const own = sorted.filter(({ fid }) => fid % parts === part).slice(start ?? 0);
    return { messages: own.slice(0, size), next: own.length >= size ? (start ?? 0) + size : null };
  });
  const messages = pages.flatMap((page) => page.messages.map((each) => each.toMessage()));
  const next = pages.map((page) => page.next);
  const isMore = isTokenAlways || next.some((start) => start !== null);
  const token = isMore ? { nextPageToken: Buffer.from(JSON.stringify(next)).toString('base64') } : {};
  return { status: 200, body: { messages, ...token } };
}

function readToken(token: string | null, parts: number): (number | null)[] | null {
  if (token === null) return Array.from({ length: parts }, () => null);
  const starts: unknown = JSON.parse(Buffer.from(token, 'base64').toString());
  if (!Array.isArray(starts) || starts.length !== parts) return null;
  return starts.map((start) => (typeof start === 'number' ? start : null));
}

function toListedCast(cast: HubCast): Listed {
  return { fid: cast.fid, timestamp: cast.timestamp, toMessage: () => toCastMessage(cast) };
}

function toCastMessage({ fid, hash, text, timestamp, parent }: HubCast): object {
  const lists = { embedsDeprecated: [], mentions: [], embeds: [], mentionsPositions: [] };
  const body = { ...lists, parentCastId: parent ?? null, parentUrl: null, text, type: 'CAST' };
  return { ...toMessage('', 'MESSAGE_TYPE_CAST_ADD', { fid, timestamp }, { castAddBody: body }), hash };
}

function toListedReaction(reaction: HubReaction): Listed {
  return { fid: reaction.fid, timestamp: reaction.timestamp, toMessage: () => toReactionMessage(reaction) };
}

function toReactionMessage({ fid, type, target, timestamp }: HubReaction): object {
  const reactionBody = { type: `REACTION_TYPE_${type}`, targetCastId: { fid: target.fid, hash: target.hash } };
  const key = `reaction/${fid}/${type}/${target.hash}`;
  return toMessage(key, 'MESSAGE_TYPE_REACTION_ADD', { fid, timestamp }, { reactionBody });
}

function toMessage(key: string, type: string, at: { fid: number; timestamp: number }, body: object): object {
  return {
    data: { type, ...at, network: 'FARCASTER_NETWORK_MAINNET', ...body },
    hash: toHubHash(key),
    hashScheme: 'HASH_SCHEME_BLAKE3',
    signature: 'bln1zIZM4riB9IVBQ===',
    signatureScheme: 'SIGNATURE_SCHEME_ED25519',
    signer: `0x${'78'.repeat(32)}`,
  };
}

function readCastId(query: URLSearchParams, fidKey: string, hashKey: string): CastId | null {
  const [fid, hash] = [query.get(fidKey), query.get(hashKey)];
  return fid === null || hash === null ? null : { fid: Number(fid), hash };
}

function isSame(a: CastId, b: CastId): boolean {
  return a.fid === b.fid && a.hash === b.hash;
}

function refuse(error: string, detail: string): Reply {
  return { status: 400, body: { error, error_detail: detail } };
}
