import { randomBytes } from 'node:crypto';
import type { GatewayEvent, World } from '../state/world.ts';
import { shardOf } from './greetings.ts';
import { filterEvent } from './intents.ts';

export type Dispatch = { op: 0; t: string; s: number; d: unknown };

/**
 * What Discord remembers of a connection: everything it sent, so that a lost connection can be resumed. A session
 * without a connection goes on collecting until it is too old.
 */
export type Session = {
  id: string;
  intents: number;
  shard: readonly [number, number];
  sent: Dispatch[];
  seq: number;
  /** Hands a frame to the connection, if there is one. */
  deliver: ((frame: Dispatch) => void) | null;
  lostAt: number | null;
};

const REMEMBERED_MAX = 20_000;

export type Sessions = {
  open: (intents: number, shard: readonly [number, number]) => Session;
  /** The session to resume, or null when it is unknown, too old or was made invalid. */
  find: (id: string) => Session | null;
  /** Every event goes to every session of its shard that may see it. */
  publish: (event: GatewayEvent) => void;
  forget: (session: Session) => void;
  all: () => Session[];
};

export function createSessions(world: World): Sessions {
  const sessions = new Map<string, Session>();
  const isOld = ({ lostAt }: Session) => lostAt !== null && world.now() - lostAt > world.settings.sessionMs;
  return {
    open: (intents, shard) => {
      const session: Session = {
        id: randomBytes(16).toString('hex'),
        intents,
        shard,
        sent: [],
        seq: 0,
        deliver: null,
        lostAt: null,
      };
      sessions.set(session.id, session);
      return session;
    },
    find: (id) => {
      const session = sessions.get(id);
      return session && !isOld(session) ? session : null;
    },
    publish: (event) => {
      for (const session of sessions.values()) {
        if (isOld(session)) sessions.delete(session.id);
        else if (shardOf(event.guildId, session.shard[1]) === session.shard[0]) {
          const seen = filterEvent(event, session.intents);
          for (let times = 0; seen !== null && times < world.settings.deliveries; times++) dispatch(session, seen);
        }
      }
    },
    forget: (session) => void sessions.delete(session.id),
    all: () => [...sessions.values()],
  };
}

export function dispatch(session: Session, { t, d }: { t: string; d: unknown }): void {
  session.seq += 1;
  const frame: Dispatch = { op: 0, t, s: session.seq, d };
  session.sent.push(frame);
  if (session.sent.length > REMEMBERED_MAX) session.sent.shift();
  session.deliver?.(frame);
}
