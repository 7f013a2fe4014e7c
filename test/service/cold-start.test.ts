/** What an operator sees, and what is served, while something is missing at a start. SHOW=1 prints what was written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createConnection, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stopLocalMode } from '../../local/mode.ts';
import { createPrivateKey } from '../../local/solana/ground/private-key.ts';
import { spawnKillable } from '../../scripts/torture/killable.ts';
import { startLocalService } from '../support/local-service.ts';
import { onPostgres } from '../support/postgres.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { startTestRedis, type TestRedis } from '../queue/support/redis-server.ts';

const SOON = { timeout: 90_000, interval: 50 };

type Running = Omit<ReturnType<typeof spawnKillable>, 'listening'> & { url: string };

const ended: (() => Promise<unknown>)[] = [];
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-cold-'));
});
afterAll(async () => {
  for (const end of ended.reverse()) await end();
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Resolves as soon as the process answers at all. */
async function start(name: string, roles: string[], env: Record<string, string>): Promise<Running> {
  const url = `http://127.0.0.1:${await findQuietPort()}`;
  const running = spawnKillable({ dataDir, roles, env: { ...env, PORT: new URL(url).port } });
  ended.push(async () => {
    if (running.process.exitCode === null) await running.kill();
    if (process.env['SHOW']) process.stdout.write(`\n--- ${name}\n${running.output()}`);
  });
  await vi.waitFor(() => fetch(`${url}/health/live`), SOON);
  return { ...running, url };
}

async function ask(url: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const pay = (url: string, headers: Record<string, string> = {}) =>
  ask(url, '/payments/email/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"receiver":"a@example.com","amount":1}',
  });

const told = (running: Running, line: RegExp) => vi.waitFor(() => expect(running.output()).toMatch(line), SOON);

/** TCP on a port of its own, for a server that has a socket only. */
async function forward(port: number, socket: string): Promise<Server> {
  const server = createTcpServer((incoming) => {
    const outgoing = createConnection(socket);
    const cut = () => [incoming, outgoing].forEach((one) => one.destroy());
    incoming.pipe(outgoing).on('error', cut).on('close', cut);
    outgoing.pipe(incoming).on('error', cut).on('close', cut);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

onPostgres((fresh) => {
  test('an API whose database, Redis and worker come one after the other serves what it can, and says what is missing', async () => {
    const [databasePort, redisPort] = [await findQuietPort(), await findQuietPort()];
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this is for PostgreSQL');
    const { pathname, searchParams } = new URL(database.url);
    const env = {
      NETWORKS: 'base',
      DATABASE_URL: `postgres://test@127.0.0.1:${databasePort}${pathname}`,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    };
    const api = await start('api', ['api'], env);

    // Nothing can be looked up: only a caller that cannot have paid is sent away with a 503.
    await told(api, /^Waiting for the database: nothing listens there \(ECONNREFUSED\)\.$/m);
    expect(await ask(api.url, '/health/ready')).toMatchObject({
      status: 503,
      body: { code: 503, msg: 'starting', waiting_for: ['the database'] },
    });
    const refused = await pay(api.url);
    expect(refused).toMatchObject({ status: 503, body: { code: 503, error: 'starting', retryable: true } });
    expect(refused.headers.get('Retry-After')).toBe('5');
    expect(refused.body['request_id']).toBe(refused.headers.get('X-Request-Id'));
    for (const header of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Idempotency-Key']) {
      const unknown = await pay(api.url, { [header]: 'something' });
      expect(unknown).toMatchObject({ status: 500, body: { error: 'settlement_pending', retryable: true } });
    }

    const forwarding = await forward(databasePort, join(searchParams.get('host') ?? '', '.s.PGSQL.5432'));
    ended.push(async () => forwarding.close());
    await told(api, /^The database is there, after \d+ s\.$/m);
    await told(api, /^Listening on http/m);
    expect(await ask(api.url, '/health/ready')).toMatchObject({
      status: 200,
      body: { parts: { database: 'ok', api: 'ok' } },
    });
    expect(await ask(api.url, '/payments/validate?txn_id=1')).toMatchObject({
      status: 400,
      body: { error: 'payment_not_found' },
    });
    // What nothing settles is not offered.
    expect(await pay(api.url)).toMatchObject({ status: 503, body: { error: 'network_unavailable' } });
    await told(api, /^Waiting for a worker: none gives a sign of life, so nothing is settled or paid out\.$/m);
    await told(api, /^Waiting for Redis: no answer/m);
    expect(await ask(api.url, '/health')).toMatchObject({
      status: 503,
      body: {
        parts: { database: 'ok', queue: 'down', worker: 'down' },
        networks: { base: { serves: false, reason: 'no_worker' } },
      },
    });

    const redis: TestRedis = await startTestRedis('--port', String(redisPort));
    ended.push(redis.stop);
    const worker = await startLocalService({ dataDir, roles: ['worker'], env });
    ended.push(worker.close);
    await told(api, /^A worker is there, after \d+ s\.$/m);
    await told(api, /^Redis is there, after \d+ s\.$/m);
    await told(api, /^Ready\. Open/m);
    expect((await ask(api.url, '/health')).status).toBe(200);

    // The chain belongs to both.
    expect(await api.stop()).toBe(0);
    expect((await ask(worker.url, '/health')).status).toBe(200);
  });
});

describe('a node that is silent at the start', () => {
  const testnet = {
    NETWORK_MODE: 'testnet',
    NETWORKS: 'base',
    TREASURY_KEY: `0x${'ab'.repeat(32)}`,
    LANE_KEYS: `0x${'cd'.repeat(32)}`,
    OPERATOR_NAME: 'The test',
    SUPPORT_URL: 'https://example.com/help',
    TERMS_URL: 'https://example.com/terms',
  };

  /** A node that knows only which chain it is on. */
  async function startNode(port: number, chainId: () => number): Promise<number> {
    const server = createServer((request, response) => {
      void readAll(request).then((text) => {
        const questions = [JSON.parse(text)].flat() as { id: number; method: string }[];
        const answers = questions.map(({ id, method }) =>
          method === 'eth_chainId'
            ? { jsonrpc: '2.0', id, result: `0x${chainId().toString(16)}` }
            : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } },
        );
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
      });
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ended.push(async () => server.close());
    return (server.address() as AddressInfo).port;
  }

  async function readAll(request: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    return text;
  }

  /** A node that is never there. */
  const solana = {
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    SOLANA_TREASURY_KEY: createPrivateKey(),
    SOLANA_FEE_PAYER_KEY: createPrivateKey(),
  };

  test('keeps nothing from being served; until it is the right chain it is waited for; one that never comes holds up no end', async () => {
    const port = await findQuietPort();
    const BASE_RPC_URL = `http://127.0.0.1:${port}/key-4711`;
    const place = { NETWORKS: 'base,solana', DATA_DIR: join(dataDir, 'two') };
    const env = { ...testnet, ...solana, ...place, BASE_RPC_URL };
    const written: string[] = [];
    const running = await startLocalService({
      dataDir,
      roles: ['api', 'worker'],
      env,
      log: pino({ level: 'info' }, { write: (text: string) => void written.push(text) }),
    });
    ended.push(running.close);
    const told = (line: RegExp) => vi.waitFor(() => expect(written.join('')).toMatch(line), SOON);
    await told(/"Waiting for the node of Base \(BASE_RPC_URL\): .*unreachable\."/);
    expect((await ask(running.url, '/health/ready')).status).toBe(200);
    expect(await ask(running.url, '/health')).toMatchObject({
      status: 503,
      body: { parts: { worker: 'ok' }, networks: { base: { serves: false, reason: 'no_answer' } } },
    });

    let chainId = 1;
    let asked = 0;
    await startNode(port, () => {
      asked += 1;
      return chainId;
    });
    // The other networks would serve by now, so a wrong chain closes its own network only.
    await vi.waitFor(async () => {
      // Its first answer was taken in.
      expect(asked).toBeGreaterThan(1);
      const waitedFor = (await ask(running.url, '/health')).body['waiting_for'] as string[];
      expect(waitedFor.toSorted()).toEqual(['the node of Base (BASE_RPC_URL)', 'the node of Solana (SOLANA_RPC_URL)']);
    }, SOON);
    chainId = 84532;
    await told(/"The node of Base \(BASE_RPC_URL\) is there, after \d+ s\."/);
    expect(written.join('')).not.toContain('key-4711');
    await running.close();
  });

  test('one that answers as another chain ends the start with one line', async () => {
    const port = await startNode(0, () => 1);
    const env = { ...testnet, BASE_RPC_URL: `http://127.0.0.1:${port}` };
    await expect(startLocalService({ dataDir, roles: ['api', 'worker'], env })).rejects.toThrow(
      /^BASE_RPC_URL is chain 1; this mode needs chain 84532\.$/,
    );
  });
});
