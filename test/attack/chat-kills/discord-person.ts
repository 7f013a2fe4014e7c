import { formatUsdc } from '../../../core/money.ts';
import type { Discord } from '../../fakes/discord/server.ts';
import type { Channel, Interaction, User } from '../../fakes/discord/state/world.ts';
import type { Person } from './person.ts';

const ONLINE_WITHIN_MS = 600_000;

export type DiscordPerson = Person & { retyped: () => number };

/** The fake delivers every event three times, to a bot that is connected: Discord keeps nothing for one that is not. */
export function createDiscordPerson(discord: Discord, user: User, channel: Channel): DiscordPerson {
  const typed: { handle: string; interaction: Interaction }[] = [];
  const untilOnline = () =>
    discord.until(
      () => discord.gateway.connected() > 0 && discord.commands().length > 0,
      'the bot on Discord',
      ONLINE_WITHIN_MS,
    );
  let retyped = 0;

  return {
    walletId: `discord:${user.id}`,
    async say({ handle, amount }) {
      for (;;) {
        await untilOnline();
        const interaction = discord.slash(user, channel, 'tip', { to: `x:${handle}`, amount: formatUsdc(amount) });
        typed.push({ handle, interaction });
        await discord.answered(interaction).catch(() => undefined);
        if (interaction.answer !== null) return;
        // "The application did not respond": nothing may come of this one any more, so it is typed again.
        retyped += 1;
      }
    },
    async deliverAgain({ handle }) {
      await untilOnline();
      for (const one of typed) if (one.handle === handle) discord.redeliver(one.interaction);
    },
    sees: () =>
      discord
        .sees(user, channel)
        .filter(({ author }) => author.bot)
        .map(({ text, isLoading }) => (isLoading ? '(thinking)' : text)),
    retyped: () => retyped,
  };
}
