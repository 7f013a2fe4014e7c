import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { ContentId } from '../../core/rewards/content-id.ts';
import { saysAbsent } from '../platforms/decsocial.ts';
import type { Answer } from '../lookup.ts';
import type { AskHub } from './ask.ts';
import { castSchema, fidSchema, pageSchemaFor, type CastMessage } from './messages.ts';
import { readPages } from './pages.ts';

export type Cast = { fid: number; hash: string; text: string; publishedAtMs: number };

/** Finds the account of a name; null: nobody has it. Throws AppError `upstream_unavailable`. */
export type FindFid = (name: string, signal: AbortSignal) => Promise<number | null>;

/** A page of casts at their longest stays far below the limit of an answer. */
const PAGE_SIZE = 250;
/** The latest casts of an author; older ones need the whole hash. */
const CASTS_MAX = 2_500;
/** A hub may answer fewer at once than it is asked for. */
const PAGES_MAX = 25;
const HASH_LENGTH = '0x'.length + 40;

const castPageSchema = pageSchemaFor(castSchema, 'MESSAGE_TYPE_CAST_ADD');

/** Throws AppError `content_not_found` or `upstream_unavailable`. */
export async function findCast(
  id: ContentId,
  { ask, findFid }: { ask: AskHub; findFid: FindFid },
  signal: AbortSignal,
): Promise<Cast> {
  if (id.kind === 'hash') return readCast(ask, await findAuthor(ask, id.hash, signal), id.hash, signal);
  const fid = await findFid(id.name, signal);
  if (fid === null) throw notFound(`Nobody on Farcaster has the name "${id.name}".`);
  if (id.hashStart.length === HASH_LENGTH) return readCast(ask, fid, id.hashStart, signal);
  return searchCast(ask, { fid, hashStart: id.hashStart }, signal);
}

async function readCast(ask: AskHub, fid: number, hash: string, signal: AbortSignal): Promise<Cast> {
  const answer = await ask.get('/v1/castById', { fid: String(fid), hash }, signal);
  if (answer.status === 404 || saysAbsent(answer)) throw notFound();
  const cast = castSchema.safeParse(answer.json);
  const isMeant = cast.success && cast.data.hash === hash && cast.data.data.fid === fid;
  if (answer.status !== 200 || !isMeant) throw ask.refuse(answer);
  return toCast(cast.data);
}

/** The address of a page has only the start of the hash, so this searches the author's casts from the latest back. */
async function searchCast(
  ask: AskHub,
  { fid, hashStart }: { fid: number; hashStart: string },
  signal: AbortSignal,
): Promise<Cast> {
  const tooMany = () =>
    notFound(`None of the author's latest casts begins so. If it is an old one, give its whole hash in the address.`);
  const query = { fid: String(fid), reverse: 'true' };
  const paging = { pageSize: PAGE_SIZE, pagesMax: PAGES_MAX, messagesMax: CASTS_MAX, tooMany };
  const listing = { path: '/v1/castsByFid', query, ...paging, schema: castPageSchema };
  for await (const casts of readPages<CastMessage>(ask, listing, signal)) {
    const cast = casts.find(({ hash, data }) => hash.startsWith(hashStart) && data.fid === fid);
    if (cast) return toCast(cast);
  }
  throw notFound();
}

const authorSchema = z.object({ cast: z.object({ hash: z.string(), author: z.object({ fid: fidSchema }) }) });

/**
 * A hub finds casts by author and hash. The hash alone needs an index beside the hub that serves the path which Neynar
 * made common; a bare hub does not know it.
 */
async function findAuthor(ask: AskHub, hash: string, signal: AbortSignal): Promise<number> {
  const answer: Answer = await ask.get('/v2/farcaster/cast', { identifier: hash, type: 'hash' }, signal);
  const found = authorSchema.safeParse(answer.json);
  if (answer.status === 200 && found.success && found.data.cast.hash.toLowerCase() === hash) {
    return found.data.cast.author.fid;
  }
  throw notFound(
    `No cast was found by this hash alone. Give its address instead: https://farcaster.xyz/<author>/${hash}`,
  );
}

function toCast({ hash, data: { fid, timestamp, castAddBody } }: CastMessage): Cast {
  return { fid, hash, text: castAddBody.text, publishedAtMs: timestamp };
}

function notFound(detail?: string): AppError {
  return new AppError('content_not_found', { field: 'content_id', ...(detail === undefined ? {} : { detail }) });
}
