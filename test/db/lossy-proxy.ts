import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * Stands before a PostgreSQL and passes everything on, until it is told to lose the reply to the next COMMIT: that one
 * arrives at the server, and both connections are cut when the server has answered it. Or until it is told to fall silent:
 * the connections of that moment pass nothing on any more, and stay open. Counts how often the server was asked anew after it
 * had answered.
 */
export async function startLossyProxy(serverFolder: string) {
  let isArmed = false;
  let roundTrips = 0;
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(join(serverFolder, '.s.PGSQL.5432'));
    let isLosing = false;
    let isAnswered = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes: Buffer) => {
      if (silent.has(client)) return;
      if (isArmed && bytes.includes('COMMIT')) [isArmed, isLosing] = [false, true];
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      isAnswered = true;
      if (isLosing) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    proxied: (database: string) => `postgres://test@127.0.0.1:${port}/${database}`,
    loseNextCommit: () => void (isArmed = true),
    fallSilent: () => sockets.forEach((socket) => silent.add(socket)),
    roundTrips: () => roundTrips,
    isConnected: () => sockets.size > 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
