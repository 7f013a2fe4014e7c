import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { startDesk, type DeskInstallation } from './desk.ts';

type DeskChange = Parameters<DeskInstallation['appWith']>[0];
export type ServedDesk = DeskInstallation & { url: string };

/** The pages of claims behind a real server on a free loopback port, so that a browser can walk through them. */
export async function serveDesk(change: (desk: DeskInstallation) => DeskChange = () => ({})): Promise<ServedDesk> {
  const desk = await startDesk();
  let app = desk.appWith();
  const server = createAdaptorServer({ fetch: (request, bindings) => app.fetch(request, bindings) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The address is known only now, and forms are taken from there alone.
  app = desk.appWith({ ...change(desk), settings: { ...desk.dependencies.settings, baseUrl: url } });
  return {
    ...desk,
    url,
    close: async () => {
      desk.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await desk.close();
    },
  };
}
