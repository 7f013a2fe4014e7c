/** Whom a community knows by name: those its bot has seen there, and for how long that counts. */

/** A member as an event of their chat shows them. */
export type SeenPerson = {
  /** The platform's id with its prefix: `telegram:7`. */
  userId: string;
  /** Null for a person without one. */
  username: string | null;
  /** What the chat calls them. Absent where it was not asked for: then the one of before stays. */
  name?: string;
  isBot: boolean;
};

/** After this time a name may be another person's, so nothing is paid to it any more. */
export const PERSON_KNOWN_MS = 30 * 24 * 3_600_000;
/** A name that was seen longer ago is asked for once more before it is paid, where the platform tells it. */
export const PERSON_SURE_MS = 24 * 3_600_000;
/** A person seen again within this time, under the same name, is not stored again. */
export const PERSON_SEEN_AGAIN_MS = 3_600_000;

/** What `/top` looks back on, and how many it names. */
export const TOP_DAYS = 30;
export const TOP_MS = TOP_DAYS * 24 * 3_600_000;
export const TOP_SHOWN_MAX = 10;

/** Known in a community: seen for the first time so long ago, with so many messages that others have answered. */
export const KNOWN_AFTER_DAYS = 14;
export const KNOWN_AFTER_MS = KNOWN_AFTER_DAYS * 24 * 3_600_000;
export const ANSWERED_MIN = 5;
/** No friend alone makes a person known. */
export const ANSWERED_BY_ONE_MAX = 2;

/** A message of a person that another one has answered. */
export type AnsweredMessage = { messageId: string; byId: string };

/** Each message once, a few by the same person, and no more than are asked for: then it no longer matters. */
export function countsAnswer(known: readonly AnsweredMessage[], { messageId, byId }: AnsweredMessage): boolean {
  if (known.length >= ANSWERED_MIN || known.some((one) => one.messageId === messageId)) return false;
  return known.filter((one) => one.byId === byId).length < ANSWERED_BY_ONE_MAX;
}

export function isLongKnown(
  { firstSeenAtMs, answered }: { firstSeenAtMs: number; answered: number },
  nowMs: number,
): boolean {
  return answered >= ANSWERED_MIN && nowMs - firstSeenAtMs >= KNOWN_AFTER_MS;
}
