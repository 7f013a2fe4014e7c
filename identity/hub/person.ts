import { AppError } from '../../core/errors.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { REWARD_PLATFORM } from '../../core/rewards/engagement.ts';
import type { Resolver } from '../port.ts';
import type { PublishedAddress } from '../platforms/platform-identity.ts';
import type { FindPublished } from '../platforms/published.ts';
import type { AskHub } from './ask.ts';
import { isUsername, pageSchemaFor, userDataSchema } from './messages.ts';

/** A person's name, and the addresses at which Farcaster says they can be paid. */
export type HubPerson = {
  userId: string;
  /** The fname or ENS name that the account shows, proven to be its own; null: none. */
  username: string | null;
  /** Published by the person; those for Base first. Often none. */
  addresses: readonly PublishedAddress[];
};

export type PersonSources = { ask: AskHub; resolve: Resolver; findPublished: FindPublished };

/** An account has about ten entries, one of each kind. */
const PAGE_SIZE = 100;

const userDataPageSchema = pageSchemaFor(userDataSchema, 'MESSAGE_TYPE_USER_DATA_ADD');

/** Throws AppError `upstream_unavailable`. */
export async function describePerson(userId: string, sources: PersonSources, signal: AbortSignal): Promise<HubPerson> {
  const [username, published] = await Promise.all([
    findUsername(userId, sources, signal),
    sources.findPublished({ platform: REWARD_PLATFORM, stableId: userId, key: userId }, signal),
  ]);
  if (published.kind === 'unavailable') throw new AppError('upstream_unavailable');
  return { userId, username, addresses: published.addresses };
}

/**
 * The name that an account shows counts only if the account owns it, because money for this name goes to its owner.
 */
export async function findUsername(
  userId: string,
  { ask, resolve }: Pick<PersonSources, 'ask' | 'resolve'>,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await ask.get('/v1/userDataByFid', { fid: userId, pageSize: String(PAGE_SIZE) }, signal);
  const parsed = userDataPageSchema.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) throw ask.refuse(answer);
  const entries = parsed.data.messages.filter((message) => message !== null);
  if (entries.some(({ data }) => String(data.fid) !== userId)) throw ask.refuse(answer);
  const shown = toRecipient(entries.find(isUsername)?.data.userDataBody.value ?? '');
  if (shown === null) return null;
  const holder = await resolve(shown, signal);
  if (holder.kind === 'unavailable') throw new AppError('upstream_unavailable');
  return holder.kind === 'found' && holder.stableId === userId ? shown.key : null;
}

function toRecipient(name: string): Recipient | null {
  try {
    return parseRecipient(REWARD_PLATFORM, name);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
