/** A network with a second node: a first that lies takes it out of the terms; a second that is silent takes nothing out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { microUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { startLocalMode } from '../../../local/mode.ts';
import { statusCommand } from '../../../service/operator/status.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import type { Service } from '../../../service/start.ts';
import { readMaySign } from '../../../worker/may-sign.ts';
import { CARRIERS } from '../../../core/transfers/carriers.ts';
import { startRpcProxy, type RpcProxy } from '../../support/chains/rpc-proxy.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { startLocalService } from '../../support/local-service.ts';
import { makeProof } from '../../support/pay.ts';
import { localChainsOf } from '../../support/served.ts';

/** Ten seconds are promised; the rest is room for a busy machine. */
const SOON = { timeout: 40_000, interval: 100 };
const NAMES = ['base', 'solana'] as const;
type Name = (typeof NAMES)[number];

let dataDir: string;
let service: Service;
let local: Awaited<ReturnType<typeof startLocalMode>>;
let chains: ReturnType<typeof localChainsOf>;
let firsts: Record<Name, RpcProxy>;
let seconds: Record<Name, RpcProxy>;
const lines: { level: number; network?: string; msg: string }[] = [];
const account = privateKeyToAccount(generatePrivateKey());
const keypair = Keypair.generate();

const both = async (open: (name: Name) => Promise<RpcProxy>): Promise<Record<Name, RpcProxy>> => ({
  base: await open('base'),
  solana: await open('solana'),
});

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-two-nodes-'));
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: NAMES.join(',') });
  local = await startLocalMode({ dataDir, networks: NAMES, keys: localKeysOf(config), blockTimeMs: 250, slotMs: 100 });
  chains = localChainsOf(local);
  const proxy = (name: Name) => startRpcProxy(chains[name]?.rpcUrl ?? '');
  [firsts, seconds] = [await both(proxy), await both(proxy)];
  service = await startLocalService({
    dataDir,
    roles: ['api', 'worker'],
    env: {
      NETWORKS: NAMES.join(','),
      BASE_RPC_URL: firsts.base.url,
      BASE_SECOND_RPC_URL: seconds.base.url,
      SOLANA_RPC_URL: firsts.solana.url,
      SOLANA_SECOND_RPC_URL: seconds.solana.url,
    },
    log: pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) }),
  });
  await local.faucets.get('base')?.(account.address);
  await local.faucets.get('solana')?.(keypair.publicKey.toBase58());
});
afterAll(async () => {
  await service.close();
  await local.close();
  await Promise.all([...Object.values(firsts), ...Object.values(seconds)].map((proxy) => proxy.close()));
  rmSync(dataDir, { recursive: true, force: true });
});

function partsOf(name: Name) {
  const parts = service.networks.get(name);
  if (parts === undefined) throw new Error(`${name} is not served`);
  return parts;
}

async function proofOn(name: Name): Promise<string> {
  const parts = partsOf(name);
  const value = 1_000_000n;
  switch (parts.family) {
    case 'evm':
      return makeProof({ from: account.address, signer: account, payTo: parts.treasury.address, value });
    case 'svm': {
      const terms = { payTo: parts.treasury.address, feePayer: parts.feePayer.address, value };
      return makeSolanaProof(keypair, chains.solana?.rpcUrl ?? '', terms);
    }
  }
}

async function pay(header?: string) {
  const response = await fetch(`${service.url}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(header && { 'PAYMENT-SIGNATURE': header }) },
    body: '{"receiver":"alice","amount":1}',
  });
  const body = (await response.json()) as { error?: string; accepts?: { network: string }[] };
  return { status: response.status, body };
}

const offered = async () => (await pay()).body.accepts?.map(({ network }) => network) ?? [];
const untilOffered = (wanted: Network[]) => vi.waitFor(async () => expect(await offered()).toEqual(wanted), SOON);
const other = (name: Name): Name => (name === 'base' ? 'solana' : 'base');

async function reasonOf(name: Name): Promise<string | undefined> {
  const body = (await (await fetch(`${service.url}/health`)).json()) as { networks: Record<Name, { reason?: string }> };
  return body.networks[name].reason;
}

async function status(): Promise<string> {
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: NAMES.join(',') });
  const context = { store: service.store, config, words: [], options: {} } as never;
  return (await statusCommand.run(context)).lines.join('\n');
}

const maySignOn = (name: Name) => {
  const { store } = service;
  return readMaySign({ store, settings: { carriers: CARRIERS } as never, profile: { network: name }, now: Date.now });
};

/** Of money that came to the treasury without a payment. */
async function depositsOn(name: Name): Promise<number> {
  const { observedTransfers } = service.store.tables;
  const rows = await service.store.read.select().from(observedTransfers);
  return rows.filter(({ network, amountMicroUsdc }) => network === name && amountMicroUsdc === 77n).length;
}

async function deposit(name: Name): Promise<void> {
  const { address } = partsOf(name).treasury;
  if (name === 'base') await chains.base.fundUsdc(address as `0x${string}`, microUsdc(77n));
  else await chains.solana?.fundUsdc(address, microUsdc(77n));
}

/** What the nodes must be made to hide so that money that came is not seen. */
const HIDDEN = {
  base: ['eth_getLogs', 'empty_logs'],
  solana: ['getTransaction', 'no_receipt'],
} as const;

/** It answers nothing, or not even that it is there. */
const SILENCE = { base: 'hang', solana: 'drop' } as const;

test('two nodes that say the same settle payments', async () => {
  await untilOffered(['base', 'solana']);
  for (const name of NAMES) expect((await pay(await proofOn(name))).status).toBe(200);
});

describe.each(NAMES)('on %s', (name) => {
  test('a first node that hides a transfer takes the network out until both show it; then it is booked', async () => {
    const [method, kind] = HIDDEN[name];
    const lie = firsts[name].fail(method, { kind });
    await deposit(name);
    await untilOffered([other(name)]);
    expect(lie.fired()).toBeGreaterThan(0);
    expect(await reasonOf(name)).toBe('nodes_disagree');
    expect(await depositsOn(name)).toBe(0);
    expect((await maySignOn(name))('payout')).toBe(false);
    expect((await maySignOn(name))('withdrawal')).toBe(false);
    expect((await maySignOn(other(name)))('payout')).toBe(true);
    expect(await status()).toContain('OUT: its two nodes contradict each other');
    // The other network goes on, and so does what is known already.
    expect((await pay(await proofOn(other(name)))).status).toBe(200);

    lie.heal();
    await untilOffered(['base', 'solana']);
    await vi.waitFor(async () => expect(await depositsOn(name)).toBe(1), SOON);
    await vi.waitFor(async () => expect((await maySignOn(name))('payout')).toBe(true), SOON);
    expect((await pay(await proofOn(name))).status).toBe(200);
    expect(lines.filter(({ network, level }) => network === name && level === 50).map(({ msg }) => msg)).toEqual([
      'the two nodes contradict each other; nothing is signed there',
    ]);
  });
});

test('second nodes that are silent are left out with a warning', async () => {
  lines.length = 0;
  const silences = NAMES.map((name) => seconds[name].fail('*', { kind: SILENCE[name] }));
  const warned = (msg: string) =>
    expect(lines.filter((line) => line.msg === msg).map(({ network }) => network)).toEqual(
      expect.arrayContaining([...NAMES]),
    );
  await vi.waitFor(() => warned('the second node does not answer: the first is believed alone until it does'), SOON);
  for (const name of NAMES) expect((await pay(await proofOn(name))).status).toBe(200);
  expect(await offered()).toEqual(['base', 'solana']);
  const believedAlone = async () => (await status()).match(/the first is believed alone/g);
  await vi.waitFor(async () => expect(await believedAlone()).toHaveLength(NAMES.length), SOON);
  for (const silence of silences) silence.heal();
  await vi.waitFor(() => warned('the second node is compared again'), SOON);
  for (const name of NAMES) expect((await pay(await proofOn(name))).status).toBe(200);
  expect(lines.filter(({ level }) => level === 50)).toEqual([]);
});
