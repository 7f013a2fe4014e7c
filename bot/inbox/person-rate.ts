import { CHATS, type ChatName } from '../../core/chats/chats.ts';
import { parseCommand } from '../../core/grammar/command.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';

/** On top of their commands: a thief who floods a chat from a stolen account must not keep its owner from locking it. */
const STOPS_PER_MINUTE = 3;

export type PersonRate = {
  /**
   * Only the first command over the limit is answered: a flood must not make the bot flood the chat. `isStop`: it locks, or
   * calls a withdrawal off.
   */
  take: (personId: string, isStop?: boolean) => 'fine' | 'first_too_many' | 'too_many';
};

export function createPersonRate(limits: Pick<RateLimits, 'perMinute'>, chat: ChatName): PersonRate {
  const commands = limits.perMinute(`${chat} commands`, CHATS[chat].commandsPerMinute);
  const stops = limits.perMinute(`${chat} stops`, STOPS_PER_MINUTE);
  const answers = limits.perMinute(`${chat} answers`, 1);
  return {
    take(personId, isStop = false) {
      if (isStop && stops.allows(personId)) return 'fine';
      if (commands.allows(personId)) return 'fine';
      return answers.allows(personId) ? 'first_too_many' : 'too_many';
    },
  };
}

/** Even late it only keeps money where it is, and a person who needs it may have no second chance. */
export function isStop(event: object): boolean {
  return (
    'text' in event &&
    typeof event.text === 'string' &&
    ['lock', 'withdraw_cancel'].includes(parseCommand(event.text).kind)
  );
}
