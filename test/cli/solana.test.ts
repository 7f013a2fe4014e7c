import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { toBase58 } from '../../chain/solana/messages/base58.ts';
import { decodeTransaction } from '../../chain/solana/messages/message.ts';
import { isBoundNonce, requestHash } from '../../core/request-hash.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { usdc } from '../support/service.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { createPlace, type Place } from './client.ts';
import { startGate, type Gate } from './gate.ts';

let chain: SolanaChain;
let service: SolanaService;
let gate: Gate;
let payer: Keypair;
let place: Place;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, settlementWaitMs: 5_000 });
  gate = await startGate(service.url);
});

afterAll(async () => {
  await gate?.close();
  await service?.assertSound();
  await service?.close();
  await chain?.close();
});

beforeEach(async () => {
  payer = await chain.createKeypair({ usdc: usdc('20') });
  place = createPlace({
    PENNYPOST_URL: gate.url,
    PENNYPOST_SOLANA_KEY: toBase58(payer.secretKey),
    PENNYPOST_SOLANA_RPC_URL: chain.rpcUrl,
  });
  gate.payments.length = 0;
});

afterEach(() => {
  gate.setMode('pass');
  place.remove();
});

const spent = async () => usdc('20') - (await chain.usdcBalance(payer.publicKey));

test('a payment on Solana is made with the key that is there, and names its request', async () => {
  const ran = await place.run(['send', 'x:alice', '1', '--yes', '--json']);
  expect(ran).toMatchObject({
    code: 0,
    json: { status: 'paid', network: 'solana', from: payer.publicKey.toBase58(), amount: 1 },
  });
  expect(await spent()).toBe(usdc('1'));
  const sent = JSON.parse(Buffer.from(gate.payments[0] ?? '', 'base64').toString()) as {
    payload: { transaction: string };
  };
  const { message } = decodeTransaction(Buffer.from(sent.payload.transaction, 'base64'));
  const memo = Buffer.from(message.instructions.at(-1)?.data ?? []).toString();
  expect(isBoundNonce(memo, requestHash('rest.pay', { platform: 'x' }, { receiver: 'alice', amount: '1' }))).toBe(true);
});

test('a batch on Solana is one payment', async () => {
  writeFileSync(place.file('batch.csv'), 'recipient,amount\nx:alice,0.5\ngithub:octocat,0.25\n');
  expect(await place.run(['batch', place.file('batch.csv'), '--yes'])).toMatchObject({ code: 0 });
  expect(await spent()).toBe(usdc('0.75'));
});

test('play money needs nothing but the file that local mode writes', async () => {
  const privateKey = toBase58(payer.secretKey);
  const payers = [{ network: 'solana', address: payer.publicKey.toBase58(), privateKey }];
  writeFileSync(place.file('payers.json'), JSON.stringify({ rpc: { solana: chain.rpcUrl }, payers }));
  const environment = { PENNYPOST_HOME: place.home, PENNYPOST_URL: gate.url };
  const ran = await place.run(['send', 'x:alice', '1', '--yes', '--play', place.file('payers.json')], { environment });
  expect(ran.code).toBe(0);
  expect(ran.err).not.toContain('Note:');
  expect(await spent()).toBe(usdc('1'));
});

test('without a Solana node nothing is signed: there is no public default', async () => {
  const environment = { ...place.environment, PENNYPOST_SOLANA_RPC_URL: '' };
  const ran = await place.run(['send', 'x:alice', '1', '--yes'], { environment });
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('--solana-rpc');
  expect(gate.payments).toEqual([]);
});

test('a node that does not answer ends it before anything is signed or counted', async () => {
  const args = ['send', 'x:alice', '1', '--yes', '--json', '--max-day', '1'];
  const broken = await place.run([...args, '--solana-rpc', 'http://127.0.0.1:9']);
  expect(broken).toMatchObject({ code: 1, json: { error: 'solana_unavailable' } });
  expect(await place.run(args)).toMatchObject({ code: 0 });
});

test('killed while its payment is in flight, it is resumed without a key and paid once', async () => {
  gate.setMode('lose');
  const child = place.spawn(['send', 'x:alice', '2', '--yes']);
  await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  gate.setMode('pass');
  const environment = { ...place.environment, PENNYPOST_SOLANA_KEY: '' };
  expect(await place.run(['resume', '--json'], { environment })).toMatchObject({
    code: 0,
    json: { payments: [{ status: 'paid' }] },
  });
  expect(new Set(gate.payments).size).toBe(1);
  expect(await spent()).toBe(usdc('2'));
});

test('a header that never arrived and whose blockhash is over is dead: a new payment is made, and paid once', async () => {
  gate.setMode('hold');
  const child = place.spawn(['send', 'x:alice', '2', '--yes', '--max-day', '2']);
  await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  gate.setMode('pass');
  chain.expireBlockhashes();
  const send = ['send', 'x:alice', '2', '--yes', '--json', '--max-day'];
  // It asks again sooner than it was told to.
  const impatient = { sleep: (milliseconds: number) => sleep(Math.min(milliseconds, 500)) };
  // That it never arrived is the word of the service: it counts like one that did.
  expect(await place.run([...send, '2'], impatient)).toMatchObject({ code: 1, json: { error: 'over_day_cap' } });
  const ran = await place.run([...send, '4'], impatient);
  expect(ran).toMatchObject({ code: 0, json: { status: 'paid' } });
  expect(ran.json['earlier']).toBeUndefined();
  expect(new Set(gate.payments).size).toBe(2);
  expect(await spent()).toBe(usdc('2'));
});
