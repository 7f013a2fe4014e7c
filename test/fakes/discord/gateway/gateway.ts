import type { Server } from 'node:http';
import { GatewayOpcodes as Op } from 'discord-api-types/v10';
import { WebSocketServer } from 'ws';
import type { World } from '../state/world.ts';
import { type Connection, type GatewayLatency, serveConnection } from './connection.ts';
import { createSessions, dispatch } from './sessions.ts';
import { filterEvent } from './intents.ts';
import { shardOf } from './greetings.ts';
import type { GatewayEvent } from '../state/world.ts';

export type Gateway = {
  /** Tears every connection. Resumable or not, the bot learns it only when it comes back. */
  drop: (options: { resume: boolean }) => void;
  /** Asks every bot to come back (op 7). */
  askToReconnect: () => void;
  /** Says that the session is over (op 9). */
  invalidate: (options: { resume: boolean }) => void;
  closeWith: (code: number) => void;
  /** While refused, connecting fails and sessions go on collecting. */
  refuse: (isRefused: boolean) => void;
  /** While silent, heartbeats are not acknowledged and the bot has to find out by itself. */
  silence: (isSilent: boolean) => void;
  /** Sends an event again, under a new sequence number. */
  redeliver: (event: GatewayEvent) => void;
  connected: () => number;
  close: () => Promise<void>;
};

export function startGateway(world: World, server: Server, latency: GatewayLatency): Gateway {
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = createSessions(world);
  const connections = new Set<Connection>();
  let isRefused = false;
  let isSilent = false;
  world.publish = sessions.publish;

  server.on('upgrade', (request, socket, head) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (isRefused) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (searchParams.get('v') !== '10') return opened.close(4012);
      if ((searchParams.get('encoding') ?? 'json') !== 'json' || searchParams.has('compress')) {
        return opened.close(4002);
      }
      const connection = serveConnection(world, sessions, opened, latency, () => !isSilent);
      connections.add(connection);
      opened.on('close', () => connections.delete(connection));
    });
  });

  const forgetAll = () => {
    for (const session of sessions.all()) sessions.forget(session);
  };
  const each = (act: (connection: Connection) => void) => {
    for (const connection of connections) act(connection);
  };
  return {
    drop: ({ resume }) => {
      if (!resume) forgetAll();
      each((connection) => connection.close(null));
    },
    askToReconnect: () => each(({ send }) => send({ op: Op.Reconnect, d: null })),
    invalidate: ({ resume }) => {
      if (!resume) forgetAll();
      each(({ send }) => send({ op: Op.InvalidSession, d: resume }));
    },
    closeWith: (code) => each((connection) => connection.close(code)),
    refuse: (refused) => {
      isRefused = refused;
    },
    silence: (silent) => {
      isSilent = silent;
    },
    redeliver: (event) => {
      for (const session of sessions.all()) {
        const seen = filterEvent(event, session.intents);
        if (seen !== null && shardOf(event.guildId, session.shard[1]) === session.shard[0]) dispatch(session, seen);
      }
    },
    connected: () => [...connections].filter(({ session }) => session() !== null).length,
    close: async () => {
      each((connection) => connection.close(null));
      await new Promise<void>((resolve) => {
        sockets.close(() => resolve());
      });
    },
  };
}
