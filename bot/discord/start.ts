import { randomBytes } from 'node:crypto';
import { createIds } from '../../core/ids.ts';
import { isOffered, type Equipment } from '../commands/offered.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { NO_PACE } from '../outbox/pace.ts';
import { createRushes, type Rushes } from '../outbox/rush.ts';
import { createTokens, showMessage, type Tokens } from './show.ts';
import { createFirstWords } from '../inbox/first-words.ts';
import { createInbox, type Inbox } from '../inbox/inbox.ts';
import { createTurns, type Turns } from '../inbox/turns.ts';
import { isTokenAlive } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT } from '../../core/discord/chat.ts';
import { startJob } from '../../queue/job.ts';
import { whileHeld } from '../shared/while-held.ts';
import { createCalls, type Calls, type DiscordAccess } from './calls.ts';
import { commandList } from './command-list.ts';
import { taskSchema, type Incoming, type Task } from './event.ts';
import { readInteraction } from './incoming.ts';
import { createDiscordExpiry } from './lifetime.ts';
import { startGateway, type GatewayDeps } from './gateway.ts';
import { createHandler, type HandlerDeps, type Work } from './handler.ts';
import { createDiscordMessenger, type DiscordMessenger } from './messenger.ts';
import { createAccounts } from './accounts.ts';
import { createRights, createStanding } from './standing.ts';

export type DiscordTransport = {
  /** For the core, which needs it before there is a bot to start. */
  messenger: DiscordMessenger;
  start: (
    deps: Pick<CoreDeps, 'networks' | 'random' | 'texts' | 'faucet'> & Equipment & Pick<HandlerDeps, 'bot' | 'limits'>,
  ) => RunningDiscord;
  /** Another process has left a message to be shown. */
  look: () => Promise<void>;
  /** How many messages wait to be shown. */
  waiting: () => number;
  /** What is not shown by then stays stored, and the next start goes on with it. */
  close: () => Promise<void>;
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
  /** With several bots, one is connected; absent: this one is alone. */
  hold?: Hold | undefined;
  /** Tells the bot that is connected that there is something to show. */
  tell?: (() => void) | undefined;
  /** How long a tip waits to be collected. */
  claimDays?: number;
  /** How long a person waited for a first word. */
  onFirstWord?: (seconds: number) => void;
  /** Told whether Discord lets us in, each time that this may have changed. */
  onHeard?: (isIn: boolean) => void;
};

const LOOK_EVERY_MS = 3_000;

/** Discord as one of the bot's chats. */
export function createDiscordTransport(options: Deps): DiscordTransport {
  const { access, store, clock, log, hold, onFirstWord } = options;
  const monotonicMs = () => performance.now();
  const firstWords = createFirstWords({ monotonicMs, onFirstWord: onFirstWord ?? (() => {}) });
  const calls = createCalls(access, { onSaid: firstWords.said });
  const standing = createStanding({ calls, applicationId: access.applicationId, now: clock.now });
  const lacks = createRights({ calls, applicationId: access.applicationId });
  const tokens = createTokens(clock.now);
  const outbox = createDiscordOutbox({ calls, tokens }, options);
  const rushes = createDiscordRushes(options, outbox);
  const messenger = { ...createDiscordMessenger({ calls, outbox, rushes, tokens, log }), standing, lacks };
  return {
    messenger,
    start(deps) {
      const accounts = createAccounts({ calls, now: clock.now, log });
      const { applicationId } = access;
      const turns = createTurns();
      const here = { store, calls, messenger, accounts, rushes, turns, clock, log, applicationId };
      const work = createHandler({ ...deps, ...here });
      const inbox = createDiscordInbox(work, { store, clock, log, hold });
      const expiry = createDiscordExpiry({ calls, store, clock, log });
      const step = async () => {
        // Answers do not wait for what has used up its time.
        void expiry.look();
        await rushes.look();
        await outbox.look();
      };
      const looks = startJob({ name: 'messages on Discord', everyMs: LOOK_EVERY_MS, step, log, hold });
      const { connected, hear, giveUp } = awaitConnection();
      const listen = () => {
        void register(calls, deps, log);
        // Called before anything is heard, so everything open is from another process or an earlier period.
        inbox.follow(inbox.retry(0));
        const gateway = startGateway({ access, onInteraction: take, log, onHeard: options.onHeard });
        gateway.connected.then(hear, () => undefined);
        return gateway;
      };
      const take: GatewayDeps['onInteraction'] = (interaction, place) => {
        // It may reach a process that was stopped for too long: another one has heard it as well.
        if (hold?.isHeld() === false) return;
        const incoming = readInteraction(interaction, place);
        if (incoming === null) return;
        firstWords.heard(incoming.asked.id);
        inbox.follow(takeIn(incoming, { work, inbox, turns }));
      };
      const listening = whileHeld(hold, listen, log);
      return {
        connected,
        async close() {
          await listening.close();
          giveUp(new Error('the gateway was closed'));
          await inbox.idle();
          await inbox.close();
          await looks.close();
          await expiry.close();
        },
      };
    },
    look: outbox.look,
    waiting: outbox.size,
    async close() {
      await outbox.close();
      calls.close();
    },
  };
}

function awaitConnection() {
  let hear = () => {};
  let giveUp = (_error: Error) => {};
  const connected = new Promise<void>((resolve, reject) => {
    [hear, giveUp] = [resolve, reject];
  });
  // A caller that does not await it must not crash on an unhandled rejection.
  connected.catch(() => undefined);
  return { connected, hear, giveUp };
}

function createDiscordRushes({ store, clock, log, hold }: Deps, outbox: Outbox): Rushes {
  const ids = createIds(randomBytes);
  return createRushes({
    chat: DISCORD_TRANSPORT,
    store,
    outbox,
    newId: () => `rush_${ids.slug()}`,
    nowMs: clock.now,
    isMine: () => hold?.isHeld() !== false,
    warn: (error) => log.error({ error: String(error) }, 'many tips could not be shown together'),
  });
}

/** Discord delivers an interaction once and is done with it when it is acknowledged, so it is stored before that. */
function createDiscordInbox(
  work: Work,
  { store, clock: { now }, log, hold }: Pick<Deps, 'store' | 'clock' | 'log' | 'hold'>,
) {
  return createInbox<Task>({
    chat: DISCORD_TRANSPORT,
    store,
    idOf: ({ asked }) => asked.id,
    personOf: ({ asked }) => asked.user.id,
    read: (body) => taskSchema.safeParse(body).data ?? null,
    isOver: ({ asked }) => !isTokenAlive(asked.id, now()),
    handle: work.carryOut,
    now,
    log,
    hold,
  });
}

export function createDiscordOutbox(
  { calls, tokens }: { calls: Calls; tokens: Tokens },
  {
    store,
    clock: { now },
    log,
    hold,
    tell,
    claimDays,
  }: Pick<Deps, 'store' | 'log' | 'hold' | 'tell' | 'claimDays'> & { clock: Pick<Clock, 'now'> },
): Outbox {
  return createOutbox({
    chat: DISCORD_TRANSPORT,
    store,
    pace: NO_PACE,
    show: (message) => showMessage({ calls, tokens, log, store, now }, message),
    // Each message has its own way, so none waits for another.
    laneOf: ({ key }) => key,
    isShared: () => true,
    // Set when it shows how something ended (lifetime.ts).
    lifetimeOf: async () => null,
    claimDays,
    nowMs: now,
    log,
    isMine: () => hold?.isHeld() !== false,
    onLost: hold?.onLost,
    tell,
  });
}

/** A question is answered at once and not stored: a member who gets no answer asks again. */
async function takeIn(
  incoming: Incoming,
  { work, inbox, turns }: { work: Work; inbox: Pick<Inbox<Task>, 'store' | 'work'>; turns: Pick<Turns, 'first'> },
): Promise<void> {
  if (incoming.kind === 'menu' || incoming.kind === 'suggest') return work.answer(incoming);
  await turns.first(() => inbox.store([incoming]));
  await inbox.work(incoming.asked.id);
}

/** The old commands stay where this fails, and every start tries again. */
async function register(calls: Calls, deps: Pick<CoreDeps, 'networks'> & Equipment, log: Log): Promise<void> {
  const networks = deps.networks.map(({ network }) => network);
  try {
    const commands = commandList(networks, (command) => isOffered(deps, DISCORD_TRANSPORT, command));
    const outcome = await calls.registerCommands(commands);
    if (outcome.kind === 'refused') log.error({ code: outcome.code }, 'Discord refused the commands');
  } catch (error) {
    log.warn({ error: String(error) }, 'the commands are not registered with Discord');
  }
}
