import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createCommandActions } from './driver/commands.ts';
import { createComponentActions } from './driver/components.ts';
import { createDirectory } from './driver/directory.ts';
import { createModalActions } from './driver/modals.ts';
import { createPeopleActions } from './driver/people.ts';
import { createReadings } from './driver/reading.ts';
import type { GatewayLatency } from './gateway/connection.ts';
import { startGateway } from './gateway/gateway.ts';
import { createFaults, type Fault } from './rest/faults.ts';
import { createRateLimits } from './rest/rate-limits.ts';
import { answerRequest, type LoggedRequest } from './rest/rest.ts';
import { createSettings, type Settings } from './settings.ts';
import { createWorld, type GatewayEvent, type Interaction, type World } from './state/world.ts';

export type Discord = Awaited<ReturnType<typeof startDiscord>>;

/**
 * A Discord of one process on one port: REST and gateway for a bot, and functions with which a test acts as the people.
 * A bot needs `rest: { api: discord.apiUrl }` and `discord.token`, nothing else.
 *
 * Stricter than Discord: unknown fields and query parameters are refused instead of ignored. Not here at all: threads,
 * forums, voice, polls, stickers, custom emoji, forwards, webhooks of channels, slowmode, file inputs and radio buttons
 * of modals, attachment options, permissions of single commands, audit logs, compression of the gateway, the daily
 * numbers of commands and identifications, and bans for too many refused requests.
 */
export async function startDiscord(chosen: Partial<Settings> = {}) {
  const settings = createSettings(chosen);
  const world = createWorld(settings);
  const latency: GatewayLatency & { restMs: number } = { gatewayMs: 0, restMs: 0, held: null };
  const faults = createFaults();
  const log: LoggedRequest[] = [];
  const rest = { world, limits: createRateLimits(settings), faults, latency, log };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/attachments/')) sendAttachment(world, request.url, response);
    else void answerRequest(rest, request, response);
  });
  const gateway = startGateway(world, server, latency);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  world.origin = `http://127.0.0.1:${address.port}`;

  return {
    url: world.origin,
    apiUrl: `${world.origin}/api`,
    token: settings.token,
    applicationId: world.bot.id,
    ...createDirectory(world),
    ...createCommandActions(world),
    ...createComponentActions(world),
    ...createModalActions(world),
    ...createPeopleActions(world),
    ...createReadings(world),
    gateway,
    until: world.changes.until,
    answered: (interaction: Interaction) => waitForAnswer(world, interaction),
    /** Sends an interaction's event once more, as Discord does when it is unsure. */
    redeliver: (what: Interaction | GatewayEvent): void => gateway.redeliver('event' in what ? what.event : what),
    dropGateway: gateway.drop,
    /** From now on every event is delivered so often. */
    deliverTimes: (times: number): void => {
      settings.deliveries = times;
    },
    /** Lets the 3 seconds of an interaction pass, or the 15 minutes of its token. */
    expire: (interaction: Interaction, what: 'answer' | 'token' = 'token'): void => {
      interaction.answerUntil = -Infinity;
      if (what === 'token') interaction.tokenUntil = -Infinity;
    },
    /** Ends "the past few minutes" in which nonces are compared. */
    forgetNonces: (): void => world.nonces.clear(),
    /** How long requests travel to Discord, and events to the bot. */
    setLatency: (chosenMs: { gatewayMs?: number; restMs?: number }): void => void Object.assign(latency, chosenMs),
    /** From now on events wait, until the answer is called: then all of them are sent in the same moment. */
    holdEvents: (): (() => void) => {
      const held: (() => void)[] = [];
      latency.held = held;
      return () => {
        latency.held = null;
        for (const send of held) send();
      };
    },
    fault: (fault: Fault) => faults.place(fault),
    commands: () => [...world.commands.values()],
    requests: (): readonly LoggedRequest[] => log,
    /** Requests that were refused: a correct bot has none, but for races that it handles. */
    refusals: (): LoggedRequest[] => log.filter(({ status }) => status >= 400 && status !== 429),
    close: async (): Promise<void> => {
      await gateway.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** Rejects as soon as the 3 seconds are over: people then read that the application did not respond. */
async function waitForAnswer(world: World, interaction: Interaction): Promise<Interaction> {
  const outcome = await world.changes.until(
    () => interaction.answer ?? (world.now() > interaction.answerUntil ? 'late' : undefined),
    `an answer to "${interaction.name}"`,
    world.settings.answerMs + 2_000,
  );
  if (outcome === 'late') throw new Error(`the application did not respond to "${interaction.name}" in time`);
  return interaction;
}

function sendAttachment(world: World, path: string, response: ServerResponse): void {
  const id = path.split('/')[3];
  for (const { attachments } of world.messages.values()) {
    const found = attachments.find((attachment) => attachment.id === id);
    if (found) return void response.writeHead(200, { 'content-type': found.contentType }).end(found.bytes);
  }
  response.writeHead(404).end();
}
