/** The interface for agents over real SQLite, with a chain that only says what a test puts on it. Nothing settles here. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createFront } from '../../../api/app.ts';
import { createA2aApp } from '../../../api/a2a/http/app.ts';
import type { ApiDependencies, ApiNetwork } from '../../../api/environment/dependencies.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import type { TransactionTransfers } from '../../../api/transfers/transfer-reader.ts';
import { createIds } from '../../../core/ids.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { createLocalIdentity } from '../../../local/identity.ts';
import { createTestCollecting } from '../../support/claims/collecting.ts';
import { createTestResponses } from '../responses/world.ts';

export const NOW_MS = Date.UTC(2026, 10, 20, 13, 5);
export const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
export const X402_OLD = 'https://github.com/google-a2a/a2a-x402/v0.1';
export const TASK_ADDRESS = { base: `0x${'22'.repeat(20)}`, solana: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' };
export const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
};
export const HEAD = 100;

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld(settings: Partial<ApiDependencies['settings']> = {}, perMinute = 0) {
  const directory = await mkdtemp(join(tmpdir(), 'pennypost-a2a-'));
  const store = await openMigrated({ kind: 'sqlite', path: join(directory, 'a2a.sqlite') });
  const clock = { nowMs: NOW_MS };
  /** By hash. */
  const landed = new Map<string, TransactionTransfers>();
  const logged: unknown[] = [];
  const now = () => clock.nowMs;
  const shared = {
    store,
    identity: createLocalIdentity('configured'),
    ids: createIds(randomBytes),
    now,
    log: pino({ level: 'warn' }, { write: (text: string) => void logged.push(JSON.parse(text)) }),
    notify: () => undefined,
  };
  const dependencies: ApiDependencies = {
    ...shared,
    callerLimiter: createRateLimiter(perMinute, now),
    payerLimiter: createRateLimiter(0, now),
    networks: [networkOf('base', landed), networkOf('solana', landed)],
    // Time passes only while a caller waits.
    waitForChange: async (_id, timeoutMs) => {
      clock.nowMs += timeoutMs;
      return false;
    },
    responses: createTestResponses(store, shared.log),
    queueAnswers: async () => true,
    collecting: { ...createTestCollecting(shared), checkAddress: CHECKS },
    startedAtMs: NOW_MS,
    failpoint: () => undefined,
    settings: {
      baseUrl: 'http://127.0.0.1:8402',
      feeBps: 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: 30 * 86_400_000,
      settlementWaitMs: 2_000,
      localMode: true,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: 'the-bot-token-of-the-test-0123456789',
      isTrustedProxy: () => true,
      operator: { name: 'the test', supportUrl: '', termsUrl: '' },
      ...settings,
    },
  };
  const app = createFront(dependencies).route('/', createA2aApp(dependencies));
  return {
    store,
    clock,
    landed,
    logged,
    dependencies,
    app,
    close: async () => {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const CHECKS: ApiDependencies['collecting']['checkAddress'] = {
  base: async (text) =>
    /^0x[0-9a-f]{40}$/.test(text) ? { kind: 'fine', address: text } : { kind: 'refused', reason: 'not_an_address' },
};

function networkOf(network: 'base' | 'solana', landed: ReadonlyMap<string, TransactionTransfers>): ApiNetwork {
  const isBase = network === 'base';
  return {
    terms: {
      network,
      v1Name: network,
      caip2: isBase ? 'eip155:8453' : 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      aliases: isBase ? [] : ['solana:mainnet'],
      asset: USDC[network],
      payTo: isBase ? `0x${'11'.repeat(20)}` : '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      extra: { name: 'USD Coin', version: '2' },
    },
    checker: {
      read: () => null,
      check: async () => 'invalid_payload',
      isCancelledBy: async () => false,
      isEndpointOf: async () => false,
      endpointWords: () => '',
      isUsed: async () => false,
      lookUp: async () => 'unused',
      tryOut: async () => 'ok',
      isBound: () => false,
    },
    transfers: {
      address: TASK_ADDRESS[network],
      head: async () => HEAD,
      transfersOf: async (hash) => landed.get(hash) ?? { kind: 'not-found' },
    },
  };
}

export type Spoken = {
  status: number;
  headers: Headers;
  text: string;
  id: unknown;
  result: Record<string, unknown>;
  error: { code: number; message: string; data: Record<string, unknown> };
};

type Speaker =
  | { app: { request: (path: string, init: RequestInit) => Response | Promise<Response> } }
  | { url: string };

/** A caller without any library; the extension header is there unless a test takes it away. */
export async function say(to: Speaker, body: unknown, headers: Record<string, string> = { 'X-A2A-Extensions': X402 }) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  const response = await ('url' in to ? fetch(`${to.url}/a2a`, init) : to.app.request('/a2a', init));
  const text = await response.text();
  const spoken = JSON.parse(text === '' ? '{}' : text) as Spoken;
  return { ...spoken, status: response.status, headers: response.headers, text };
}

export const rpc = (method: string, params: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
export const SKILL = 'pennypost.pay.x';
export const PARAMS = { receiver: 'alice', amount: 1.5 };
