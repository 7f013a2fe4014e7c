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
import { networkTitle, type Network } from '../../../core/networks.ts';
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
const SOON = { timeout: 40_000, interval: 250 };
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
  await Promise.all([
    local.faucets.get('base')?.(account.address),
    local.faucets.get('solana')?.(keypair.publicKey.toBase58()),
  ]);
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

const isTold = (name: Name, msg: string) =>
  expect(lines.filter((line) => line.network === name).map((line) => line.msg)).toContain(msg);
const paysOn = async (name: Name) => expect((await pay(await proofOn(name))).status).toBe(200);

async function hideOn(name: Name) {
  const [method, kind] = HIDDEN[name];
  const lie = firsts[name].fail(method, { kind });
  await deposit(name);
  return lie;
}

async function expectOut(name: Name): Promise<void> {
  await untilOffered([other(name)]);
  expect(await reasonOf(name)).toBe('nodes_disagree');
  expect(await depositsOn(name)).toBe(0);
  expect((await maySignOn(name))('payout')).toBe(false);
  expect((await maySignOn(name))('withdrawal')).toBe(false);
  expect((await maySignOn(other(name)))('payout')).toBe(true);
  expect(await status()).toContain(`${networkTitle(name, null)}: OUT: its two nodes contradict each other`);
}

/** On what was hidden, which is booked then. */
async function untilAgreed(name: Name): Promise<void> {
  await vi.waitFor(async () => expect(await depositsOn(name)).toBe(1), SOON);
  await vi.waitFor(() => isTold(name, 'the two nodes agree again'), SOON);
}

/** Of the network that is still offered. */
async function expectLeftOut(name: Name): Promise<void> {
  await vi.waitFor(
    () => isTold(name, 'the second node does not answer: the first is believed alone until it does'),
    SOON,
  );
  await paysOn(name);
  expect(await offered()).toEqual([name]);
  const alone = `${networkTitle(name, null)}: its second node does not answer`;
  await vi.waitFor(async () => expect(await status()).toContain(alone), SOON);
}

test('two nodes that say the same settle payments', async () => {
  await untilOffered(['base', 'solana']);
  await Promise.all(NAMES.map(paysOn));
  expect(await status()).not.toContain('its second node does not answer');
});

describe('a first node that hides a transfer takes its network out, a silent second takes nothing out', () => {
  test('on Solana it is out until both show it; Base goes on with its first node alone', async () => {
    const lie = await hideOn('solana');
    const silence = seconds.base.fail('*', { kind: SILENCE.base });
    await expectOut('solana');
    expect(lie.fired()).toBeGreaterThan(0);
    await expectLeftOut('base');
    lie.heal();
    silence.heal();
    await vi.waitFor(() => isTold('base', 'the second node is compared again'), SOON);
  });

  test('on Base too, once Solana is back with what was hidden', async () => {
    const lie = await hideOn('base');
    await untilAgreed('solana');
    // It is out for some seconds more; its look at what it needs to settle asks the first node only.
    const silence = seconds.solana.fail('*', { kind: SILENCE.solana });
    await expectOut('base');
    expect(lie.fired()).toBeGreaterThan(0);
    await expectLeftOut('solana');
    lie.heal();
    silence.heal();
    await untilAgreed('base');
    await untilOffered(['base', 'solana']);
    expect((await maySignOn('base'))('payout')).toBe(true);
    await paysOn('base');
    await vi.waitFor(() => isTold('solana', 'the second node is compared again'), SOON);
    const errors = lines.filter(({ level, network }) => level === 50 && network !== undefined);
    expect(errors.map(({ network, msg }) => [network, msg])).toEqual(
      ['solana', 'base'].map((name) => [name, 'the two nodes contradict each other; nothing is signed there']),
    );
  });
});
