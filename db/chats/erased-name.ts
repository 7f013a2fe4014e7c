import { createHmac } from 'node:crypto';
import { findStopSecret } from '../notices/stop-token.ts';
import type { Store } from '../store/store.ts';

/**
 * The name under which a person who had everything erased still counts for the rest of the day, so that an erasure begins no
 * limit anew. With a key, because accounts of chats are numbers that can be tried out.
 */
export async function erasedNameOf(store: Store, userId: string): Promise<string> {
  const key = (await findStopSecret(store)) ?? '';
  return `erased:${createHmac('sha256', key).update(`pennypost/erased-name/${userId}`).digest('hex').slice(0, 32)}`;
}
