import { editMessage, postOnce } from '../../db/chats/chat.ts';
import type { Store } from '../../db/store/store.ts';
import type { Changes } from '../shared/changes.ts';
import type { Messenger } from '../shared/messenger.ts';

export const WEB_TRANSPORT = 'web';

export type WebMessengerDeps = {
  store: Store;
  changes: Changes;
  random: (count: number) => Uint8Array;
  now: () => number;
};

/** Shows views in the stored chat; pages follow its revisions. One event has one answer, however often it comes. */
export function createWebMessenger(deps: WebMessengerDeps): Messenger {
  return {
    async open({ chatId, eventId }, view) {
      const onceKey = `answer:${eventId}`;
      const post = { id: messageId(deps), chatId, author: 'bot', onceKey, view, nowMs: deps.now() } as const;
      const { message, posted } = await postOnce(deps.store, post);
      if (posted) deps.changes.notify(chatId);
      return message.id;
    },
    async edit(chatId, id, view) {
      const edited = await editMessage(deps.store, chatId, id, view);
      if (!edited) throw new Error(`message ${id} is not in chat ${chatId}`);
      deps.changes.notify(chatId);
    },
  };
}

export function messageId(deps: Pick<WebMessengerDeps, 'random'>): string {
  return `m_${Buffer.from(deps.random(12)).toString('base64url')}`;
}
