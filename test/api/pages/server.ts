import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createPagesApp } from '../../../api/pages/app.ts';
import { startInstallation, type Installation } from './installation.ts';

export type ServedInstallation = Installation & { url: string };

/** The pages behind a real server on a free loopback port, so that a browser can look at them. */
export async function serveInstallation(
  settings: Parameters<typeof startInstallation>[0] = {},
): Promise<ServedInstallation> {
  const installation = await startInstallation(settings);
  let app = installation.app;
  const server = createAdaptorServer({ fetch: (request, bindings) => app.fetch(request, bindings) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The address is known only now, and links on pages carry it.
  app = createPagesApp({
    ...installation.dependencies,
    settings: { ...installation.dependencies.settings, baseUrl: url },
  });
  return {
    ...installation,
    app,
    url,
    close: async () => {
      installation.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await installation.close();
    },
  };
}
