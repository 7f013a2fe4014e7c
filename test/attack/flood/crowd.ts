import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a connection of the crowd asks for, again and again. */
export type Wish = { path: string; accept: string; cookie?: string };

export type Crowd = {
  /** How many of its requests were answered so. */
  statuses: Record<number, number>;
  /** How many connections really came to be; of streams, how many began to answer. */
  opened: () => number;
  /** Connections of its own that the service has cut. */
  cut: () => number;
  stop: () => Promise<void>;
};

/** Between two requests of a connection: the crowd shares the machine with what it attacks. */
const PAUSE_MS = 200;
/** Sockets that are opened at once. */
const BURST = 100;

/** Each is another address of this machine, so another caller. */
export const addressOf = (index: number): string => `127.7.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`;

/** Opens so many connections with an unfinished request and never reads from them, nor closes them before `stop`. */
export async function openHalfRequests(url: URL, count: number, addresses: number): Promise<Crowd> {
  const sockets: Socket[] = [];
  let cut = 0;
  let opened = 0;
  for (let asked = 0; asked < count; asked += BURST) {
    await Promise.all(
      Array.from({ length: Math.min(BURST, count - asked) }, (_, index) => {
        const localAddress = addressOf((asked + index) % addresses);
        const socket = connect({ host: url.hostname, port: Number(url.port), localAddress, allowHalfOpen: true });
        sockets.push(socket);
        // Paused it does not see the end of the other side, only a reset.
        socket.on('error', () => (cut += 1)).pause();
        return new Promise<void>((resolve) => {
          socket.once('connect', () => {
            opened += 1;
            socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Never');
            resolve();
          });
          socket.once('close', () => resolve());
        });
      }),
    );
  }
  return {
    statuses: {},
    opened: () => opened,
    cut: () => cut,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** So many connections that ask for something again and again; streams are held open. */
export function startCrowd(url: URL, wish: Wish, { count, addresses }: { count: number; addresses: number }): Crowd {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const statuses: Record<number, number> = {};
  let cut = 0;
  let opened = 0;
  const begin = () => void (opened += 1);
  const agents = Array.from({ length: count }, (_, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return { agent, localAddress: addressOf(index % addresses) };
  });
  const runs = agents.map(async (from) => {
    while (!closing.signal.aborted) {
      const status = await ask(url, wish, { ...from, begin }, closing.signal);
      if (status === null) cut += 1;
      else statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  });
  return {
    statuses,
    opened: () => opened,
    cut: () => cut,
    stop: async () => {
      closing.abort();
      await Promise.all(runs);
      for (const { agent } of agents) agent.destroy();
    },
  };
}

type From = { agent: Agent; localAddress: string; begin: () => void };

/** The status of the whole answer; null when the connection was cut. */
function ask(
  url: URL,
  { path, accept, cookie = '' }: Wish,
  { begin, ...from }: From,
  signal: AbortSignal,
): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request(new URL(path, url), { ...from, headers: { accept, cookie }, signal }, (answer) => {
      if (answer.statusCode === 200) begin();
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode ?? null));
    });
    asked.once('error', () => resolve(null));
    asked.end();
  });
}
