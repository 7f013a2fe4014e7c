import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what Linux and macOS give to outgoing connections, and to servers that take whatever is free: one of those that
 * is given up may be somebody else's a moment later. The range ends early so that what is above a port is quiet, too.
 */
const [FIRST, END] = [12_000, 22_000];
const ATTEMPTS_MAX = 50;

/** A free port that stays free until it is taken on purpose, together with the ports so far above it. */
export async function findQuietPort(above: readonly number[] = []): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(FIRST, END);
    const areFree = await Promise.all([0, ...above].map((distance) => isFree(port + distance)));
    if (areFree.every(Boolean)) return port;
  }
  throw new Error(`no free port was found in ${ATTEMPTS_MAX} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
