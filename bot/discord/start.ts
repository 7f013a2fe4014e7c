import type { Interaction } from 'discord.js';
import type { CoreDeps } from '../core/dependencies.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { withTimeLimit } from '../time-limit.ts';
import { createCalls, type Calls, type DiscordAccess } from './calls.ts';
import { commandList } from './command-list.ts';
import { startGateway } from './gateway.ts';
import { createHandler, type HandlerDeps } from './handler.ts';
import { readInteraction } from './incoming.ts';
import { createDiscordMessenger, type DiscordMessenger } from './messenger.ts';
import { createPrograms } from './programs.ts';
import { createTurns } from './turns.ts';

export type DiscordTransport = {
  /** For the core, which needs it before there is a bot to start. */
  messenger: DiscordMessenger;
  start: (
    deps: Pick<CoreDeps, 'store' | 'networks' | 'random' | 'texts'> & { bot: HandlerDeps['bot'] },
  ) => RunningDiscord;
  /** When nothing is shown any more. */
  close: () => void;
};

export type RunningDiscord = {
  connected: Promise<void>;
  /** Hears nothing more, and resolves when all that was heard is in the database. */
  close: () => Promise<void>;
};

type Deps = { access: DiscordAccess; clock: Clock; log: Log };

/** What was heard is written down within moments; longer than this, something hangs that a restart takes up. */
const FINISH_LIMIT_MS = 8_000;
const SEEN_MAX = 20_000;

/** Discord as one of the bot's chats. */
export function createDiscordTransport({ access, clock, log }: Deps): DiscordTransport {
  const calls = createCalls(access);
  const messenger = createDiscordMessenger({ calls, now: clock.now, log });
  return {
    messenger,
    start(deps) {
      const programs = createPrograms({ calls, log });
      const { applicationId } = access;
      const turns = createTurns();
      const handle = createHandler({ ...deps, calls, messenger, programs, turns, clock, log, applicationId });
      const events = createEvents(async (interaction) => {
        const incoming = readInteraction(interaction);
        if (incoming !== null) await handle(incoming);
      }, log);
      void register(calls, log);
      const gateway = startGateway({ access, onInteraction: events.take, log });
      return {
        connected: gateway.connected,
        async close() {
          await gateway.close();
          await events.idle();
        },
      };
    },
    close: () => calls.close(),
  };
}

type Events = { take: (interaction: Interaction) => void; idle: () => Promise<void> };

/**
 * Each event once, also one that has failed: whoever has read that nothing came of a tip types it again, and then nothing
 * may come of the first one any more.
 */
function createEvents(handle: (interaction: Interaction) => Promise<void>, log: Log): Events {
  const seen = new Set<string>();
  const underWay = new Set<Promise<void>>();
  return {
    take(interaction) {
      const { id } = interaction;
      if (seen.has(id)) return;
      seen.add(id);
      const [oldest] = seen;
      if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest);
      const work: Promise<void> = handle(interaction)
        .catch((error: unknown) => log.error({ error: String(error) }, 'an event of Discord failed'))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async idle() {
      await withTimeLimit(Promise.all(underWay), FINISH_LIMIT_MS, 'finishing what was heard on Discord').catch(
        (error: unknown) => log.error({ error: String(error) }, 'closing without the rest'),
      );
    },
  };
}

/** The old commands stay where this fails, and every start tries again. */
async function register(calls: Calls, log: Log): Promise<void> {
  try {
    const outcome = await calls.registerCommands(commandList());
    if (outcome.kind === 'refused') log.error({ code: outcome.code }, 'Discord refused the commands');
  } catch (error) {
    log.warn({ error: String(error) }, 'the commands are not registered with Discord');
  }
}
