import {
  ChannelType,
  Client,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  type Interaction,
} from 'discord.js';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../shared/log.ts';
import type { DiscordAccess } from './calls.ts';

/** Where a person is. `name`: what people call it; null where it has none. */
export type Place = { name: string | null; isThread: boolean };

export type GatewayDeps = {
  access: DiscordAccess;
  onInteraction: (interaction: Interaction, place: Place) => void;
  log: Log;
  /** Told whether Discord lets us in, each time that this may have changed. */
  onHeard?: ((isIn: boolean) => void) | undefined;
};

export type Gateway = {
  /** Resolves when Discord is first heard; rejects when it is closed before. */
  connected: Promise<void>;
  close: () => Promise<void>;
};

// Not loose, because that would copy everything else of each packet in a rush.
const packetSchema = z.object({
  t: z.literal('INTERACTION_CREATE'),
  d: z.object({ channel: z.object({ name: z.string().max(100).nullish(), type: z.number() }) }),
});

const THREADS: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/**
 * Keeps one connection to Discord's gateway. discord.js resumes what is lost, events included. Interactions come
 * without any intent, so the bot asks for none and reads nobody's messages.
 */
export function startGateway({ access, onInteraction, log, onHeard }: GatewayDeps): Gateway {
  const closing = new AbortController();
  let endNow = () => {};
  let hear = () => {};
  let giveUp: (error: Error) => void = () => {};
  const connected = new Promise<void>((resolve, reject) => {
    hear = resolve;
    giveUp = reject;
  });
  // A caller that does not await it must not crash on an unhandled rejection.
  connected.catch(() => undefined);

  async function keepConnected(): Promise<void> {
    for (let retryMs = RETRY_FIRST_MS; !closing.signal.aborted; retryMs = Math.min(2 * retryMs, RETRY_MAX_MS)) {
      const ended = await connectOnce();
      if (ended !== 'was_connected') onHeard?.(false);
      if (ended === 'refused') return log.error({}, 'DISCORD_TOKEN is refused; the Discord bot is off until a restart');
      if (ended === 'was_connected') retryMs = RETRY_FIRST_MS;
      await wait(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is lost for good, which most losses are not, or when it is closed. */
  async function connectOnce(): Promise<'refused' | 'not_connected' | 'was_connected'> {
    const { token, apiUrl } = access;
    const client = new Client({ intents: [], ...(apiUrl === undefined ? {} : { rest: { api: apiUrl } }) });
    const lost = new Promise<number | null>((resolve) => {
      client.once(Events.ShardDisconnect, ({ code }) => resolve(code));
      endNow = () => resolve(null);
    });
    if (closing.signal.aborted) endNow();
    let isOver = false;
    listen(client, { log, onInteraction: (...heard) => void (isOver || onInteraction(...heard)) });
    logEvents(client, log);
    client.once(Events.ClientReady, () => {
      if (isOver) return;
      log.info({}, 'connected to Discord');
      onHeard?.(true);
      hear();
    });
    const login = logIn(client, token);
    try {
      await Promise.race([login.done, lost]);
      const code = await lost;
      if (code !== null) log.error({ code }, 'Discord has closed the gateway');
      return 'was_connected';
    } catch (error) {
      if (isRefusal(error)) return 'refused';
      // Its text may contain the requested address, but no token.
      log.warn({ error: String(error) }, 'Discord cannot be reached; it is tried again');
      return 'not_connected';
    } finally {
      isOver = true;
      await login.end();
    }
  }

  const work = keepConnected().catch((error: unknown) => log.error({ error: String(error) }, 'Discord is off'));
  return {
    connected,
    async close() {
      closing.abort();
      endNow();
      await work;
      giveUp(new Error('the gateway was closed'));
    },
  };
}

/** Discord hands out its gateway's address twice in five seconds, so another login would wait as long. */
const LOGIN_END_MS = 5_000;

/**
 * discord.js cannot call a login off. A client that is destroyed before its login has ended connects all the same, and can
 * never be destroyed again. So it is destroyed once it has, which is waited for a moment: logins side by side delay each other.
 */
function logIn(client: Client, token: string) {
  let isUnderWay = true;
  const done = client.login(token).finally(() => (isUnderWay = false));
  const destroy = () => client.destroy();
  return {
    done,
    end: async (): Promise<void> => {
      if (!isUnderWay) return destroy();
      await Promise.race([done.then(destroy).catch(() => undefined), wait(LOGIN_END_MS, undefined, { ref: false })]);
    },
  };
}

function listen(client: Client, deps: Pick<GatewayDeps, 'onInteraction' | 'log'>): void {
  // The library drops what a packet says about a channel when it knows nothing else about it.
  let place: Place = { name: null, isThread: false };
  client.on(Events.Raw, (packet: unknown) => {
    const channel = packetSchema.safeParse(packet).data?.d.channel;
    place = { name: channel?.name ?? null, isThread: channel !== undefined && THREADS.includes(channel.type) };
  });
  client.on(Events.InteractionCreate, (interaction) => hand(deps, interaction, place));
}

/** What cannot be read may be of a command that another release registered. Thrown on, it would end the process. */
function hand(
  { onInteraction, log }: Pick<GatewayDeps, 'onInteraction' | 'log'>,
  interaction: Interaction,
  place: Place,
) {
  try {
    onInteraction(interaction, place);
  } catch (error) {
    log.error({ interaction: interaction.id, error: String(error) }, 'an interaction on Discord cannot be read');
  }
}

function logEvents(client: Client, log: Log): void {
  client.on(Events.Error, (error) => log.warn({ error: String(error) }, 'the gateway of Discord has a problem'));
  client.on(Events.ShardReconnecting, () => log.info({}, 'the gateway of Discord was lost; it is resumed'));
  client.on(Events.ShardResume, (_, replayed) => log.info({ replayed }, 'the gateway of Discord is resumed'));
}

function isRefusal(error: unknown): boolean {
  if (error instanceof DiscordjsError) return error.code === DiscordjsErrorCodes.TokenInvalid;
  return error instanceof DiscordAPIError && error.status === 401;
}
