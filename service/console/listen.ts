import { randomBytes } from 'node:crypto';
import { trustProxies } from '../../api/http/proxies.ts';
import { callerAddress } from '../../api/http/caller.ts';
import type { Config } from '../../core/config/config.ts';
import { createPasskeys } from '../../identity/passkeys/passkeys.ts';
import { connectionLimits } from '../http/connections.ts';
import { listen } from '../http/server.ts';
import type { OpenBeside, ServiceOptions } from '../options.ts';
import { createConsole } from './app.ts';

/**
 * Takes ADMIN_PORT, at the same address as PORT; null when it is not set. It answers what names it alone, as the main port
 * does, and until the service is open it answers 503.
 */
export async function listenForConsole({
  config,
  log,
}: Pick<ServiceOptions, 'config' | 'log'>): Promise<OpenBeside | null> {
  const { admin, http } = config;
  if (admin.port === undefined) return null;
  const isTrustedProxy = trustProxies(http.trustedProxies);
  const site = { baseUrl: admin.url ?? localUrl(admin.port), isTrustedProxy, log };
  const server = await takePort(config, admin.port, site);
  const publicUrl = admin.url ?? localUrl(server.port);
  const passkeys = createPasskeys(publicUrl);
  if (passkeys === null)
    throw new Error(`ADMIN_URL ${publicUrl} is an address, and browsers have passkeys for names only.`);
  return ({ store, queue }) => {
    const app = createConsole({
      config,
      store,
      publicUrl,
      passkeys,
      now: () => Date.now(),
      random: randomBytes,
      log,
      limits: queue.limits,
      callerOf: (context) => callerAddress(context, isTrustedProxy),
    });
    server.serve(app.fetch);
    log.info({ url: publicUrl }, 'the console is open');
    return { close: server.close };
  };
}

const localUrl = (port: number): string => `http://localhost:${port}`;

/** A few people with a few tabs each; the others are for the main port. */
const SOCKETS_MAX = 64;

async function takePort({ http }: Config, port: number, site: NonNullable<Parameters<typeof listen>[2]>['site']) {
  try {
    const limits = { ...connectionLimits(), total: SOCKETS_MAX, perAddress: SOCKETS_MAX };
    return await listen(http.host, port, site === undefined ? { limits } : { site, limits });
  } catch (cause) {
    const found = `ADMIN_PORT ${port} on ${http.host} cannot be used.`;
    throw new Error(`${found} Stop what listens there, or set ADMIN_PORT to another.`, { cause });
  }
}
