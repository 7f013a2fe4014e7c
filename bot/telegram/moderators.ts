import type { Api } from 'grammy';
import type { Log } from '../log.ts';

/** Whether Telegram says that this person runs the group; undefined where it does not answer. */
export function createModerators(api: Api, log: Log): (chat: number, user: number) => Promise<boolean | undefined> {
  return async (chat, user) => {
    try {
      const { status } = await api.getChatMember(chat, user);
      return status === 'creator' || status === 'administrator';
    } catch (error) {
      log.warn({ error: String(error) }, 'nobody says who moderates');
      return undefined;
    }
  };
}
