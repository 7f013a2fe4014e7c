/** Networks fail apart: what cannot settle leaves the terms within ten seconds and comes back by itself. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startPass } from '../../db/audit/pass.ts';
import { auditRound } from '../../db/audit/round.ts';
import { stopSigning, stopsOn } from '../../db/store/stops.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import type { EvmParts } from '../../service/networks/evm.ts';
import type { SolanaParts } from '../../service/networks/solana.ts';
import type { Service } from '../../service/start.ts';
import { startLocalService } from '../support/local-service.ts';
import { makeSolanaProof } from '../support/chains/solana-pay.ts';
import { makeProof } from '../support/pay.ts';

/** As promised, and some room for a busy machine. */
const SOON = { timeout: 25_000, interval: 250 };
const ORDER = { receiver: 'alice', amount: 1 };

let dataDir: string;
let service: Service;
let base: EvmParts;
let solana: SolanaParts;
let known: string;
let knownOnSolana: string;
const account = privateKeyToAccount(generatePrivateKey());
const keypair = Keypair.generate();

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-apart-'));
  service = await startLocalService({ dataDir, roles: ['api', 'worker'] });
  for (const parts of service.networks.values()) {
    if (parts.family === 'evm') base = parts;
    else solana = parts;
  }
  const { faucets } = service.environment;
  const address = keypair.publicKey.toBase58();
  await Promise.all([faucets.get('base')?.(account.address), faucets.get('solana')?.(address)]);
  [known, knownOnSolana] = await Promise.all([proof(), solanaProof()]);
  const paid = await Promise.all([pay(known), pay(knownOnSolana)]);
  const answers = paid.map(({ status }) => status);
  if (answers.some((status) => status !== 200)) throw new Error(`the first payments were answered ${answers.join()}`);
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const proof = () =>
  makeProof({ from: account.address, signer: account, payTo: base.treasury.address, value: 1_000_000n });

async function solanaProof(): Promise<string> {
  const terms = { payTo: solana.treasury.address, feePayer: solana.feePayer.address, value: 1_000_000n };
  return makeSolanaProof(keypair, rpcUrl('solana'), terms);
}

/** As after a restore: the books have forgotten which proofs were used. */
async function withoutProofs(step: () => Promise<void>): Promise<void> {
  const { proofs } = service.store.tables;
  const rows = await service.store.read.select().from(proofs);
  await service.store.tx((db) => db.delete(proofs));
  try {
    await step();
  } finally {
    await service.store.tx((db) => db.insert(proofs).values(rows));
  }
}

async function pay(header?: string) {
  const response = await fetch(`${service.url}/payments/x/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(header && { 'PAYMENT-SIGNATURE': header }) },
    body: JSON.stringify(ORDER),
  });
  const body = (await response.json()) as { error?: string; detail?: string; accepts?: { network: string }[] };
  return { status: response.status, body, headers: response.headers };
}

/** The networks of a new challenge. */
const offered = async () => (await pay()).body.accepts?.map(({ network }) => network) ?? [];
const untilOffered = (wanted: string[]) => vi.waitFor(async () => expect(await offered()).toEqual(wanted), SOON);

async function healthOf(network: string): Promise<unknown> {
  const body = (await (await fetch(`${service.url}/health`)).json()) as { networks: Record<string, unknown> };
  return body.networks[network];
}

type Sums = { reason?: string; assets: string; on_chain: string; liabilities: string };

/** A worker compares every ten seconds, and at once what it knows nothing of. */
async function compareSoon(network: string): Promise<void> {
  const { heartbeats } = service.store.tables;
  await service.store.tx((db) => db.delete(heartbeats).where(eq(heartbeats.name, `solvency:${network}`)));
}

async function solvency(): Promise<{ status: number; networks: Record<string, Sums> }> {
  const answer = await fetch(`${service.url}/health/solvency`);
  const { networks } = (await answer.json()) as { networks: Record<string, Sums> };
  return { status: answer.status, networks };
}

const rpcUrl = (network: 'base' | 'solana') => service.environment.nodes.get(network)?.rpcUrl ?? '';

async function fillLanes(wei: bigint): Promise<void> {
  for (const { address } of base.lanes) await callRpc(rpcUrl('base'), 'anvil_setBalance', [address, numberToHex(wei)]);
}

const fillTreasury = (lamports: string) =>
  callRpc(rpcUrl('solana'), 'local_setAccount', [
    solana.treasury.address,
    { owner: '11111111111111111111111111111111', data: '', lamports },
  ]);

test('books and chain of both networks are compared, and say the same', async () => {
  await compareSoon('base');
  await vi.waitFor(async () => {
    const { status, networks } = await solvency();
    expect([status, Object.keys(networks)]).toEqual([200, ['base', 'solana']]);
    // The first payment is in it.
    expect(networks['base']).toMatchObject({ solvent: true, block: expect.any(Number) });
    expect(networks['base']?.on_chain).toBe(networks['base']?.assets);
    expect(Number(networks['base']?.liabilities)).toBeGreaterThanOrEqual(1);
  }, SOON);
});

test('an empty gas wallet, and a silent node, take their network out; known proofs are answered, the other network goes on', async () => {
  expect(await offered()).toEqual(['base', 'solana']);
  await fillLanes(0n);
  await untilOffered(['solana']);
  expect(await healthOf('base')).toMatchObject({ serves: false, reason: 'no_gas' });
  expect(await healthOf('solana')).toEqual({ serves: true });
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect((await pay(known)).status).toBe(200);
  const refused = await pay(await proof());
  expect([refused.status, refused.body.error]).toEqual([503, 'network_unavailable']);
  expect(refused.body.detail).toMatch(/^Base is out: no wallet .* This payment was not taken here\.$/);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);

  await fillLanes(10n ** 20n);
  await fillTreasury('1000000');
  await untilOffered(['base']);
  const pid = Number(readFileSync(join(dataDir, 'local', 'base', 'anvil.pid'), 'utf8'));
  process.kill(pid, 'SIGSTOP');
  try {
    // With the second one out, too, there is nothing to offer.
    await vi.waitFor(async () => expect((await pay()).status).toBe(503), SOON);
    expect((await pay()).body).toMatchObject({
      error: 'network_unavailable',
      detail: expect.stringMatching(/^Base is out: .* Solana is out: the treasury has not enough/),
    });
    await fillTreasury('100000000000');
    await untilOffered(['solana']);
    const isSilent = { serves: false, reason: 'no_answer' };
    await vi.waitFor(async () => expect(await healthOf('base')).toMatchObject(isSilent), SOON);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await untilOffered(['base', 'solana']);
  expect((await pay(await proof())).status).toBe(200);
});

describe('while signing is stopped', () => {
  beforeAll(() => stopSigning(service.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now()));
  afterAll(() => service.store.tx((db) => db.delete(service.store.tables.signingStops)));

  test('nothing is said about a charge before the chain was asked', async () => {
    // A price comes from memory, which learns of a stop within a second or two.
    await expect
      .poll(async () => (await pay()).body)
      .toMatchObject({ error: 'service_paused', detail: 'Payments are paused for now.' });
    expect((await pay(known)).status).toBe(200);
    const unused = await pay(await proof());
    expect([unused.status, unused.body.error]).toEqual([500, 'service_paused']);
    expect(unused.body.detail).toMatch(
      /^Payments are paused for now\. Not charged so far; it cannot be after 20.*Z\.$/,
    );
    expect(await healthOf('solana')).toMatchObject({ serves: false, reason: 'stopped' });
  });

  test('a proof on Solana is looked for in its payer’s account', async () => {
    const unused = await pay(await solanaProof());
    expect([unused.status, unused.body.error]).toEqual([500, 'service_paused']);
    expect(unused.body.detail).toContain('Not charged so far; it cannot be once 150 more blocks have passed.');
    await withoutProofs(async () => {
      const used = await pay(knownOnSolana);
      expect([used.status, used.body.error]).toEqual([500, 'settlement_pending']);
      expect(used.body.detail).toContain('The chain shows that this proof was used.');
    });
    expect((await pay(knownOnSolana)).status).toBe(200);
  });

  test('a proof that the chain has used, but our books do not know, is not called uncharged', async () => {
    await withoutProofs(async () => {
      const lost = await pay(known);
      expect([lost.status, lost.body.error]).toEqual([500, 'settlement_pending']);
      expect(lost.body.detail).toContain('The chain shows that this proof was used.');
    });
    expect((await pay(known)).status).toBe(200);
  });
});

test('an outflow that nothing explains stops signing on its network, and on no other', async () => {
  const from = base.treasury.address;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account.address, 10_000n] });
  await callRpc(rpcUrl('base'), 'anvil_setBalance', [from, numberToHex(10n ** 18n)]);
  await callRpc(rpcUrl('base'), 'anvil_impersonateAccount', [from]);
  await callRpc(rpcUrl('base'), 'eth_sendTransaction', [{ from, to: base.profile.usdc, data }]);
  await untilOffered(['solana']);
  // An audit may be as quick as the scan, and stops it for the same transfer.
  const stops = (await stopsOn(service.store, 'base')).map(({ reason, network }) => ({ reason, network }));
  expect(stops).toContainEqual({ reason: 'unexplained_outflow', network: 'base' });
  expect(await stopsOn(service.store, 'solana')).toEqual([]);
  expect(await healthOf('base')).toMatchObject({ serves: false, reason: 'stopped' });
  const refused = await pay(await proof());
  expect([refused.status, refused.body.error]).toEqual([500, 'service_paused']);
  expect(refused.body.detail).toContain('Not charged so far');
  expect((await pay(await solanaProof())).status).toBe(200);
  await compareSoon('base');
  // An audit that finds it in the books as well says no more of the other network.
  const { store } = service;
  const audited = await auditRound(store, startPass(), Date.now());
  expect(audited).toMatchObject([{ rule: 'every outflow is explained', network: 'base' }]);
  await vi.waitFor(async () => {
    const { status, networks } = await solvency();
    expect([status, networks['base']?.reason, networks['solana']?.reason]).toEqual([503, 'stopped', undefined]);
    expect(Number(networks['base']?.assets) - Number(networks['base']?.on_chain)).toBeCloseTo(0.01, 6);
  }, SOON);
});
