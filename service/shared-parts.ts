import { mkdirSync } from 'node:fs';
import { toBaseUrl } from '../core/config/sections.ts';
import type { Network } from '../core/networks.ts';
import { openStore } from '../db/store/open.ts';
import { stampStore } from '../db/store/stamp.ts';
import type { Store } from '../db/store/store.ts';
import { listen, type HttpServer } from './http.ts';
import { isOlderThanBooks, openNetwork, type NetworkParts } from './networks.ts';
import { connectQueue, type QueueConnection } from './queue.ts';
import type { ServiceOptions } from './options.ts';
import { prepareEnvironment, type ServiceEnvironment } from './environment.ts';

/** What every role of a process shares. */
export type SharedParts = {
  server: HttpServer;
  /** Where this process listens. */
  url: string;
  /** Where the service is reached from outside: part of every link. */
  baseUrl: string;
  environment: ServiceEnvironment;
  /** Those that are offered, in the order of `NETWORKS`. */
  networks: ReadonlyMap<Network, NetworkParts>;
  store: Store;
  queue: QueueConnection;
};

/** Closers, run in the reverse order of opening. */
export type Opened = (() => Promise<void>)[];

/** Opens everything in the order in which a failure is cheapest to report: the port, the environment, the data. */
export async function openSharedParts(
  options: ServiceOptions,
  opened: Opened,
  onWakeUp: (outboxId: number) => Promise<void>,
): Promise<SharedParts> {
  const { config, log, roles } = options;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await listen(config.http.host, config.http.port);
  opened.push(server.close);
  const url = toBaseUrl(config.http.host, server.port);

  const baseUrl = config.http.baseUrl ?? url;
  const environment = await prepareEnvironment({ ...options, baseUrl });
  opened.push(environment.close);
  const networks = new Map<Network, NetworkParts>();
  for (const [network, node] of environment.nodes) networks.set(network, await openNetwork(config.mode, node));
  const all = [...networks.values()];
  const stamp = Object.fromEntries(all.flatMap((parts) => Object.entries(stampOf(parts))));
  const store = await openStore(config.databaseUrl);
  opened.push(store.close);
  const { mode } = config;
  await stampStore(store, { mode }, { ...stamp, ...environment.stamp }).catch(environment.explainStamp);
  if (config.mode === 'local') {
    for (const parts of all) {
      if (!(await isOlderThanBooks(store, parts))) continue;
      environment.explainStamp(new Error(`the chain of ${parts.profile.network} is older than the books`));
    }
  }
  const runsWorker = roles.includes('worker');
  const queue = await connectQueue({
    target: environment.redis,
    stamp: queueStamp(mode, all[0]),
    log,
    runsWorker,
    onWakeUp,
  });
  opened.push(queue.close);
  return { server, url, baseUrl, environment, networks, store, queue };
}

/** The queue carries wake-ups only, so one network identifies the installation well enough. */
function queueStamp(mode: string, parts: NetworkParts | undefined) {
  if (parts === undefined) throw new Error('no network is offered');
  const { profile, treasury } = parts;
  return { mode, chain: profile.caip2, token: profile.usdc, treasury: treasury.address };
}

/** Ties the books to a network's chain, token and treasury, and to the task address once that is configured. */
function stampOf({ profile, treasury, apiNetwork: { transfers } }: NetworkParts): Record<string, string> {
  const { network, caip2, usdc } = profile;
  return {
    [`${network}:chain`]: caip2,
    [`${network}:token`]: usdc,
    [`${network}:treasury`]: treasury.address,
    ...(transfers && { [`${network}:task`]: transfers.address }),
  };
}
