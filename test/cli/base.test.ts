import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isBoundNonce, requestHash } from '../../core/request-hash.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { createLocalIdentity } from '../../local/identity.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, usdc, type TestService } from '../support/service.ts';
import { createPlace, typist, type Place } from './client.ts';
import { startGate, type Gate } from './gate.ts';

let chain: BaseChain;
let service: TestService;
let gate: Gate;
let place: Place;
let address: `0x${string}`;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  const local = createLocalIdentity('configured');
  // Everybody exists but "nobody".
  const identity: typeof local = {
    ...local,
    resolve: async (recipient) => (recipient.key === 'nobody' ? { kind: 'not-found' } : local.resolve(recipient)),
  };
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, identity, settlementWaitMs: 5_000 });
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
  await chain.fundUsdc(address, usdc('20'));
  place = createPlace({ PENNYPOST_URL: gate.url, PENNYPOST_BASE_KEY: privateKey });
  gate.payments.length = 0;
});

afterEach(() => {
  gate.setMode('pass');
  gate.spoilWith(null);
  place.remove();
});

const decode = <T>(header: string | null | undefined) =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as T;
const balance = () => chain.usdcBalance(address);
const spent = async () => usdc('20') - (await balance());
const openPayments = () => readdirSync(join(place.home, 'payments')).filter((name) => name.endsWith('.json'));

test('a payment is shown, agreed to and paid, and the receipt is named', async () => {
  const terminal = typist('y');
  const ran = await place.run(['send', 'x:Alice', '1', 'for the tea'], { terminal });
  expect(ran).toMatchObject({ code: 0 });
  for (const shown of [
    'X ',
    '@alice on X',
    '1.00 USDC',
    'Fee',
    address.toLowerCase(),
    'on Base',
    'for the tea',
    gate.url,
  ]) {
    expect(ran.err).toContain(shown);
  }
  expect(terminal.asked).toEqual(['Pay this? [y/N] ']);
  expect(await spent()).toBe(usdc('1'));
  expect(ran.out).toMatch(new RegExp(`${service.url}/receipts/\\S+`));
  expect(ran.out).toMatch(/pennypost check [0-9]+/);
});

test('what is not agreed to is not signed', async () => {
  const ran = await place.run(['send', 'x:alice', '1'], { terminal: typist('') });
  expect(ran).toMatchObject({ code: 1 });
  expect(gate.payments).toEqual([]);
  expect(await spent()).toBe(0n);
});

test('without a terminal and without --yes nothing happens', async () => {
  const ran = await place.run(['send', 'x:alice', '1']);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('--yes');
  expect(gate.payments).toEqual([]);
});

test('a dry run prices, signs nothing and keeps nothing', async () => {
  const ran = await place.run(['send', 'github:octocat', '0.5', '--dry-run', '--json']);
  expect(ran.code).toBe(0);
  expect(ran.json).toMatchObject({
    status: 'dry_run',
    amount: 0.5,
    fee: 0,
    total: 0.5,
    network: 'base',
    from: address.toLowerCase(),
  });
  expect(gate.payments).toEqual([]);
  expect(await spent()).toBe(0n);
});

test('a price names people as pages do', async () => {
  const ran = await place.run(['send', 'github:octocat', '0.5', '--dry-run']);
  expect(ran.out).toMatch(/^ {2}octocat on GitHub +0\.50 USDC$/m);
  const file = place.file('several.csv');
  writeFileSync(file, 'recipient,amount\nalice@example.com,0.1\nx:alice,0.1\nx:alice,0.2\n');
  const several = await place.run(['batch', file, '--dry-run']);
  for (const text of ['  alice@example.com ', '  @alice on X ', 'more than once: @alice on X']) {
    expect(several.out).toContain(text);
  }
});

test('a batch is one payment, and a program reads its lines', async () => {
  const file = place.file('batch.csv');
  writeFileSync(
    file,
    '\uFEFFplatform,receiver,amount,description\r\nx,alice,0.5,"thanks, all"\r\n\r\ngithub,octocat,0.25,"thanks, all"\r\n',
  );
  const ran = await place.run(['batch', file, '--yes', '--json']);
  expect(ran.code).toBe(0);
  expect(ran.json).toMatchObject({ status: 'paid', amount: 0.75, lines: [{ amount: 0.5 }, { amount: 0.25 }] });
  expect(gate.payments).toHaveLength(1);
  expect(await spent()).toBe(usdc('0.75'));
});

test('a payment is found again by its number', async () => {
  const { json } = await place.run(['send', 'x:alice', '0.1', '--yes', '--json']);
  const ran = await place.run(['check', String(json['txn_id']), '--json']);
  expect(ran).toMatchObject({ code: 0, json: { status: 'settled', txn_id: json['txn_id'], amount: 0.1 } });
  expect(await place.run(['check', '1'])).toMatchObject({ code: 1 });
});

test('every signature names its request', async () => {
  await place.run(['send', 'x:alice', '0.1', '--yes']);
  const sent = decode<{ payload: { authorization: { nonce: string } } }>(gate.payments[0]);
  const hash = requestHash('rest.pay', { platform: 'x' }, { receiver: 'alice', amount: '0.1' });
  expect(isBoundNonce(sent.payload.authorization.nonce, hash)).toBe(true);
});

test('an answer that is lost is asked for with the same header, and nothing is paid twice', async () => {
  gate.setMode('lose');
  const sleeps: number[] = [];
  const heal = async (milliseconds: number) => {
    sleeps.push(milliseconds);
    if (sleeps.length === 3) gate.setMode('pass');
  };
  const ran = await place.run(['send', 'x:alice', '1', '--yes'], { sleep: heal });
  expect(ran.code).toBe(0);
  expect(gate.payments.length).toBeGreaterThan(1);
  expect(new Set(gate.payments).size).toBe(1);
  expect(await spent()).toBe(usdc('1'));
});

test.each(['hold', 'lose'] as const)(
  'killed while its payment is in flight (%s), the next start sends the same header and pays once',
  async (mode) => {
    gate.setMode(mode);
    const child = place.spawn(['send', 'x:alice', '2', '--yes']);
    await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    gate.setMode('pass');
    expect(openPayments()).toHaveLength(1);
    const [sent] = gate.payments;
    const ran = await place.run(['resume', '--json']);
    expect(ran).toMatchObject({ code: 0, json: { payments: [{ status: 'paid', amount: 2 }] } });
    expect(new Set(gate.payments)).toEqual(new Set([sent]));
    expect(await spent()).toBe(usdc('2'));
    expect(openPayments()).toEqual([]);
  },
);

test('killed, the same command finishes the old payment and makes no new one; the one after that does', async () => {
  gate.setMode('hold');
  const child = place.spawn(['send', 'x:alice', '2', '--yes']);
  await eventually(async () => expect(gate.payments.length).toBeGreaterThan(0), 30_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  gate.setMode('pass');
  const again = await place.run(['send', 'x:alice', '2', '--yes', '--json']);
  expect(again).toMatchObject({ code: 0, json: { status: 'paid', earlier: true } });
  expect(new Set(gate.payments).size).toBe(1);
  expect(await spent()).toBe(usdc('2'));
  const another = await place.run(['send', 'x:alice', '2', '--yes', '--json']);
  expect(another.json['earlier']).toBeUndefined();
  expect(another.json['txn_id']).not.toBe(again.json['txn_id']);
  expect(await spent()).toBe(usdc('4'));
});

test('a payment that was paid and never reported is reported by the next command instead of being made again', async () => {
  const stdout = { write: (_text: string, done: (error: Error) => void) => done(new Error('the pipe is gone')) };
  await place.run(['send', 'x:alice', '1', '--yes'], { stdout: stdout as never });
  expect(openPayments()).toHaveLength(1);
  expect(await place.run(['send', 'x:alice', '1', '--yes', '--json'])).toMatchObject({
    code: 0,
    json: { earlier: true },
  });
  expect(await spent()).toBe(usdc('1'));
});

test('while nobody can say what became of a payment the end is 3, and no second one is signed', async () => {
  gate.setMode('hold');
  let now = Date.now();
  const slow = { now: () => now, sleep: async (milliseconds: number) => void (now += milliseconds) };
  // A service that takes a payment and says nothing useful about it.
  const pending: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('payment-signature')) return fetch(url, init);
    gate.payments.push(headers.get('payment-signature') ?? '');
    return Response.json({ code: 500, error: 'settlement_pending' }, { status: 500 });
  };
  const first = await place.run(['send', 'x:alice', '1', '--yes', '--json'], { ...slow, fetch: pending });
  expect(first).toMatchObject({ code: 3, json: { ok: false, status: 'unknown', error: 'fate_unknown' } });
  await place.run(['send', 'x:alice', '1', '--yes'], { ...slow, fetch: pending });
  expect(new Set(gate.payments).size).toBe(1);
});

test('a refused payment charges nothing; its part of the day stays taken, because only the service says so', async () => {
  const caps = ['--max-day', '1'];
  const refused = await place.run(['send', 'x:nobody', '0.8', '--yes', '--json', ...caps]);
  expect(refused).toMatchObject({ code: 1, json: { error: 'receiver_not_found' } });
  const again = await place.run(['send', 'x:nobody', '0.8', '--yes', '--json', ...caps]);
  expect(again).toMatchObject({ code: 1, json: { error: 'receiver_not_found' } });
  expect(gate.payments).toHaveLength(2);
  expect(new Set(gate.payments).size).toBe(1);
  const resumed = await place.run(['resume', '--json'], { now: later, fetch: denying });
  expect(resumed).toMatchObject({ code: 0, json: { payments: [{ status: 'refused' }] } });
  const held = await place.run(['send', 'x:alice', '0.8', '--yes', '--json', ...caps]);
  expect(held).toMatchObject({ code: 1, json: { error: 'over_day_cap' } });
  expect((await place.run(['send', 'x:alice', '0.2', '--yes', ...caps])).code).toBe(0);
  expect(await spent()).toBe(usdc('0.2'));
});

const later = () => Date.now() + 400_000;

/** A service that takes no payment, or says so. */
const denying: typeof fetch = async (url, init) => {
  if (!new Headers(init?.headers).has('payment-signature')) return fetch(url, init);
  return Response.json({ code: 402, error: 'invalid_exact_evm_payload_authorization_valid_before' }, { status: 402 });
};

test('a service that takes payments and denies it gets no more than the limit of the day', async () => {
  const lying: typeof fetch = async (url, init) => {
    if (new Headers(init?.headers).has('payment-signature')) await fetch(url, init);
    return denying(url, init);
  };
  const codes: number[] = [];
  for (let hours = 0; hours < 3; hours += 1) {
    const send = ['send', 'x:alice', '0.8', '--yes', '--json', '--max-day', '1'];
    codes.push((await place.run(send, { fetch: lying })).code);
    await place.run(['resume', '--json'], { now: later, fetch: denying });
  }
  expect(codes).toEqual([1, 1, 1]);
  expect(await spent()).toBe(usdc('0.8'));
});

test('a payment that was refused for want of money goes through with the same header once there is some', async () => {
  const privateKey = generatePrivateKey();
  const poor = privateKeyToAccount(privateKey).address;
  const environment = { ...place.environment, PENNYPOST_BASE_KEY: privateKey };
  const refused = await place.run(['send', 'x:alice', '1', '--yes', '--json'], { environment });
  expect(refused).toMatchObject({ code: 1, json: { error: 'insufficient_funds' } });
  await chain.fundUsdc(poor, usdc('1'));
  expect(await place.run(['send', 'x:alice', '1', '--yes', '--json'], { environment })).toMatchObject({ code: 0 });
  expect(new Set(gate.payments).size).toBe(1);
  expect(await chain.usdcBalance(poor)).toBe(0n);
});

test('looking after open payments never sends one whose maker was told that it is refused', async () => {
  await place.run(['send', 'x:nobody', '0.8', '--yes']);
  const before = gate.payments.length;
  expect(await place.run(['resume', '--json'])).toMatchObject({ code: 0, json: { payments: [], refused_before: 1 } });
  expect(gate.payments).toHaveLength(before);
});

test('the limit of a call and the limit of a day hold, fees included', async () => {
  expect(await place.run(['send', 'x:alice', '2', '--yes', '--json', '--max-call', '1.5'])).toMatchObject({
    code: 1,
    json: { error: 'over_call_cap' },
  });
  expect(gate.payments).toEqual([]);
  const runs = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      place.run(['send', `x:${name}`, '1', '--yes', '--json', '--max-day', '3']),
    ),
  );
  const paid = runs.filter(({ code }) => code === 0);
  expect(paid.length).toBeLessThanOrEqual(3);
  expect(paid.length).toBeGreaterThan(0);
  expect(runs.filter(({ json }) => json['error'] === 'over_day_cap')).toHaveLength(6 - paid.length);
  expect(await spent()).toBe(usdc(String(paid.length)));
});

test('the same command twice at once is one payment', async () => {
  const runs = await Promise.all([1, 2, 3, 4].map(() => place.run(['send', 'x:alice', '1', '--yes', '--json'])));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const sums = new Set(runs.map(({ json }) => json['txn_id'])).size;
  // One that began when another had ended is a payment of its own; side by side they are the same.
  expect(new Set(gate.payments).size).toBe(sums);
  expect(await spent()).toBe(usdc('1') * BigInt(sums));
});

type Terms = { amount: string; asset: string; payTo: string; extra: Record<string, string>; network: string };
const FORGED: [string, (terms: Terms) => void, string][] = [
  ['another token', (terms) => (terms.asset = '0x00000000000000000000000000000000000000ff'), 'price_not_agreed'],
  ['a higher price', (terms) => (terms.amount = '1060000'), 'fee_too_high'],
  ['a lower price', (terms) => (terms.amount = '990000'), 'price_not_agreed'],
  ['another request', (terms) => (terms.extra['requestHash'] = '0'.repeat(64)), 'price_not_agreed'],
  ['no request', (terms) => delete terms.extra['requestHash'], 'price_not_agreed'],
  ['the zero address', (terms) => (terms.payTo = '0x0000000000000000000000000000000000000000'), 'price_not_agreed'],
  ['the payer', (terms) => (terms.payTo = address), 'price_not_agreed'],
  ['another name of the token', (terms) => (terms.extra['name'] = 'USDC'), 'price_not_agreed'],
  ['another network', (terms) => (terms.network = 'eip155:1'), 'network_not_offered'],
];

test.each(FORGED)('a price that names %s is refused before anything is signed', async (_what, forge, error) => {
  gate.spoilWith((status, headers, body) => {
    if (status !== 402) return { headers, body };
    const challenge = decode<{ accepts: Terms[] }>(headers.get('payment-required'));
    challenge.accepts.forEach(forge);
    headers.set('payment-required', toHeader(challenge));
    return { headers, body };
  });
  const ran = await place.run(['send', 'x:alice', '1', '--yes', '--json']);
  expect(ran).toMatchObject({ code: 1, json: { error } });
  expect(gate.payments).toEqual([]);
});

test('a fee is named, and one within --max-fee is agreed to', async () => {
  gate.spoilWith((_status, headers, body) => {
    const challenge = decode<{ accepts: Terms[] }>(headers.get('payment-required'));
    challenge.accepts.forEach((terms) => (terms.amount = '1050000'));
    headers.set('payment-required', toHeader(challenge));
    return { headers, body };
  });
  const args = ['send', 'x:alice', '1', '--dry-run', '--json'];
  expect(await place.run(args)).toMatchObject({ code: 0, json: { amount: 1, fee: 0.05, total: 1.05 } });
  expect(await place.run([...args, '--max-fee', '0.049999'])).toMatchObject({
    code: 1,
    json: { error: 'fee_too_high' },
  });
  // What a call may cost is what leaves the wallet.
  expect(await place.run([...args, '--max-call', '1'])).toMatchObject({ code: 1, json: { error: 'over_call_cap' } });
});

test('keys and payments are for their owner only', async () => {
  await place.run(['send', 'x:alice', '0.1', '--yes']);
  const directory = join(place.home, 'payments');
  expect(statSync(directory).mode & 0o077).toBe(0);
  for (const name of readdirSync(directory)) {
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
    expect(readFileSync(join(directory, name), 'utf8')).not.toContain(
      place.environment['PENNYPOST_BASE_KEY']?.slice(2),
    );
  }
});

test('a service that nobody answers at ends in one line, and nothing was signed', async () => {
  const ran = await place.run(['send', 'x:alice', '1', '--yes', '--url', 'http://127.0.0.1:9'], {
    sleep: async () => undefined,
  });
  expect(ran.code).toBe(1);
  expect(ran.err).toContain('Nothing was signed');
  expect(ran.err).not.toMatch(/^ +at /m);
});
