import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { withLock } from './directory-lock.ts';
import { socketPath } from './socket-path.ts';
import { makeDataDir } from './make-data-dir.ts';

/** A holder that is stopped takes the connection and says nothing. */
const ANSWER_LIMIT_MS = 1_000;

/**
 * Keeps a second instance off a data directory: each role holds a socket there, which ends with its process however that
 * ends. Throws one line that says which process is there. Answers what gives it back.
 */
export async function holdDataDir(dataDir: string, roles: readonly string[]): Promise<() => Promise<void>> {
  makeDataDir(dataDir);
  const home = realpathSync(dataDir);
  const held: Server[] = [];
  const release = async () => void (await Promise.all(held.map(close)));
  try {
    await withLock(home, 'instance', async () => {
      for (const role of roles) held.push(await holdRole(home, role));
    });
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

async function holdRole(home: string, role: string): Promise<Server> {
  const path = socketPath(home, `${role}.sock`);
  const holder = await askHolder(path);
  if (holder !== null) {
    throw new Misconfigured(
      `${holder} runs as ${role} on ${home} already: end it, or give this one a DATA_DIR and PORT of its own.`,
    );
  }
  await unlink(path).catch(() => undefined);
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
  server.listen(path);
  await once(server, 'listening');
  server.unref();
  return server;
}

/** Null where no process listens. */
async function askHolder(path: string): Promise<string | null> {
  const socket = connect(path);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  const ended = once(socket, 'end').catch(() => undefined);
  await Promise.race([ended, sleep(ANSWER_LIMIT_MS, undefined, { ref: false })]);
  socket.destroy();
  return text === '' ? 'Another process' : `Process ${text}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
