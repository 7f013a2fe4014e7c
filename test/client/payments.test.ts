import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { askPrice, sendUntilKnown } from '../../client/channel.ts';
import { createPayments, type PaymentRequest } from '../../client/payments.ts';
import { fakeClock } from '../bot/harness.ts';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const request: PaymentRequest = {
  id: 'order_0123456789',
  route: '/payments/x/pay',
  body: { receiver: 'alice', amount: '1' },
};

async function serviceWith(listener: RequestListener, options: { apiToken?: string } = {}) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const closing = new AbortController();
  const clock = fakeClock(closing.signal);
  const payments = createPayments({ baseUrl: `http://127.0.0.1:${port}`, fetch, closing: closing.signal, ...options });
  const present = (wanted = request) => {
    const channel = payments.channel(wanted);
    return sendUntilKnown(() => channel.send('header'), { clock, limitMs: 180_000 });
  };
  return { clock, closing, present, price: () => askPrice(payments.channel(request), clock) };
}

const answer =
  (status: number, json: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(typeof json === 'string' ? json : JSON.stringify(json));

const receipt = 'http://localhost/receipts/abc';

describe('a 200', () => {
  test.each([
    ['a number as id', { code: 200, data: { txn_id: 7, receipt } }, 7],
    ['a text as id, as the published reference shows it', { code: 200, data: { txn_id: '7', receipt } }, 7],
    ['fields that are not known yet', { code: 200, more: 1, data: { txn_id: 7, receipt, more: 1 } }, 7],
  ])('with %s is a payment', async (_title, json, txnId) => {
    const { present } = await serviceWith(answer(200, json));
    expect(await present()).toMatchObject({ kind: 'paid', lines: [{ txnId, receipt, status: 'queued' }] });
  });

  test.each([
    ['no id', { code: 200, data: { receipt } }],
    ['an id that is no safe integer', { code: 200, data: { txn_id: 2 ** 53, receipt } }],
    ['a receipt that is a script', { code: 200, data: { txn_id: 7, receipt: 'javascript:alert(1)' } }],
    ['another code', { code: 402, data: { txn_id: 7, receipt } }],
    ['no JSON', '<html>'],
    ['more than 256 KiB', JSON.stringify({ code: 200, data: { txn_id: 7, receipt }, pad: 'x'.repeat(270_000) })],
  ])('with %s leaves the fate open', async (_title, json) => {
    const { present } = await serviceWith(answer(200, json));
    expect(await present()).toMatchObject({ kind: 'pending' });
  });
});

describe('a 200 for several', () => {
  const receivers = ['alice', 'bob'].map((receiver) => ({ receiver, amount: '1' }));
  const batch = { ...request, route: '/payments/x/batch-pay', body: { receivers } };
  const lineOf = (txn_id: number, more = {}) => ({
    txn_id,
    username: 'u',
    amount: 1,
    receipt,
    status: 'queued',
    ...more,
  });
  const presented = async (status: number, json: unknown) => {
    const { present } = await serviceWith(answer(status, json));
    return present(batch);
  };

  test('says what became of each of them, in the order of the request', async () => {
    const data = [lineOf(7, { status: 'paid' }), lineOf(8, { status: 'pending_claim' })];
    expect(await presented(200, { code: 200, data })).toMatchObject({
      kind: 'paid',
      lines: [
        { txnId: 7, receipt, status: 'paid' },
        { txnId: 8, receipt, status: 'pending_claim' },
      ],
    });
  });

  test('a state of later days promises nothing', async () => {
    const paid = await presented(200, { code: 200, data: [lineOf(7, { status: 'flown' }), lineOf(8)] });
    expect(paid).toMatchObject({ lines: [{ status: 'queued' }, { status: 'queued' }] });
  });

  test.each([
    ['a line too few', [lineOf(7)]],
    ['a line too many', [lineOf(7), lineOf(8), lineOf(9)]],
    ['a line without its receipt', [lineOf(7), { txn_id: 8, status: 'paid' }]],
    ['the answer for one', lineOf(7)],
  ])('with %s leaves the fate open', async (_title, data) => {
    expect(await presented(200, { code: 200, data })).toMatchObject({ kind: 'pending' });
  });

  test.each([
    ['receivers[1].receiver', 1],
    ['receivers[99].amount', 99],
    ['receivers[100].amount', null],
    ['description', null],
    [7, null],
  ])('a refusal that names %j is for that line', async (field, line) => {
    const refused = await presented(400, { code: 400, error: 'receiver_not_found', field });
    expect(refused).toMatchObject({ kind: 'refused', reason: 'receiver_not_found', line });
  });
});

test('a redirect is not followed: the proof goes nowhere else', async () => {
  let count = 0;
  const { present } = await serviceWith((incoming, response) => {
    count++;
    expect(incoming.url).toBe('/payments/x/pay');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await present()).toMatchObject({ kind: 'pending' });
  expect(count).toBeGreaterThan(1);
});

test('Retry-After is followed, within half a second and fifteen', async () => {
  for (const [asked, pauseMs] of [
    ['3', 3_000],
    ['0', 500],
    ['-5', 500],
    ['9999', 15_000],
    ['soon', 500],
  ] as const) {
    let tries = 0;
    const { present, clock } = await serviceWith((_incoming, response) => {
      const isFirst = tries++ === 0;
      if (isFirst) return void response.writeHead(500, { 'retry-after': asked }).end('{}');
      response.end(JSON.stringify({ code: 200, data: { txn_id: 7, receipt } }));
    });
    const before = clock.now();
    await present();
    expect(clock.now() - before).toBe(pauseMs);
    server.close();
  }
});

test('the reason of a refusal comes from the header, else from the body, and is a plain word', async () => {
  const word = async (json: unknown, headers = {}) => {
    const { present } = await serviceWith(answer(402, json, headers));
    const outcome = await present();
    server.close();
    return outcome.kind === 'refused' ? outcome.reason : outcome.kind;
  };
  expect(await word({ error: 'payment_required' }, { 'payment-error': 'insufficient_funds' })).toBe(
    'insufficient_funds',
  );
  expect(await word({ error: 'insufficient_funds' })).toBe('insufficient_funds');
  expect(await word({ error: '<b>Sorry</b>' })).toBe('unknown_answer');
  expect(await word('nothing')).toBe('unknown_answer');
});

test('the token goes along only when there is one', async () => {
  const seen: unknown[] = [];
  const listener: RequestListener = (incoming, response) => {
    seen.push(incoming.headers.authorization);
    answer(400, { error: 'invalid_receiver' })(incoming, response);
  };
  await (await serviceWith(listener)).price();
  server.close();
  await (await serviceWith(listener, { apiToken: 'secret-token' })).price();
  expect(seen).toEqual([undefined, 'Bearer secret-token']);
});

test('closing ends an open request at once, and no other follows', async () => {
  let count = 0;
  const { present, closing } = await serviceWith(() => {
    count++;
    closing.abort();
  });
  await expect(present()).rejects.toThrow('aborted');
  await expect(present()).rejects.toThrow('aborted');
  expect(count).toBe(1);
});
