import type { Update, User } from 'grammy/types';
import { formatUsdc } from '../../../core/money.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { commandOf, type Person } from './person.ts';

/** The fake keeps each update until the bot has confirmed it, and delivers it twice more then. */
export function createTelegramPerson(telegram: FakeTelegram, user: User, chat: { id: number }): Person {
  const updates = new Map<string, Update>();
  return {
    walletId: `telegram:${user.id}`,
    async say(tip) {
      const { update } = telegram.say(user, chat, commandOf(tip, formatUsdc(tip.amount)));
      if (update === null) throw new Error('the bot does not see this command');
      updates.set(tip.handle, update);
    },
    async deliverAgain({ handle }) {
      const update = updates.get(handle);
      if (update) telegram.redeliver(update);
    },
    sees: () => telegram.fromBot(user, chat).map(({ text }) => text),
  };
}
