import type { Log } from '../shared/log.ts';
import type { Origin } from '../shared/messenger.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Calls } from './calls.ts';
import { isGroup, readEvent, readPlace } from './place.ts';

/** Shows that a command was seen when the answer has to wait for its turn, or is none of its own. Costs no message. */
export type Acknowledge = (origin: Origin, isMerged?: boolean) => void;

type Deps = { calls: Pick<Calls, 'react' | 'typing'>; waitMs: Outbox['waitMs']; nowMs: () => number; log: Log };

/** After this time people wonder whether the bot is there. */
const PATIENCE_MS = 150;
/** A sign of life is not worth a queue: beyond so many at once none is sent. */
const AT_ONCE_MAX = 100;
/** Telegram shows it for five seconds, or until a message comes. */
const TYPING_MS = 4_000;

/** A reaction in groups, where it lasts; "typing" in private, where reactions would stay after the answer. */
export function createAcknowledge({ calls, waitMs, nowMs, log }: Deps): Acknowledge {
  let underWay = 0;
  const typingSince = new Map<number, number>();

  /** Whether the bot is seen typing there already. Chats where it no longer is are forgotten. */
  function isTyping(chat: number): boolean {
    const sinceMs = nowMs() - TYPING_MS;
    for (const [other, atMs] of typingSince) if (atMs <= sinceMs) typingSince.delete(other);
    return typingSince.has(chat);
  }

  return ({ chatId, eventId }, isMerged = false) => {
    const place = readPlace(chatId);
    const event = readEvent(eventId);
    // The message itself is one of those that wait.
    if (event.kind !== 'message' || underWay >= AT_ONCE_MAX) return;
    if (!isMerged && waitMs(place.chat) <= 1_000 + PATIENCE_MS) return;
    const inGroup = isGroup(place);
    if (!inGroup && isTyping(place.chat)) return;
    if (!inGroup) typingSince.set(place.chat, nowMs());
    underWay++;
    const work = inGroup ? calls.react(place.chat, event.message, '👀') : calls.typing(place);
    work
      .catch((error: unknown) => log.warn({ error: String(error) }, 'could not show that the bot is typing'))
      .finally(() => void underWay--);
  };
}
