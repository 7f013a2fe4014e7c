import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Misconfigured } from '../core/config/misconfigured.ts';
import { toBaseUrl } from '../core/config/sections.ts';
import type { Network } from '../core/networks.ts';
import { openHighWater, type HighWater } from '../db/processes/high-water.ts';
import type { ProcessLease } from '../db/processes/owner.ts';
import { guardSigning } from '../db/processes/signing.ts';
import { isDatabaseAway } from '../db/store/busy.ts';
import { openStore } from '../db/store/open.ts';
import type { Store } from '../db/store/store.ts';
import { createEventParts, type EventParts } from './events/events.ts';
import { listen, type HttpServer } from './http/server.ts';
import {
  checkNode,
  createNetwork,
  isOlderThanBooks,
  openNetwork,
  type NetworkParts,
  type Opening,
} from './networks.ts';
import { noteFormerHeads, tieStore } from './networks/belongs.ts';
import { idMarksOf } from './networks/keys.ts';
import { connectQueue, type QueueConnection, type QueueOptions } from './queue/queue.ts';
import type { ServiceOptions } from './options.ts';
import { createMarkFile } from './readiness/mark-file.ts';
import { startProcess } from './readiness/process.ts';
import { createStartingApp } from './readiness/starting-app.ts';
import type { Waits } from './readiness/waits.ts';
import { trustProxies } from '../api/http/proxies.ts';
import { prepareEnvironment, type ServiceEnvironment } from './environment.ts';
import { makeDataDir } from '../local/processes/make-data-dir.ts';

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
  /** Whether the chain of each of them has answered. */
  openings: ReadonlyMap<Network, Opening>;
  /** What is signed is stored under the lease of this process. */
  store: Store;
  /** What this process holds, it holds under this. */
  lease: ProcessLease;
  queue: QueueConnection;
  events: EventParts;
  waits: Waits;
};

/** Closers, run in the reverse order of opening. */
export type Opened = (() => Promise<void>)[];

/**
 * Opens everything in the order in which a failure is cheapest to report: the port, the environment, the data, the
 * chains. Waits for a database that is away; a chain or a Redis that is away is waited for beside what can be served
 * without it.
 */
export async function openSharedParts(
  options: ServiceOptions,
  opened: Opened,
  waits: Waits,
  onWakeUp: QueueOptions['onWakeUp'],
): Promise<SharedParts> {
  const { config, roles } = options;
  makeDataDir(config.dataDir);
  const { host, port, trustedProxies } = config.http;
  const site = {
    baseUrl: config.http.baseUrl ?? toBaseUrl(host, port),
    isTrustedProxy: trustProxies(trustedProxies),
    log: options.log,
  };
  const server = await listen(host, port, { starting: createStartingApp(waits.names), site });
  opened.push(server.close);
  const url = toBaseUrl(config.http.host, server.port);

  const baseUrl = config.http.baseUrl ?? url;
  const environment = await prepareEnvironment({ ...options, baseUrl, waits });
  opened.push(environment.close);
  const networks = new Map<Network, NetworkParts>();
  for (const [network, node] of environment.nodes) networks.set(network, createNetwork(config.mode, node, options.log));
  const store = await askDatabase(waits, () => openStore(config.databaseUrl));
  opened.push(store.close);
  const { mode, compromised } = config;
  const belongings = { mode, more: environment.stamp, marks: idMarksOf(config), compromised };
  const tie = () => tieStore(store, networks, belongings).catch(environment.explainStamp);
  const { mayServe } = await askDatabase(waits, tie);
  const openings = await openNetworks(options, { environment, networks, store, waits });
  const address = `${hostname()}:${server.port}`;
  const { log, onRefused = () => undefined } = options;
  const entering = { store, roles, address, log, mayServe, onRefused };
  const lease = await askDatabase(waits, () => startProcess(entering));
  opened.push(lease.close);
  const highWater = await askDatabase(waits, () => watchHighWater(options, store, lease));
  const queue = await connectQueue({
    target: environment.redis,
    stamp: queueStamp(config.mode, [...networks.values()][0]),
    log: options.log,
    runsWorker: roles.includes('worker'),
    onWakeUp,
    waits,
  });
  opened.push(queue.close);
  const events = createEventParts(config, queue.limits);
  opened.push(events.close);
  const guarded = guardSigning(store, lease.owner, highWater);
  return { server, url, baseUrl, environment, networks, openings, store: guarded, lease, queue, events, waits };
}

/** With each beat of its lease a process looks whether the database still knows all that was signed here. */
async function watchHighWater(
  { config, roles, log }: ServiceOptions,
  store: Store,
  lease: ProcessLease,
): Promise<HighWater> {
  const place = createMarkFile(join(config.dataDir, `high-water-${roles.join('-')}.json`));
  const highWater = await openHighWater(store, place, { newHolder: randomUUID, now: () => Date.now() });
  let wasBehind = false;
  lease.onBeat(() => {
    highWater.check().then(
      (isBehind) => {
        if (isBehind && !wasBehind)
          log.error('the database is older than what was signed here; run operator reconcile');
        wasBehind = isBehind;
      },
      (error: unknown) => log.warn({ err: error }, 'the high-water mark could not be compared'),
    );
  });
  return highWater;
}

/** For questions that may be repeated: at a start a database may still be on its way. */
export function askDatabase<T>(waits: Waits, ask: () => Promise<T>): Promise<T> {
  return waits.until('the database', ask, isDatabaseAway);
}

type Found = Pick<SharedParts, 'environment' | 'networks' | 'store' | 'waits'>;

async function openNetworks({ config }: ServiceOptions, found: Found): Promise<SharedParts['openings']> {
  const { environment, networks, store, waits } = found;
  const openings = [...networks].map(async ([network, parts]): Promise<[Network, Opening]> => {
    const check = async (): Promise<void> => {
      await checkNode(config.mode, parts);
      await noteFormerHeads(store, parts);
      if (config.mode !== 'local' || !(await isOlderThanBooks(store, parts))) return;
      environment.explainStamp(new Misconfigured(`the chain of ${network} is older than the books`));
    };
    return [network, await openNetwork(network, check, waits)];
  });
  return new Map(await Promise.all(openings));
}

/** The queue carries wake-ups only, so one network identifies the installation well enough. */
function queueStamp(mode: string, parts: NetworkParts | undefined) {
  if (parts === undefined) throw new Error('no network is offered');
  const { profile, treasury } = parts;
  // The first one, which no rotation changes.
  const [first = treasury.address] = parts.formerTreasuries;
  return { mode, chain: profile.caip2, token: profile.usdc, treasury: first };
}
