import { setMaxListeners } from 'node:events';
import { AppError } from '../../core/errors.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { parseContentId } from '../../core/rewards/content-id.ts';
import { REWARD_PLATFORM, type Engagement } from '../../core/rewards/engagement.ts';
import { toExcerpt } from '../../core/rewards/excerpt.ts';
import { createDecsocialResolver } from '../platforms/decsocial.ts';
import { createFindVerifiedAddresses } from '../platforms/verified-addresses.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { createFindPublished } from '../platforms/published.ts';
import { startLimit } from '../time-limit.ts';
import { createTroubleReport, type Log } from '../trouble.ts';
import { createAskHub } from './ask.ts';
import { findCast, type FindFid } from './cast.ts';
import { readEngaged } from './engaged.ts';
import { describePerson, findUsername, type HubPerson, type PersonSources } from './person.ts';

/** A Farcaster hub as the source of engagement with a post. */
export type Hub = {
  /**
   * Everyone who liked, answered or recasted a cast, named by its hash or by the address of its page. All or nothing:
   * throws AppError `validation_failed`, `content_not_found` or `upstream_unavailable`.
   */
  readEngagement: (contentId: string, signal: AbortSignal) => Promise<Engagement>;
  /** By user id, all of them; at most 100. Throws AppError `upstream_unavailable`. */
  describePeople: (userIds: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, HubPerson>>;
  close: () => Promise<void>;
};

/** A caller waits for the answer, which takes up to about thirty requests in sequence. */
const WHOLE_TIMEOUT_MS = 20_000;
const TIMEOUT_MS = 5_000;
/** A page of reactions has about 700 KiB, and twice that from a hub with two shards. */
const BYTES_MAX = 8 * 1024 * 1024;

/** Of each kind. */
const ENGAGEMENTS_MAX = 20_000;
const PEOPLE_MAX = 100;
/** Each person takes three requests. */
const AT_ONCE = 16;

export function openHub(
  settings: { hubUrl: string; engagementsMax?: number },
  dependencies: { log: Log; now: () => number },
): Hub {
  const engagedLimits = { messagesMax: settings.engagementsMax ?? ENGAGEMENTS_MAX };
  // The operator chooses the hub, maybe on this machine; strangers only choose numbers and names on it.
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX, redirectsMax: 0, allowsAddress: () => true };
  const fetch = createGuardedFetch(limits);
  const tools = { fetch, report: createTroubleReport(REWARD_PLATFORM, dependencies) };
  const ask = createAskHub(settings, tools);
  const resolve = createDecsocialResolver(settings, tools);
  const findVerified = createFindVerifiedAddresses(settings, tools);
  const findPublished = createFindPublished({ findVerified, findWallets: async () => null });
  const sources = { ask, resolve, findPublished };
  return {
    readEngagement: async (contentId, signal) => {
      const id = parseContentId(contentId);
      return inTime(signal, async (limited) => {
        const cast = await findCast(id, { ask, findFid: createFindFid(sources) }, limited);
        const authorId = String(cast.fid);
        const [people, authorName] = await Promise.all([
          readEngaged(ask, { cast, limits: engagedLimits }, limited),
          findUsername(authorId, sources, limited),
        ]);
        const { hash, text, publishedAtMs } = cast;
        const post = { contentId: hash, authorId, authorName, url: toUrl(hash, authorName) };
        return { platform: REWARD_PLATFORM, ...post, excerpt: toExcerpt(text), publishedAtMs, people };
      });
    },
    describePeople: (userIds, signal) => inTime(signal, (limited) => describePeople(userIds, sources, limited)),
    close: () => fetch.close(),
  };
}

/** Ends all open requests when the work has failed. */
async function inTime<T>(caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = startLimit(WHOLE_TIMEOUT_MS, caller);
  const ended = new AbortController();
  // Each open request listens; Node would warn of a leak.
  setMaxListeners(0, ended.signal);
  const end = (): void => ended.abort();
  limit.signal.addEventListener('abort', end, { once: true });
  if (limit.signal.aborted) end();
  try {
    return await work(ended.signal);
  } finally {
    end();
    limit.end();
  }
}

async function describePeople(
  userIds: readonly string[],
  sources: PersonSources,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HubPerson>> {
  if (userIds.length > PEOPLE_MAX) throw new Error(`expected at most ${PEOPLE_MAX} people, found ${userIds.length}`);
  const people = new Map<string, HubPerson>();
  const waiting = [...new Set(userIds)];
  const work = async (): Promise<void> => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
      people.set(userId, await describePerson(userId, sources, signal));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return people;
}

function createFindFid({ resolve }: PersonSources): FindFid {
  return async (name, signal) => {
    const found = await resolve(parseRecipient(REWARD_PLATFORM, name), signal);
    if (found.kind === 'unavailable') throw new AppError('upstream_unavailable');
    return found.kind === 'found' ? Number(found.stableId) : null;
  };
}

function toUrl(hash: string, authorName: string | null): string {
  // As on Farcaster's own pages: beside a name ten characters are enough.
  return `https://farcaster.xyz/${authorName === null ? `~/conversations/${hash}` : `${authorName}/${hash.slice(0, 10)}`}`;
}
