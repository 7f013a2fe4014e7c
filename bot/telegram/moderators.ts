import { GrammyError, type Api } from 'grammy';
import type { Log } from '../shared/log.ts';

/** Whether Telegram says that this person runs the group; undefined where it does not answer. Never from memory. */
export type IsModerator = (chat: number, user: number) => Promise<boolean | undefined>;

export function createModerators(api: Api, log: Log): IsModerator {
  return async (chat, user) => {
    try {
      return await isRunBy(api, chat, user);
    } catch (error) {
      log.warn({ error: String(error) }, 'could not read who moderates');
      return undefined;
    }
  };
}

async function isRunBy(api: Api, chat: number, user: number): Promise<boolean> {
  try {
    const { status } = await api.getChatMember(chat, user);
    return status === 'creator' || status === 'administrator';
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    // Where members are hidden, only a bot that is an administrator may ask for one; who runs the group is no secret.
    const administrators = await api.getChatAdministrators(chat);
    return administrators.some((member) => member.user.id === user);
  }
}
