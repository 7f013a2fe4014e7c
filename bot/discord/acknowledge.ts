import type { Log } from '../shared/log.ts';
import type { Answer } from '../../core/discord/answer.ts';
import type { Calls } from './calls.ts';
import { REFUSALS } from './outcome.ts';
import type { Asked, Task } from './event.ts';
import type { Acknowledged, DiscordMessenger } from './messenger.ts';

type Deps = { calls: Calls; messenger: Pick<DiscordMessenger, 'tokens'>; log: Log };

/**
 * `rushId`: what others read of a tip stands in a message for many. `merge` begins one for a tip whose answer Discord has
 * already, for its payer alone; null: nobody else may read of it.
 */
export type Audience = { isPublic: boolean; rushId: string | null; merge: (() => Promise<string | null>) | null };

/**
 * Tells Discord that the command was taken. Null when Discord no longer waits for that: the person has been told that the
 * bot did not answer and may try again, so this event must have no effect. A second delivery was acknowledged before and
 * is treated alike.
 */
export async function acknowledgeText(
  deps: Deps,
  asked: Asked,
  { isPublic, rushId, merge }: Audience,
): Promise<Acknowledged | null> {
  const { calls, log } = deps;
  const isHidden = !isPublic && !asked.isDirect;
  const outcome = await calls.deferReply(asked, isHidden).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'Discord may not have taken the acknowledgement');
    return null;
  });
  if (outcome?.kind === 'done') return { kind: 'deferred', answer: toAnswer(asked, outcome.value), rushId };
  const isThereMaybe = outcome === null || outcome.code === REFUSALS.alreadyAcknowledged;
  if (!isThereMaybe) return tooLate(deps, outcome.code);
  // If Discord heard it, the person sees that the bot is thinking, and waits for the outcome.
  const found = await calls.readAnswer(asked.token, '@original');
  // The answer is gone, because its end was for one person only or because that person has dismissed it.
  if (found.kind === 'refused') return tooLate(deps, found.code);
  const merged = found.value.isPrivate ? (rushId ?? (await merge?.()) ?? null) : null;
  return { kind: 'deferred', answer: toAnswer(asked, found.value), rushId: merged };
}

/** Nothing about the pressed message changes; the outcome is another message or an edit. */
export async function acknowledgePress(
  deps: Deps,
  { asked, messageId }: Extract<Task, { kind: 'press' }>,
): Promise<Acknowledged | null> {
  const outcome = await deps.calls.deferUpdate(asked);
  if (outcome.kind === 'refused' && outcome.code !== REFUSALS.alreadyAcknowledged) return tooLate(deps, outcome.code);
  deps.messenger.tokens.note(messageId, asked);
  const { messageId: _, ...answer } = toAnswer(asked, { messageId, isPrivate: true });
  return { kind: 'press', answer: { ...answer, via: 'followup' } };
}

function toAnswer(asked: Asked, { messageId, isPrivate }: { messageId: string; isPrivate: boolean }): Answer {
  const { id: interactionId, token, channelId, user, isDirect, communityId } = asked;
  const audience = isDirect ? 'direct' : isPrivate ? 'person' : 'everyone';
  return { audience, via: 'reply', interactionId, channelId, messageId, userId: user.id, token, communityId };
}

function tooLate({ log }: Deps, code: number): null {
  log.warn({ code }, 'Discord no longer waits for an answer; the event is dropped');
  return null;
}
