import type { Network } from '../../core/networks.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { whileHeld } from '../shared/while-held.ts';
import { createCalls, type Calls, type DiscordAccess } from './calls.ts';
import { commandList } from './command-list.ts';
import { createEvents } from './events.ts';
import { startExpiry } from './expiry.ts';
import { createFirstWords } from './first-words.ts';
import { startGateway, type GatewayDeps } from './gateway.ts';
import { createHandler, type HandlerDeps } from './handler.ts';
import { readInteraction } from './incoming.ts';
import { createDiscordMessenger, type DiscordMessenger } from './messenger.ts';
import { createPrograms } from './programs.ts';
import { createStanding } from './standing.ts';
import { createTurns } from './turns.ts';

export type DiscordTransport = {
  /** For the core, which needs it before there is a bot to start. */
  messenger: DiscordMessenger;
  start: (
    deps: Pick<CoreDeps, 'networks' | 'random' | 'texts' | 'faucet'> & Pick<HandlerDeps, 'bot' | 'limits'>,
  ) => RunningDiscord;
  /** When nothing is shown any more. */
  close: () => void;
};

export type RunningDiscord = {
  connected: Promise<void>;
  /** Hears nothing more, and resolves when all that was heard is in the database. */
  close: () => Promise<void>;
};

type Deps = {
  access: DiscordAccess;
  store: Store;
  clock: Clock;
  log: Log;
  /** Of several bots one is connected; absent, this one is alone. */
  hold?: Hold | undefined;
  /** How long a person waited for a first word. */
  onFirstWord?: (seconds: number) => void;
};

/** Discord as one of the bot's chats. */
export function createDiscordTransport({ access, store, clock, log, hold, onFirstWord }: Deps): DiscordTransport {
  const monotonicMs = () => performance.now();
  const firstWords = createFirstWords({ monotonicMs, onFirstWord: onFirstWord ?? (() => {}) });
  const calls = createCalls(access, { onSaid: firstWords.said });
  const { now } = clock;
  const standing = createStanding({ calls, applicationId: access.applicationId, now: clock.now });
  const messenger = { ...createDiscordMessenger({ calls, store, clock, log }), standing };
  return {
    messenger,
    start(deps) {
      const programs = createPrograms({ calls, log });
      const { applicationId } = access;
      const turns = createTurns();
      const work = createHandler({ ...deps, store, calls, messenger, programs, turns, clock, log, applicationId });
      const events = createEvents({ store, clock, turns, log }, work);
      const expiry = startExpiry({ calls, store, now, log, hold });
      const networks = deps.networks.map(({ network }) => network);
      let hear = () => {};
      let giveUp = (_error: Error) => {};
      const connected = new Promise<void>((resolve, reject) => {
        [hear, giveUp] = [resolve, reject];
      });
      // A caller that does not await it must not crash on an unhandled rejection.
      connected.catch(() => undefined);
      const listen = () => {
        void register(calls, networks, log);
        const takenUp = events
          .takeUp()
          .catch((error: unknown) => log.error({ error: String(error) }, 'earlier events of Discord stay open'));
        const gateway = startGateway({ access, onInteraction: take, log });
        gateway.connected.then(hear, () => undefined);
        return {
          async close() {
            await gateway.close();
            await takenUp;
          },
        };
      };
      const take: GatewayDeps['onInteraction'] = (interaction, channelName) => {
        // It may come to a process that was stopped for too long: another has heard it as well.
        if (hold?.isHeld() === false) return;
        const incoming = readInteraction(interaction, channelName);
        if (incoming === null) return;
        firstWords.heard(incoming.asked.id);
        events.take(incoming);
      };
      const listening = whileHeld(hold, listen, log);
      return {
        connected,
        async close() {
          await listening.close();
          giveUp(new Error('the gateway was closed'));
          await events.idle();
          await events.close();
          await expiry.close();
        },
      };
    },
    close: () => calls.close(),
  };
}

/** The old commands stay where this fails, and every start tries again. */
async function register(calls: Calls, networks: readonly Network[], log: Log): Promise<void> {
  try {
    const outcome = await calls.registerCommands(commandList(networks));
    if (outcome.kind === 'refused') log.error({ code: outcome.code }, 'Discord refused the commands');
  } catch (error) {
    log.warn({ error: String(error) }, 'the commands are not registered with Discord');
  }
}
