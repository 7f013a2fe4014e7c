import { onTestFinished } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { openHub } from '../../../identity/hub/hub.ts';
import { startHubStandIn, type HubOptions } from '../../../local/identity/farcaster-hub.ts';
import { toHubHash, type HubCast, type HubPosts, type HubReaction } from '../../../local/identity/farcaster-posts.ts';

export const FOREVER = new AbortController().signal;

export const AUTHOR = 1;
export const POST: HubCast = { fid: AUTHOR, hash: toHubHash('post'), text: 'Hello.', timestamp: 1_000 };
/** What 0 is for a hub. */
export const EPOCH_MS = Date.UTC(2021, 0, 1);

export const like = (fid: number, timestamp = 2_000): HubReaction => ({ fid, type: 'LIKE', target: POST, timestamp });
export const recast = (fid: number, timestamp = 2_000): HubReaction => ({ ...like(fid, timestamp), type: 'RECAST' });
export const reply = (fid: number, timestamp = 2_000): HubCast => ({
  fid,
  hash: toHubHash(`reply/${fid}/${timestamp}`),
  text: 'Nice.',
  timestamp,
  parent: POST,
});

/** Accounts are called `person-<fid>`, the author `alice`. */
export const nameOf = (fid: number): string => (fid === AUTHOR ? 'alice' : `person-${fid}`);

export function findByName(name: string): { fid: number; name: string } | null {
  const fid = name === 'alice' ? AUTHOR : Number(/^person-([0-9]+)$/.exec(name)?.[1] ?? 0);
  return fid === 0 ? null : { fid, name };
}

type World = Partial<Omit<HubPosts, 'casts' | 'reactions'>> & {
  casts?: readonly HubCast[];
  reactions?: readonly HubReaction[];
};

/** A hub that knows POST, and a reader of it. */
export async function startWorld(world: World = {}, options: Partial<HubOptions> = {}) {
  const { casts = [], reactions = [], ...rest } = world;
  const posts: HubPosts = { casts: () => [POST, ...casts], reactions: () => reactions, nameOf, ...rest };
  const standIn = await startHubStandIn({ find: findByName, posts, ...options });
  onTestFinished(() => standIn.close());
  return { standIn, ...openReader(standIn.url) };
}

export function openReader(hubUrl: string, settings: { engagementsMax?: number } = {}) {
  const reasons: object[] = [];
  const log = { warn: (details: object) => void reasons.push(details) };
  const hub = openHub({ hubUrl, ...settings }, { log, now: () => 0 });
  onTestFinished(() => hub.close());
  return { hub, reasons };
}

/** The name of the refusal and what it says; everything else goes through. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; detail: string | undefined }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, detail: error.context.detail };
    throw error;
  }
  return { code: 'none', detail: undefined };
}
