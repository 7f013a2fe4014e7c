import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { startClaimInstallation, type ClaimInstallation } from './installation.ts';

type InstallationChange = Parameters<ClaimInstallation['appWith']>[0];
export type ServedInstallation = ClaimInstallation & { url: string };

/** The pages of claims behind a real server on a free loopback port, so that a browser can walk through them. */
export async function serveInstallation(
  change: (installation: ClaimInstallation) => InstallationChange = () => ({}),
): Promise<ServedInstallation> {
  const installation = await startClaimInstallation();
  let app = installation.appWith();
  const server = createAdaptorServer({ fetch: (request, bindings) => app.fetch(request, bindings) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The address is known only now, and forms are taken from there alone.
  const changed = change(installation);
  const settings = { ...installation.dependencies.settings, ...changed?.settings, baseUrl: url };
  app = installation.appWith({ ...changed, settings });
  return {
    ...installation,
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
