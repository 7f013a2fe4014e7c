import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from 'mcp-v1/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from 'mcp-v1/client/stdio.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, usdc, type TestService } from '../support/service.ts';
import { createPlace, COMPILED, PROGRAM, type Place } from './client.ts';
import { startGate, type Gate } from './gate.ts';

let chain: BaseChain;
let service: TestService;
let gate: Gate;
let place: Place;
let address: `0x${string}`;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, settlementWaitMs: 5_000 });
  gate = await startGate(service.url);
});

afterAll(async () => {
  await gate?.close();
  await service?.assertSound();
  await service?.close();
  await chain?.close();
});

beforeEach(async () => {
  const privateKey = generatePrivateKey();
  address = privateKeyToAccount(privateKey).address;
  await chain.fundUsdc(address, usdc('50'));
  place = createPlace({ PENNYPOST_URL: gate.url });
  const payers = { rpc: { base: chain.rpcUrl }, payers: [{ network: 'base', address, privateKey }] };
  writeFileSync(place.file('payers.json'), JSON.stringify(payers));
  gate.payments.length = 0;
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  gate.setMode('pass');
  place.remove();
});

const spent = async () => usdc('50') - (await chain.usdcBalance(address));

type Result = { isError?: boolean; structuredContent: Record<string, unknown>; content: { text: string }[] };
type Call = (name: string, args?: Record<string, unknown>) => Promise<Result>;

const server = (args: string[], program = COMPILED) => ({
  command: process.execPath,
  args: [program, 'mcp', '--play', place.file('payers.json'), ...args],
  env: { PATH: process.env['PATH'] ?? '', ...place.environment },
  stderr: 'ignore' as const,
});

async function connect(args: string[] = []): Promise<{ client: Client; call: Call }> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport(server(args)));
  closers.push(() => client.close());
  return {
    client,
    call: async (name, args_ = {}) => (await client.callTool({ name, arguments: args_ })) as unknown as Result,
  };
}

async function connectV1(args: string[] = []): Promise<{ client: ClientV1; call: Call }> {
  const client = new ClientV1({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransportV1(server(args, PROGRAM)));
  closers.push(() => client.close());
  return {
    client,
    call: async (name, args_ = {}) => (await client.callTool({ name, arguments: args_ })) as unknown as Result,
  };
}

/** Answers with the number of what was paid. */
const paysOne = async (call: Call) => {
  const paid = await call('send_usdc', { recipient: 'x:alice', amount: 0.5, note: 'for the tea' });
  expect(paid).toMatchObject({ structuredContent: { ok: true, status: 'paid', amount: 0.5, network: 'base' } });
  expect(await spent()).toBe(usdc('0.5'));
  return paid.structuredContent['txn_id'];
};

const pays = async (call: Call) => {
  const txnId = await paysOne(call);
  const found = await call('check_payment', { txn_id: txnId });
  expect(found.structuredContent).toMatchObject({
    ok: true,
    txn_id: txnId,
    payment_status: expect.any(String),
  });
  const batch = await call('send_usdc_batch', {
    payments: [
      { recipient: 'github:octocat', amount: '0.25' },
      { recipient: 'a@example.com', amount: 0.1 },
    ],
  });
  expect(batch.structuredContent).toMatchObject({
    ok: true,
    status: 'paid',
    lines: [{ amount: 0.25 }, { amount: 0.1 }],
  });
  expect((await call('payment_limits')).structuredContent).toMatchObject({
    spent_today: 0.85,
    left_today: 9.15,
    from: address.toLowerCase(),
  });
  expect(await spent()).toBe(usdc('0.85'));
};

test('the official client lists the tools, pays, asks and sees its limits', async () => {
  const { client, call } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'check_payment',
    'payment_limits',
    'send_usdc',
    'send_usdc_batch',
  ]);
  const send = tools.find(({ name }) => name === 'send_usdc');
  for (const said of ['1 USDC a call', '10 USDC a day', 'never paid twice', 'no wallet'])
    expect(send?.description).toContain(said);
  expect(send?.inputSchema).toMatchObject({ type: 'object', required: ['recipient', 'amount'] });
  await pays(call);
});

test('the official client of the line before lists and pays too', async () => {
  const { client, call } = await connectV1();
  expect((await client.listTools()).tools).toHaveLength(4);
  await paysOne(call);
});

const DRY = { ok: true, status: 'dry_run', total: 0.5 };

test('a dry run of the server, or of a call, signs nothing, and what is refused is a result that a model can act on', async () => {
  const [dry, { call }] = await Promise.all([connect(['--dry-run']), connect()]);
  const given = { recipient: 'x:alice', amount: 0.5 };
  expect((await dry.call('send_usdc', given)).structuredContent).toMatchObject(DRY);
  expect((await call('send_usdc', { ...given, dry_run: true })).structuredContent).toMatchObject(DRY);
  const refused = [
    [{ recipient: 'x:alice', amount: 1.01 }, 'over_call_cap'],
    [{ recipient: 'x:no body', amount: 0.5 }, 'invalid_receiver'],
    [{ recipient: 'alice', amount: 0.5 }, 'bad_usage'],
    [{ recipient: 'x:alice', amount: 0.0100001 }, 'invalid_amount'],
  ] as const;
  for (const [args, error] of refused) {
    expect(await call('send_usdc', args)).toMatchObject({ isError: true, structuredContent: { ok: false, error } });
  }
  expect(gate.payments).toEqual([]);
});

test('the cap of a day holds when calls come side by side, through two servers on one wallet', async () => {
  const servers = await Promise.all([connect(['--max-day', '3']), connect(['--max-day', '3'])]);
  const names = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(
    servers.flatMap(({ call }, index) =>
      names.map((name) => call('send_usdc', { recipient: `x:${name}${index}`, amount: 1 })),
    ),
  );
  const paid = results.filter(({ structuredContent }) => structuredContent['ok'] === true).length;
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThanOrEqual(3);
  const refused = results.filter(({ structuredContent }) => structuredContent['error'] === 'over_day_cap');
  expect(refused).toHaveLength(8 - paid);
  expect(await spent()).toBe(usdc(String(paid)));
});

test('what its client stopped waiting for, or lost with its server, is answered by the next call of the same, and paid once', async () => {
  const { client, call } = await connect();
  gate.setMode('lose');
  const stop = new AbortController();
  const given = client.callTool(
    { name: 'send_usdc', arguments: { recipient: 'x:alice', amount: 1 } },
    { signal: stop.signal },
  );
  const end = given.catch((error: unknown) => error);
  await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
  stop.abort();
  expect(await end).toBeInstanceOf(Error);
  gate.setMode('pass');
  await isAnsweredOnce(call, 'x:alice', 1);

  gate.setMode('hold');
  const killed = call('send_usdc', { recipient: 'x:bob', amount: 1 }).catch((error: unknown) => error);
  await eventually(async () => expect(new Set(gate.payments).size).toBe(2), 30_000);
  await closers.pop()?.();
  expect(await killed).toBeInstanceOf(Error);
  gate.setMode('pass');
  const next = await connect();
  await isAnsweredOnce(next.call, 'x:bob', 2);
  const open = readdirSync(join(place.home, 'payments')).filter((name) => name.endsWith('.json'));
  expect(open).toEqual([]);
});

/** `count`: of the payments of 1 USDC until then. */
async function isAnsweredOnce(call: Call, recipient: string, count: number): Promise<void> {
  const again = await call('send_usdc', { recipient, amount: 1 });
  expect(again.structuredContent).toMatchObject({ ok: true, earlier: true });
  expect(new Set(gate.payments).size).toBe(count);
  expect(await spent()).toBe(usdc(String(count)));
}

test('a server ends at once when its host does, whatever it waits for', async () => {
  gate.setMode('hold');
  const child = place.spawn(['mcp', '--play', place.file('payers.json')]);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const call = { name: 'send_usdc', arguments: { recipient: 'x:alice', amount: 1 } };
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: info })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
  await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
  const before = Date.now();
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(Date.now() - before).toBeLessThan(20_000);
});

test('a server without a key ends at once with a word about it, and never asks', async () => {
  const child = place.spawn(['mcp']);
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  // Not at `exit`: what it has said may still be on its way then.
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(2);
  expect(err).toContain('pennypost key import');
});
