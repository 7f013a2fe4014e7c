import { createHash } from 'node:crypto';
import type { View } from '../../core/view.ts';
import { keepAnswer, takeAnswer } from '../../db/chats/kept-answers.ts';
import type { Store } from '../../db/store/store.ts';
import type { Origin } from '../shared/messenger.ts';

/** Long enough to open the private chat; buttons in the answer do not last longer either. */
const KEPT_MS = 30 * 60_000;

/** What the link to a kept answer carries: it reveals neither what the answer is nor for whom. */
const PAYLOAD = /^a_([A-Za-z0-9_-]{22})$/;

export function isAnswerPayload(text: string): boolean {
  return PAYLOAD.test(text);
}

/** `key`: 128 random bits in base64url. */
export type ForPerson = { key: string; userId: string; view: View; nowMs: number };

/** Keeps an answer that only this person may see, and answers what the link to it carries. */
export async function keepForPerson(store: Store, { key, userId, view, nowMs }: ForPerson): Promise<string> {
  await keepAnswer(store, { id: idOf(key), userId, view, untilMs: nowMs + KEPT_MS });
  return `a_${key}`;
}

/** Null for anyone but its person, after its time, and once it has been shown. */
export async function takeKept(
  store: Store,
  { userId, eventId }: Origin,
  payload: string,
  nowMs: number,
): Promise<View | null> {
  const [, key] = PAYLOAD.exec(payload) ?? [];
  return key === undefined ? null : takeAnswer(store, { id: idOf(key), userId, eventId, nowMs });
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
