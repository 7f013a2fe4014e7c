/** Agents pay over MCP against the running service: both lines of the official client, on both networks. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toHeader } from '../../core/payments/x402.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { signingStops } from '../../db/store/stops.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { call, say } from '../api/mcp/caller.ts';
import { CLIENTS, connectV1, connectV2, refusedBy, type McpClient } from '../api/mcp/clients.ts';
import { openWallet, type Wallet } from '../api/mcp/wallet.ts';
import { startLocalService } from '../support/local-service.ts';

let service: Service;
let url: string;
let base: Wallet;
/** Called at the named points of the accept step. */
let atPoint: (name: string) => void = () => undefined;

beforeAll(async () => {
  service = await startLocalService({ roles: ['api', 'worker'], failpoint: (name) => atPoint(name) });
  url = `${service.url}/mcp`;
  base = await openWallet(service, 'base');
});

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  const stops = await signingStops(service.store);
  await service.close();
  if (stops.length > 0) throw new Error(`signing stopped: ${JSON.stringify(stops)}`);
});

const single = z.object({
  txn_id: z.number(),
  amount: z.number(),
  receipt: z.url(),
  status: z.string(),
  settlement_attempt_id: z.string(),
});
const batch = z.object({
  settlement_attempt_id: z.string(),
  data: z.array(single.omit({ settlement_attempt_id: true })),
});
const settlement = z.object({ success: z.literal(true), transaction: z.string().min(1), network: z.string() });

/** Asks the price, signs it, and calls again: `meta` says where the payment goes. */
async function pay(client: McpClient, name: string, given: Record<string, unknown>, wallet: Wallet) {
  const { code, data } = await refusedBy(client.call(name, given));
  expect(code).toBe(-32402);
  const payment = await wallet.sign(data['paymentRequired']);
  const meta = { 'x402/payment': payment, taskId: data['taskId'] };
  return { result: await client.call(name, given, meta), meta, payment };
}

const paymentsNow = async () => (await service.store.read.select().from(service.store.tables.payments)).length;

/** Each pays on one network: what it sends is the same on both. */
const PAYING = CLIENTS.map((client, index) => [...client, index % 2 === 0 ? 'base' : 'solana'] as const);

describe.concurrent.each(PAYING)('the official client, %s', (_name, version, connect, network) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(url);
  });
  afterAll(() => client.close());

  test('speaks the version that it came for, and is shown the tools', async () => {
    expect(client.version()).toBe(version);
    expect(await client.tools()).toEqual(
      expect.arrayContaining(['pay_x', 'pay_decsocial', 'pay_email', 'pay_web', 'pay_code', 'batch_pay']),
    );
  });

  test('pays and gets its receipt', async () => {
    const wallet = await openWallet(service, network);
    const { result } = await pay(client, 'pay_x', { receiver: 'alice', amount: 0.5 }, wallet);
    const paid = single.parse(result.structuredContent);
    expect([paid.amount, paid.status, result.isError ?? false]).toEqual([0.5, 'pending_claim', false]);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    const { network: settledOn } = settlement.parse(result._meta?.['x402/payment-response']);
    expect(settledOn.startsWith(network === 'base' ? 'eip155:' : 'solana:')).toBe(true);
    const receipt = await fetch(paid.receipt, { headers: { accept: 'application/json' } });
    expect(await receipt.json()).toMatchObject({ data: { txn_id: paid.txn_id, amount: 0.5, recipient: 'x:alice' } });

    const validated = await client.call('validate_payment', { txn_id: paid.txn_id });
    expect(validated.structuredContent).toMatchObject({ txn_id: paid.txn_id, status: 'pending_claim', network });
  });

  test('is told what is wrong, where, and what was wanted', async () => {
    const refused = await refusedBy(client.call('pay_email', { receiver: 'nobody', amount: 0.5 }));
    expect([refused.code, refused.data['error'], refused.data['field']]).toEqual([
      -32602,
      'invalid_receiver',
      'receiver',
    ]);
  });
});

describe('a plain caller, without initialize', () => {
  /** Where else a payment may stand. */
  const places: [string, (payment: object) => { meta?: object; headers?: Record<string, string> }][] = [
    ['_meta["x402/payment"] as base64', (payment) => ({ meta: { 'x402/payment': toHeader({ ...payment }) } })],
    ['_meta.x402Payment', (payment) => ({ meta: { x402Payment: payment } })],
    ['_meta["x402.payment"]', (payment) => ({ meta: { 'x402.payment': payment } })],
    ['the header PAYMENT-SIGNATURE', (payment) => ({ headers: { 'PAYMENT-SIGNATURE': toHeader({ ...payment }) } })],
    ['the header X-PAYMENT', (payment) => ({ headers: { 'X-PAYMENT': toHeader({ ...payment }) } })],
  ];
  test.concurrent.each(places)('pays with %s', async (place, put) => {
    const given = { receiver: 'bob', amount: 0.05, description: place };
    const asked = await say(service.url, call('pay_code', given));
    const { meta, headers = {} } = put(await base.sign(asked.error.data['paymentRequired']));
    const { status, result } = await say(service.url, call('pay_code', given, meta), { headers });
    expect(status).toBe(200);
    expect(single.parse(result['structuredContent']).amount).toBe(0.05);
  });

  test('pays in the form of the x402 specification', async () => {
    const given = { receiver: 'example.com', amount: 0.07 };
    const path = '/mcp?payment=result';
    const asked = await say(service.url, call('pay_web', given), { path });
    expect(asked.result['isError']).toBe(true);
    const payment = await base.sign(asked.result['structuredContent']);
    const { result } = await say(service.url, call('pay_web', given, { 'x402/payment': payment }), { path });
    expect([single.parse(result['structuredContent']).amount, result['isError']]).toEqual([0.07, undefined]);
  });

  test('pays many at once, each line with its own note', async () => {
    const payments = [
      { platform: 'github', receiver: 'octocat', amount: 0.02, description: 'for the tests' },
      { platform: 'x', receiver: 'alice', amount: '0.03' },
    ];
    const asked = await say(service.url, call('batch_pay', { payments }));
    expect(asked.error.data['accepts']).toMatchObject([{ amount: '50000' }, { amount: '50000' }]);
    const payment = await base.sign(asked.error.data['paymentRequired']);
    const { result } = await say(service.url, call('batch_pay', { payments }, { 'x402/payment': payment }));
    const { data, settlement_attempt_id: attempt } = batch.parse(result['structuredContent']);
    expect(data.map(({ amount }) => amount)).toEqual([0.02, 0.03]);
    const { lines } = service.store.tables;
    const rows = await service.store.read.select().from(lines).where(eq(lines.paymentId, attempt));
    expect(rows.map(({ note }) => note)).toEqual(['for the tests', null]);
    const pageOf = async (receipt: string) => (await fetch(receipt, { headers: { accept: 'text/html' } })).text();
    const [first, second] = await Promise.all(data.map(({ receipt }) => pageOf(receipt)));
    expect([first?.includes('for the tests'), second?.includes('for the tests')]).toEqual([true, false]);
    const found = await say(service.url, call('validate_payment', { txn_id: data[0]?.txn_id }));
    const { receipt } = single.parse(found.result['structuredContent']);
    expect(await pageOf(receipt)).not.toContain('for the tests');
  });
});

describe('one payment', () => {
  let client: McpClient;
  const given = { receiver: 'carol', amount: 0.11 };
  let paid: Awaited<ReturnType<typeof pay>>;
  beforeAll(async () => {
    client = await connectV2(url, 'auto');
    paid = await pay(client, 'pay_x', given, base);
  });
  afterAll(() => client.close());

  test('that comes again gets the same answer, with or without its task, and pays once', async () => {
    const { result, meta, payment } = paid;
    const before = await paymentsNow();
    const again = await Promise.all([
      client.call('pay_x', given, meta),
      client.call('pay_x', given, { x402Payment: payment }),
    ]);
    expect(again.map(({ structuredContent }) => structuredContent)).toEqual(Array(2).fill(result.structuredContent));
    const replayed = await say(service.url, call('pay_x', given, meta));
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await paymentsNow()).toBe(before);
  });

  test('pays for nothing else: other arguments, another tool, another interface', async () => {
    const { meta, payment } = paid;
    const bare = { 'x402/payment': payment };
    const refusals = await Promise.all([
      refusedBy(client.call('pay_x', { ...given, receiver: 'mallory' }, bare)),
      refusedBy(client.call('pay_decsocial', given, bare)),
      refusedBy(client.call('pay_x', { ...given, receiver: 'mallory' }, meta)),
    ]);
    expect(refusals.map(({ code, data }) => [code, data['error']])).toEqual([
      [-32602, 'payment_already_used'],
      [-32602, 'payment_already_used'],
      [-32602, 'validation_failed'],
    ]);
    const response = await fetch(`${service.url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': toHeader({ ...payment }) },
      body: JSON.stringify(given),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'payment_already_used' }),
    ]);
  });

  test('is found by its proof; one that was never presented is not, and is asked no price', async () => {
    const { result, payment } = paid;
    const found = await client.call('validate_payment', {}, { 'x402/payment': payment });
    expect(found.structuredContent['txn_id']).toBe(result.structuredContent['txn_id']);
    expect(found.structuredContent['receipt']).not.toBe(result.structuredContent['receipt']);
    const { data } = await refusedBy(client.call('pay_x', { receiver: 'erin', amount: 0.14 }));
    const kept = await base.sign(data['paymentRequired']);
    const refused = await refusedBy(client.call('validate_payment', {}, { 'x402/payment': kept }));
    expect([refused.code, refused.data['accepts'], refused.data['taskId']]).toEqual([-32402, [], undefined]);
  });

  test('of an empty wallet is refused with fresh requirements for the same task', async () => {
    const given = { receiver: 'frank', amount: 0.15 };
    const poor = await openWallet(service, 'base', { funded: false });
    const { data } = await refusedBy(client.call('pay_x', given));
    const meta = { 'x402/payment': await poor.sign(data['paymentRequired']), taskId: data['taskId'] };
    const refused = await refusedBy(client.call('pay_x', given, meta));
    expect([refused.code, refused.data['error'], refused.data['taskId']]).toEqual([
      -32402,
      'insufficient_funds',
      data['taskId'],
    ]);
    // The task is free again.
    const payment = await base.sign(refused.data['paymentRequired']);
    const paid = await client.call('pay_x', given, { 'x402/payment': payment, taskId: data['taskId'] });
    expect(paid.structuredContent['amount']).toBe(0.15);
  });
});

describe('a task', () => {
  test('is paid by one payer, however many come', async () => {
    const client = await connectV1(url);
    const given = { receiver: 'grace', amount: 0.16 };
    const { data } = await refusedBy(client.call('pay_x', given));
    const wallets = await Promise.all([1, 2, 3].map(() => openWallet(service, 'base')));
    const before = await paymentsNow();
    const outcomes = await Promise.all(
      wallets.map(async (wallet) => {
        const meta = { 'x402/payment': await wallet.sign(data['paymentRequired']), taskId: data['taskId'] };
        return client.call('pay_x', given, meta).then(
          () => 'paid',
          (error: { code: number; data: { error: string } }) => `${error.code} ${error.data.error}`,
        );
      }),
    );
    expect(outcomes.toSorted()).toEqual(['-32602 order_in_progress', '-32602 order_in_progress', 'paid']);
    expect(await paymentsNow()).toBe(before + 1);
    await client.close();
  });
});

describe('an answer', () => {
  const deliveryOf = async (payer: string, amount: bigint) => {
    const { payments } = service.store.tables;
    const rows = await service.store.read.select().from(payments).where(eq(payments.payer, payer));
    return rows.find(({ sumMicroUsdc }) => sumMicroUsdc === amount)?.delivery;
  };

  test('that was handed over ends it: the same call with a new payment pays again', async () => {
    const given = { receiver: 'heidi', amount: 0.17 };
    const buy = async () => {
      const { error } = await say(service.url, call('pay_x', given));
      const payment = { 'x402/payment': await base.sign(error.data['paymentRequired']), taskId: error.data['taskId'] };
      // On a connection that stays open it would be known only some seconds later that the answer was taken.
      const { result } = await say(service.url, call('pay_x', given, payment), { headers: { connection: 'close' } });
      return single.parse(result['structuredContent']).txn_id;
    };
    const first = await buy();
    await eventually(async () => expect(await deliveryOf(base.address, 170_000n)).toBe('handed'));
    expect(await buy()).not.toBe(first);
  });

  test('that nobody waited for is given to the retry, whose new payment is never settled', async () => {
    const given = { receiver: 'ivan', amount: 0.18 };
    const wallet = await openWallet(service, 'base');
    const { error } = await say(service.url, call('pay_x', given));
    const { taskId, paymentRequired } = error.data;
    const lost = new AbortController();
    atPoint = (name) => name === 'accept.after-claim' && lost.abort();
    const body = JSON.stringify(call('pay_x', given, { 'x402/payment': await wallet.sign(paymentRequired), taskId }));
    const headers = { 'content-type': 'application/json' };
    await expect(fetch(url, { method: 'POST', headers, body, signal: lost.signal })).rejects.toThrow('abort');
    atPoint = () => undefined;
    await eventually(async () => expect(await deliveryOf(wallet.address, 180_000n)).toBe('missed'));
    const before = await paymentsNow();
    const payment = await wallet.sign(paymentRequired);
    const retried = await say(service.url, call('pay_x', given, { 'x402/payment': payment, taskId }));
    expect(single.parse(retried.result['structuredContent']).amount).toBe(0.18);
    expect([retried.headers.get('Idempotent-Replayed'), await paymentsNow()]).toEqual(['true', before]);
  });
});
