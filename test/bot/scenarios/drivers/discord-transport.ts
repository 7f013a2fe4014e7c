import { DISCORD_TRANSPORT } from '../../../../core/discord/chat.ts';
import { createDiscordTransport } from '../../../../bot/discord/start.ts';
import { startDiscord } from '../../../fakes/discord/server.ts';
import { createDiscordDriver } from './discord-driver.ts';
import type { Transport } from './transport.ts';
import { createRateLimits } from '../../../../queue/rate-limiter.ts';

/** A local Discord, and the bot at its gateway. How fast it may speak is the business of other tests. */
export async function openDiscordTransport(): Promise<Transport> {
  const discord = await startDiscord({ rateLimits: 'off', answerMs: 30_000 });
  const { token, applicationId, apiUrl } = discord;
  return {
    driver: createDiscordDriver(discord),
    async connect({ deps, bot, clock }) {
      // Its tokens live by the clock of Discord, which goes by itself.
      const transport = createDiscordTransport({
        access: { token, applicationId, apiUrl },
        clock: { ...clock, now: Date.now },
        store: deps.store,
        log: deps.log,
      });
      Object.assign(deps, { messengers: { [DISCORD_TRANSPORT]: transport.messenger } });
      // Whom people know is only written down when an event reaches the core, and how it is answered is decided before.
      const running = transport.start({ faucet: async () => {}, ...deps, limits: createRateLimits(Date.now), bot });
      await running.connected;
      await discord.until(() => discord.commands().length > 0, 'the commands');
      return {
        stopHearing: () => running.close(),
        close: transport.close,
        isQuiet: () => transport.waiting() === 0,
      };
    },
  };
}
