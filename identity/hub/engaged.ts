import { AppError } from '../../core/errors.ts';
import type { Engaged, EngagementKind } from '../../core/rewards/engagement.ts';
import type { AskHub } from './ask.ts';
import type { Cast } from './cast.ts';
import { castSchema, pageSchemaFor, reactionSchema, type CastMessage, type ReactionMessage } from './messages.ts';
import { readPages } from './pages.ts';

/** The most that hubs answer at once; each has about 700 bytes. */
const REACTIONS_PAGE_SIZE = 1_000;
/** Replies are longer. */
const REPLIES_PAGE_SIZE = 250;

/** A hub may answer fewer at once than it is asked for. */
const PAGES_MAX = 250;

export type EngagedLimits = {
  /** For likes, replies and recasts each. More are refused, because the hub's order would decide who is included. */
  messagesMax: number;
};

const REACTIONS = {
  like: { asked: 'Like', type: 'REACTION_TYPE_LIKE' },
  repost: { asked: 'Recast', type: 'REACTION_TYPE_RECAST' },
} as const satisfies Partial<Record<EngagementKind, object>>;

const reactionPageSchema = pageSchemaFor(reactionSchema, 'MESSAGE_TYPE_REACTION_ADD');
const replyPageSchema = pageSchemaFor(castSchema, 'MESSAGE_TYPE_CAST_ADD');

type FirstTimes = Map<number, Partial<Record<EngagementKind, number>>>;

type Reading = { ask: AskHub; cast: Cast; limits: EngagedLimits; times: FirstTimes; signal: AbortSignal };

/**
 * Everyone who liked, recasted or answered a cast, each once, with the first time of each kind. Throws AppError
 * `upstream_unavailable`, or `validation_failed` when there are too many.
 */
export async function readEngaged(
  ask: AskHub,
  { cast, limits }: { cast: Cast; limits: EngagedLimits },
  signal: AbortSignal,
): Promise<Engaged[]> {
  const times: FirstTimes = new Map();
  const reading: Reading = { ask, cast, limits, times, signal };
  await Promise.all([readReactions(reading, 'like'), readReactions(reading, 'repost'), readReplies(reading)]);
  return [...times].map(([fid, firstAtMs]) => ({ userId: String(fid), firstAtMs }));
}

async function readReactions({ ask, cast, limits, times, signal }: Reading, kind: keyof typeof REACTIONS) {
  const { asked, type } = REACTIONS[kind];
  const query = { target_fid: String(cast.fid), target_hash: cast.hash, reaction_type: asked };
  const listing = {
    path: '/v1/reactionsByCast',
    query,
    ...toPaging(REACTIONS_PAGE_SIZE, limits),
    schema: reactionPageSchema,
  };
  for await (const reactions of readPages<ReactionMessage>(ask, listing, signal)) {
    for (const { data } of reactions) {
      const { targetCastId, type: found } = data.reactionBody;
      // An answer about another cast or kind cannot be trusted at all.
      if (!isSameCast(targetCastId, cast) || found !== type) throw ask.refuse({ status: 200, json: undefined });
      note(times, data.fid, kind, data.timestamp);
    }
  }
}

async function readReplies({ ask, cast, limits, times, signal }: Reading): Promise<void> {
  const query = { fid: String(cast.fid), hash: cast.hash };
  const listing = { path: '/v1/castsByParent', query, ...toPaging(REPLIES_PAGE_SIZE, limits), schema: replyPageSchema };
  for await (const replies of readPages<CastMessage>(ask, listing, signal)) {
    for (const { data } of replies) {
      const parent = data.castAddBody.parentCastId ?? null;
      if (parent === null || !isSameCast(parent, cast)) throw ask.refuse({ status: 200, json: undefined });
      note(times, data.fid, 'comment', data.timestamp);
    }
  }
}

function toPaging(pageSize: number, { messagesMax }: EngagedLimits) {
  const detail = `More than ${messagesMax} likes, replies or reposts: too many to share out among.`;
  const tooMany = () => new AppError('validation_failed', { field: 'content_id', detail });
  return { pageSize, pagesMax: PAGES_MAX, messagesMax, tooMany };
}

function isSameCast(id: { fid: number; hash: string }, cast: Cast): boolean {
  return id.fid === cast.fid && id.hash === cast.hash;
}

function note(times: FirstTimes, fid: number, kind: EngagementKind, atMs: number): void {
  const known = times.get(fid) ?? {};
  times.set(fid, { ...known, [kind]: Math.min(atMs, known[kind] ?? Infinity) });
}
