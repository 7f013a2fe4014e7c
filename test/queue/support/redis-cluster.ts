import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { REDIS_PREFIX } from '../../../queue/connection.ts';
import { findQuietPort } from '../../support/quiet-port.ts';
import { spawnRedisServer } from './redis-server.ts';
import { makeCertificates, readClientTls, type Certificates } from './certificates.ts';

/** The port of the cluster bus is so far above that of the server. */
const BUS = 10_000;
const SLOTS = 16_384;
const MASTERS = 3;
/** Seconds of silence until a master counts as dead, times 1,000; a replica takes over within two more seconds. */
const NODE_TIMEOUT_MS = 1_000;
const PASSWORD = 'p@ss_word';
/** May touch what is ours, and is refused what managed services refuse. */
const LIMITED = `user pennypost on >${PASSWORD} ~${REDIS_PREFIX}:* &${REDIS_PREFIX}:* +@all -@admin -@dangerous +info +cluster`;

export type ClusterNode = {
  port: number;
  /** Outside the code under test. */
  admin: Redis;
  kill: () => Promise<void>;
  start: () => void;
  freeze: () => void;
  thaw: () => void;
};

/** Three masters with a replica each, over TLS only, with a user whose rights are limited; as people run it. */
export type TestCluster = {
  url: string;
  certificates: Certificates;
  tls: { ca: string; cert: string; key: string };
  nodes: readonly ClusterNode[];
  /** The living master that has our slot; waits for it. */
  owner: () => Promise<ClusterNode>;
  /** Each slot has a master, and each master a replica that follows. */
  whole: () => Promise<void>;
  flush: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startTestCluster(): Promise<TestCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'pennypost-cluster-'));
  const certificates = makeCertificates(directory);
  const tls = readClientTls(certificates);
  const nodes: Node[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < 2 * MASTERS; index += 1) nodes.push(await startNode(directory, certificates, tls));
    await joinNodes(nodes);
    const login = `pennypost:${encodeURIComponent(PASSWORD)}`;
    const url = nodes.slice(0, 2).map(({ port }) => `rediss://${login}@localhost:${port}`);
    const cluster: TestCluster = {
      url: url.join(','),
      certificates,
      tls,
      nodes,
      owner: () => until('a master of our slot', () => findOwner(nodes)),
      whole: async () => void (await until('a whole cluster', () => isWhole(nodes))),
      flush: async () => {
        for (const node of nodes) await node.admin.flushall().catch(() => undefined);
      },
      stop,
    };
    await cluster.whole();
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

type Node = ClusterNode & { id: () => Promise<string>; stop: () => Promise<void> };

async function startNode(directory: string, files: Certificates, tls: TestCluster['tls']): Promise<Node> {
  const port = await findQuietPort([BUS]);
  const dir = join(directory, String(port));
  mkdirSync(dir);
  writeFileSync(join(dir, 'users'), `user default on nopass ~* &* +@all\n${LIMITED}\n`);
  const settings = {
    port: '0',
    'tls-port': String(port),
    'tls-cluster': 'yes',
    'tls-replication': 'yes',
    'tls-cert-file': files.serverCert,
    'tls-key-file': files.serverKey,
    'tls-ca-cert-file': files.ca,
    bind: '127.0.0.1',
    'cluster-enabled': 'yes',
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-replica-validity-factor': '0',
    'cluster-announce-hostname': 'localhost',
    'cluster-preferred-endpoint-type': 'hostname',
    'repl-diskless-sync-delay': '0',
    aclfile: join(dir, 'users'),
    dir,
    save: '',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const options = { host: '127.0.0.1', port, tls, commandTimeout: 2_000, retryStrategy: () => 50 };
  const admin = new Redis({ ...options, maxRetriesPerRequest: 0, enableOfflineQueue: false });
  admin.on('error', () => undefined);
  let server: ChildProcess | null = null;
  const start = (): void => {
    server = spawnRedisServer(args);
  };
  const kill = async (): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  start();
  return {
    port,
    admin,
    start,
    kill,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    id: async () => String(await admin.cluster('MYID')),
    stop: async () => {
      admin.disconnect();
      await kill();
    },
  };
}

async function joinNodes(nodes: readonly Node[]): Promise<void> {
  for (const [index, { admin }] of nodes.entries()) {
    await until('a server', () => admin.ping().catch(() => null));
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  const [first] = nodes;
  for (const { admin } of nodes.slice(1)) await admin.call('CLUSTER', 'MEET', '127.0.0.1', String(first?.port));
  const masters = nodes.slice(0, MASTERS);
  for (const [index, { admin }] of masters.entries()) {
    const [from, next] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / MASTERS)) as [number, number];
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(next - 1));
  }
  for (const [index, { admin }] of nodes.slice(MASTERS).entries()) {
    const id = (await masters[index]?.id()) ?? '';
    await until('a replica', () => admin.call('CLUSTER', 'REPLICATE', id).catch(() => null));
  }
}

async function findOwner(nodes: readonly Node[]): Promise<Node | null> {
  for (const node of nodes) {
    const role = await node.admin.role().catch(() => null);
    if (role?.[0] !== 'master') continue;
    // Any other node answers MOVED.
    const isOwner = await node.admin.exists(`${REDIS_PREFIX}:stamp`).then(
      () => true,
      () => false,
    );
    if (isOwner) return node;
  }
  return null;
}

async function isWhole(nodes: readonly Node[]): Promise<true | null> {
  for (const { admin } of nodes) {
    const info = String(await admin.cluster('INFO').catch(() => ''));
    if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${nodes.length}`)) return null;
    const role = await admin.role();
    if (role[0] === 'slave' && role[3] !== 'connected') return null;
    if (role[0] === 'master' && (role[2] as unknown[]).length !== 1) return null;
  }
  return true;
}

async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const endMs = Date.now() + 60_000;
  while (Date.now() < endMs) {
    const answer = await ask();
    if (answer !== null) return answer;
    await sleep(20);
  }
  throw new Error(`waited a minute for ${what}`);
}
