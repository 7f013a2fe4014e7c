import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerOf } from '../../api/http/caller.ts';
import type { ProxyTrust } from '../../api/http/proxies.ts';
import { peerOf } from './own-host.ts';

export type ConnectionLimits = {
  total: number;
  /** Of one address, or one /64. A proxy that the operator trusts speaks for many and has no limit of its own. */
  perAddress: number;
  /** Until a request's headers are there. */
  headersMs: number;
  /** Until all of a request is there. */
  requestMs: number;
  /** A caller that neither sends nor accepts what it should for this long is gone. */
  stallMs: number;
  /** Until a whole answer is accepted. Event streams have a limit of their own. */
  answerMs: number;
  /** The answer to a broken request goes out within this time; then its socket is gone, whatever the other end does. */
  lingerMs: number;
};

const SOCKETS_MAX = 4_096;
/** Descriptors for the database, Redis, the nodes of the chains, mail and files. */
const RESERVED_DESCRIPTORS = 512;
/** Where the system does not say: what most systems grant at least. */
const DESCRIPTORS_UNLESS_KNOWN = 1_024;

/** Sockets may take what the process has left after its own needs, so that callers never cut it off from its database. */
export function connectionLimits(descriptors = readDescriptorLimit()): ConnectionLimits {
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 2));
  const total = Math.min(SOCKETS_MAX, left);
  const perAddress = Math.ceil(total / 4);
  const times = { headersMs: 10_000, requestMs: 30_000, stallMs: 10_000, answerMs: 60_000, lingerMs: 1_000 };
  return { total, perAddress, ...times };
}

function readDescriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? DESCRIPTORS_UNLESS_KNOWN : Number(soft);
  } catch {
    return DESCRIPTORS_UNLESS_KNOWN;
  }
}

export type OpenSockets = () => number;

export type Connections = {
  open: OpenSockets;
  /** Ends a socket on which nothing was asked in time, without a word. */
  endQuiet: (socket: Socket) => void;
};

type Connection = {
  socket: Socket;
  groups: readonly Group[];
  /** Asked, and not answered to the end. */
  exchanges: Set<ServerResponse>;
  hasAsked: boolean;
  isCounted: boolean;
};

/** `yielding`: those that may have to make room, the one that waits longest first. */
type Group = { size: number; yielding: Set<Connection> };

/**
 * Keeps the server's sockets within `limits`. Where there are too many, the one that has said nothing for longest makes
 * room: unfinished requests and idle connections. One whose request is complete is never cut for another, since it may
 * have paid; when all are such, the newcomer is turned away.
 */
export function guardConnections(server: Server, limits: ConnectionLimits, isTrustedProxy: ProxyTrust): Connections {
  const connections = new WeakMap<Socket, Connection>();
  const { admit, open } = createAdmission(limits, isTrustedProxy);
  server.on('connection', (socket: Socket) => connections.set(socket, admit(socket)));
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.hasAsked = true;
    connection.exchanges.add(response);
    yieldLast(connection);
    response.once('prefinish', () => limitAnswer(socket, response, limits.answerMs));
    response.once('close', () => {
      connection.exchanges.delete(response);
      yieldLast(connection);
    });
  });
  server.setTimeout(limits.stallMs, (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined || !isWaitedFor(connection)) destroyIfQuiet(socket);
  });
  const endQuiet = (socket: Socket) => {
    destroyIfQuiet(socket);
    // Node looks at it no more, unless what has come is the beginning of a request.
    const last = setTimeout(() => {
      if (connections.get(socket)?.hasAsked !== true) socket.destroy();
    }, limits.headersMs).unref();
    socket.once('close', () => clearTimeout(last));
  };
  return { open, endQuiet };
}

/** Timers come before reading: after a busy moment, the request that a limit waited for may have arrived already. */
function destroyIfQuiet(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

function createAdmission({ total, perAddress }: ConnectionLimits, isTrustedProxy: ProxyTrust) {
  const all = newGroup();
  const byAddress = new Map<string, Group>();
  const admit = (socket: Socket): Connection => {
    const peer = peerOf(socket);
    const address = callerOf(peer);
    const own = byAddress.get(address) ?? newGroup();
    byAddress.set(address, own);
    const connection: Connection = {
      socket,
      groups: [all, own],
      exchanges: new Set(),
      hasAsked: false,
      isCounted: false,
    };
    if (makeRoom(own, isTrustedProxy(peer) ? Infinity : perAddress) && makeRoom(all, total)) enter(connection);
    else socket.destroy();
    socket.once('close', () => {
      leave(connection);
      if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address);
    });
    return connection;
  };
  return { admit, open: () => all.size };
}

const newGroup = (): Group => ({ size: 0, yielding: new Set() });

function makeRoom(group: Group, max: number): boolean {
  if (group.size < max) return true;
  const oldest = findOldest(group);
  if (oldest === null) return false;
  oldest.socket.destroy();
  leave(oldest);
  return true;
}

/** Nothing tells when a request has arrived completely, so it is looked up here; each is passed over once. */
function findOldest({ yielding }: Group): Connection | null {
  for (const connection of yielding) {
    if (!isAnswering(connection)) return connection;
    for (const group of connection.groups) group.yielding.delete(connection);
  }
  return null;
}

const isAnswering = ({ exchanges }: Connection): boolean => [...exchanges].some(({ req }) => req.complete);

/** On a quiet socket: whether it is our turn, or Node limits the wait as it does for a request's headers. */
function isWaitedFor(connection: Connection): boolean {
  return isAnswering(connection) ? connection.socket.writableLength === 0 : !connection.hasAsked;
}

function enter(connection: Connection): void {
  connection.isCounted = true;
  for (const group of connection.groups) group.size += 1;
  yieldLast(connection);
}

function leave(connection: Connection): void {
  if (!connection.isCounted) return;
  connection.isCounted = false;
  for (const group of connection.groups) {
    group.size -= 1;
    group.yielding.delete(connection);
  }
}

function yieldLast(connection: Connection): void {
  if (!connection.isCounted) return;
  for (const { yielding } of connection.groups) {
    yielding.delete(connection);
    yielding.add(connection);
  }
}

/** The answer is complete; a caller that takes it by drops holds its memory no longer than this. */
function limitAnswer(socket: Socket, response: ServerResponse, answerMs: number): void {
  if (socket.writableLength === 0) return;
  const timer = setTimeout(() => socket.destroy(), answerMs).unref();
  response.once('close', () => clearTimeout(timer));
}
