import type { Clock } from '../bot/shared/clock.ts';
import type { DiscordMessenger } from '../bot/discord/messenger.ts';
import type { DiscordTransport, RunningDiscord } from '../bot/discord/start.ts';
import type { Holder } from '../db/processes/holdings.ts';
import { listenerHolding } from '../db/processes/owner.ts';
import { DISCORD_TRANSPORT } from '../core/discord/chat.ts';
import { createDiscordSender } from '../worker/chat/discord.ts';
import type { ChatSender } from '../worker/chat/sender.ts';
import { createLetIn } from './readiness/let-in.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ServiceOptions } from './options.ts';

type Options = Pick<ServiceOptions, 'config' | 'log'>;

export type DiscordChat = {
  messenger: DiscordMessenger;
  start: (deps: Parameters<DiscordTransport['start']>[0]) => void;
  /** Stops listening; what was heard is in the database by then. Orders may still show their progress. */
  stopHearing: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * The bot on Discord, for a service that has a token; it listens from its `start` on. Only then is its library loaded, which
 * takes a third of what all else takes.
 */
export async function createDiscordChat(
  { config, log }: Options,
  { store, queue, holder }: Pick<SharedParts, 'store' | 'queue'> & { holder: Pick<Holder, 'want'> },
  clock: Clock,
  onFirstWord: (seconds: number) => void = () => {},
): Promise<DiscordChat | null> {
  if (config.discord === undefined) return null;
  const { createDiscordTransport } = await import('../bot/discord/start.ts');
  const { token, appId: applicationId } = config.discord;
  const access = { token, applicationId, apiUrl: apiUrlOf(config.discord) };
  const hold = holder.want(listenerHolding(DISCORD_TRANSPORT, applicationId));
  // The rows say what there is to show.
  const tell = () => queue.announce(DISCORD_TRANSPORT);
  const claimDays = config.limits.claimTtlDays;
  const onHeard = createLetIn(store, DISCORD_TRANSPORT, { log });
  const transport = createDiscordTransport({ access, store, clock, log, hold, tell, claimDays, onFirstWord, onHeard });
  const unsubscribe = queue.subscribe(DISCORD_TRANSPORT, () => {
    transport.look().catch((error: unknown) => log.warn({ err: error }, 'could not look for new messages'));
  });
  let running: RunningDiscord | null = null;
  return {
    messenger: transport.messenger,
    start: (deps) => void (running ??= transport.start(deps)),
    stopHearing: async () => running?.close(),
    async close() {
      unsubscribe();
      await transport.close();
    },
  };
}

/** The worker's senders to Discord; none without a token. */
export function discordSenders(
  { config, log }: Options,
  { store }: Pick<SharedParts, 'store'>,
  now: () => number,
): Record<string, ChatSender> {
  if (config.discord === undefined) return {};
  const { token } = config.discord;
  return { [DISCORD_TRANSPORT]: createDiscordSender({ token, apiUrl: apiUrlOf(config.discord), store, now, log }) };
}

/** Both sides add a path that begins with a slash. */
function apiUrlOf({ apiUrl }: NonNullable<Options['config']['discord']>): string | undefined {
  return apiUrl?.replace(/\/+$/, '');
}
