import type { RateLimits } from '../../queue/rate-limiter.ts';

/** One person's commands are worked on one after the other: more of them than this only keep others waiting. */
const COMMANDS_PER_MINUTE = 30;
/** On top of those: a thief who floods a chat from a stolen account must not keep its owner from locking it. */
const STOPS_PER_MINUTE = 3;

export type PersonRate = {
  /**
   * Only the first that is too many is answered: a flood must not make the bot flood the chat. `isStop`: it locks, or calls
   * a withdrawal off.
   */
  take: (personId: number, isStop?: boolean) => 'fine' | 'first_too_many' | 'too_many';
};

export function createPersonRate(limits: Pick<RateLimits, 'perMinute'>): PersonRate {
  const commands = limits.perMinute('telegram commands', COMMANDS_PER_MINUTE);
  const stops = limits.perMinute('telegram stops', STOPS_PER_MINUTE);
  const answers = limits.perMinute('telegram answers', 1);
  return {
    take(personId, isStop = false) {
      if (isStop && stops.allows(String(personId))) return 'fine';
      if (commands.allows(String(personId))) return 'fine';
      return answers.allows(String(personId)) ? 'first_too_many' : 'too_many';
    },
  };
}
