import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Config, parseConfig } from '../../core/config/config.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { isAlive } from '../../local/processes/process-id.ts';
import { createWaits } from '../../service/readiness/waits.ts';
import { tieStore } from '../../service/networks/belongs.ts';
import { createEvmParts } from '../../service/networks/evm.ts';
import { idMarksOf, localKeysOf, readSolanaKeys } from '../../service/networks/keys.ts';
import { prepareEnvironment, type ServiceEnvironment } from '../../service/environment.ts';
import { openMigrated } from '../support/databases/migrated.ts';

const HUB = 'https://hub.example/v9';
const [SOLANA_KEY_1, SOLANA_KEY_2] = ['y'.repeat(87), 'z'.repeat(87)];
const TESTNET = {
  NETWORK_MODE: 'testnet',
  REDIS_URL: 'redis://127.0.0.1:9',
  BASE_RPC_URL: 'http://127.0.0.1:9',
  TREASURY_KEY: `0x${'1'.repeat(64)}`,
  LANE_KEYS: `0x${'2'.repeat(64)}`,
  OPERATOR_NAME: 'The test',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
};

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-environment-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const closing = new AbortController();
const log = pino({ level: 'silent' });
const waits = createWaits({ log, progress: () => undefined, closing: closing.signal });

async function prepare(config: Config) {
  const secrets: string[] = [];
  const said: string[] = [];
  const environment = await prepareEnvironment({
    config,
    baseUrl: 'http://127.0.0.1:8402',
    progress: (text) => void said.push(text),
    addSecrets: (more) => void secrets.push(...more),
    log,
    waits,
    slotMs: 0,
  });
  await environment.close();
  return { environment, secrets, said };
}

/** Where tasks were paid at the address of one key, a start with another. */
async function startWithAnotherTaskKey({ nodes, explainStamp }: ServiceEnvironment, config: Config): Promise<unknown> {
  const node = nodes.get('base');
  if (node?.family !== 'evm') throw new Error('Base is not there');
  const store = await openMigrated({ kind: 'sqlite', path: join(dataDir, 'books.sqlite') });
  const tie = (taskKey: `0x${string}`) => {
    const parts = createEvmParts('base', 'local', node.rpcUrl, { ...node.keys, taskKey });
    const belongings = { mode: 'local', marks: idMarksOf(config) };
    return tieStore(store, new Map([['base', parts]]), belongings).catch(explainStamp);
  };
  await tie(`0x${'6'.repeat(64)}`);
  const outcome = await tie(`0x${'7'.repeat(64)}`);
  await store.close();
  return outcome;
}

describe('local mode', () => {
  const local = (env: Record<string, string>) => parseConfig({ DATA_DIR: dataDir, LOCAL_BLOCK_MS: '100', ...env });
  afterEach(() => stopLocalMode(dataDir));

  test('with both networks brings both chains, stamped, and keeps every key that it made out of the log', async () => {
    const config = local({ NETWORKS: 'base,solana' });
    const { environment, secrets, said } = await prepare(config);
    expect(environment.nodes.get('solana')).toEqual({
      family: 'svm',
      network: 'solana',
      rpcUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      keys: readSolanaKeys(config),
    });
    expect(environment.stamp).toEqual({
      'base:instance': expect.stringMatching(/^0x[0-9a-f]{64}$/),
      'solana:instance': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(secrets.toSorted()).toEqual(Object.values(localKeysOf(config)).flat().toSorted());
    expect(said.at(-1)).toBe('Starting local chains with play money: Base, Solana …');
  });

  test('with Base alone is stamped as before, and has no Solana; its chain is asked by the configured address, and a hub of its own; books whose tasks were paid at another address are refused', async () => {
    // Such as that of a proxy before it.
    const rpcUrl = 'http://127.0.0.1:9/proxy';
    const config = local({ NETWORKS: 'base', BASE_RPC_URL: rpcUrl, FARCASTER_HUB_URL: HUB });
    const { environment, said } = await prepare(config);
    expect([...environment.nodes.keys()]).toEqual(['base']);
    expect(environment.nodes.get('base')).toMatchObject({ rpcUrl });
    expect([...environment.faucets.keys()]).toEqual(['base']);
    expect(Object.keys(environment.stamp)).toEqual(['base:instance']);
    expect(said.at(-1)).toBe('Starting a local chain with play money: Base …');
    expect(environment.farcasterHubUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(environment.hub).not.toBe(null);
    await expect(startWithAnotherTaskKey(environment, config)).rejects.toThrow('npm start -- --reset');
  });
});

describe('outside local mode', () => {
  const SOLANA = {
    SOLANA_RPC_URL: 'http://127.0.0.1:10',
    SOLANA_TREASURY_KEY: SOLANA_KEY_1,
    SOLANA_FEE_PAYER_KEY: SOLANA_KEY_2,
  };
  const testnet = (env: Record<string, string>) => parseConfig({ ...TESTNET, DATA_DIR: dataDir, ...env });

  test('Solana is what the configuration says', async () => {
    const { environment } = await prepare(testnet(SOLANA));
    const keys = { treasuryKey: SOLANA_KEY_1, taskKey: undefined, feePayerKey: SOLANA_KEY_2 };
    expect(environment.nodes.get('solana')).toMatchObject({ rpcUrl: 'http://127.0.0.1:10', keys });
  });

  test.each([
    ['SOLANA_TREASURY_KEY', 'SOLANA_TREASURY_KEY and SOLANA_FEE_PAYER_KEY are needed outside local mode.'],
    ['SOLANA_FEE_PAYER_KEY', 'SOLANA_TREASURY_KEY and SOLANA_FEE_PAYER_KEY are needed outside local mode.'],
  ])('without %s Solana is refused in one line', async (name, message) => {
    await expect(prepare(testnet({ ...SOLANA, [name]: '' }))).rejects.toThrow(message);
  });

  test('the hub for people on Farcaster is what the configuration says, or none', async () => {
    const configured = await prepare(testnet({ NETWORKS: 'base', FARCASTER_HUB_URL: HUB }));
    expect(configured.environment.farcasterHubUrl).toBe(HUB);
    const { environment } = await prepare(testnet({ NETWORKS: 'base' }));
    expect([environment.farcasterHubUrl, environment.hub]).toEqual([undefined, null]);
  });

  test('a private Redis that does not come up is waited for beside everything else, and stopped in the end', async () => {
    const folder = join(dataDir, 'redis');
    const obstacle = join(folder, 'appendonlydir');
    mkdirSync(folder);
    writeFileSync(obstacle, 'a file where a folder has to be');
    const environment = await prepareEnvironment({
      config: testnet({ NETWORKS: 'base', REDIS_URL: '' }),
      baseUrl: 'http://127.0.0.1:8402',
      progress: () => undefined,
      addSecrets: () => undefined,
      log,
      waits,
    });
    expect(waits.names()).toEqual(['the private Redis']);
    rmSync(obstacle);
    await vi.waitFor(() => expect(waits.names()).toEqual([]), { timeout: 60_000, interval: 20 });
    const pid = Number(readFileSync(join(folder, 'redis.pid'), 'utf8'));
    expect([environment.redis, isAlive(pid)]).toEqual([{ path: join(folder, 'redis.sock') }, true]);
    await environment.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('nothing of Solana is needed when it is not among the networks', async () => {
    const { environment } = await prepare(testnet({ NETWORKS: 'base' }));
    expect(environment.nodes.has('solana')).toBe(false);
  });
});
