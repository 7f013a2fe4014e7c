import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux and macOS give to outgoing connections and to servers without a fixed port: one of those
 * may belong to another process a moment after it is closed. The range ends early so that the ports above each one are
 * quiet, too.
 */
const [FIRST, END] = [12_000, 22_000];
const ATTEMPTS_MAX = 50;

/** A free port that stays free until it is taken on purpose, and the given number of ports above it. */
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
