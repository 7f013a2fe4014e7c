import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonPost, startInstallation, type Installation } from './installation.ts';

/** Which requests are the same one: a proof, a key and a retry hold for the same request only. */
let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());

/** The name that the challenge gives to a request. */
async function nameOf(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const reply = await installation.send(path, jsonPost(body, headers));
  expect(reply.status).toBe(402);
  const [first] = reply.body.accepts as { extra: { requestHash: string } }[];
  return first?.extra.requestHash ?? '';
}

const PAY = '/payments/code/pay';
const BODY = '{"receiver":"octocat","amount":1.5,"meta":{"a":1,"b":[2,3]}}';

describe('is the same request', () => {
  test.each([
    [
      'with other white space',
      PAY,
      '{ "receiver" : "octocat",\n "amount" : 1.5, "meta" : { "a" : 1, "b" : [ 2, 3 ] } }',
    ],
    ['with its keys in another order', PAY, '{"meta":{"b":[2,3],"a":1},"amount":1.5,"receiver":"octocat"}'],
    ['with a number in another spelling', PAY, '{"receiver":"octocat","amount":15e-1,"meta":{"a":1.0,"b":[2,3]}}'],
    ['with letters as escapes', PAY, '{"receiver":"\\u006fctocat","amount":1.5,"meta":{"a":1,"b":[2,3]}}'],
    ['at another name of the platform', '/payments/github/pay', BODY],
    ['at the name in capitals', '/payments/CODE/pay', BODY],
    ['with a query', `${PAY}?a=1`, BODY],
  ])('%s', async (_name, path, body) => {
    expect(await nameOf(path, body)).toBe(await nameOf(PAY, BODY));
  });

  test('under another idempotency key, type or origin: those are no part of it', async () => {
    const headers = {
      'Idempotency-Key': 'order-0123456789abcdef',
      'content-type': 'application/vnd.api+json',
      Origin: 'https://a',
    };
    expect(await nameOf(PAY, BODY, headers)).toBe(await nameOf(PAY, BODY));
  });
});

describe('is another request', () => {
  test.each([
    ['for another receiver', PAY, BODY.replace('octocat', 'octodog')],
    ['for the same receiver in another spelling', PAY, BODY.replace('octocat', '@octocat')],
    ['for another amount', PAY, BODY.replace('1.5', '1.6')],
    ['for the amount as text', PAY, BODY.replace('1.5', '"1.5"')],
    ['with another note', PAY, BODY.replace('}}', '},"description":"lunch"}')],
    ['with a key that nobody knows', PAY, BODY.replace('}}', '},"future":1}')],
    ['with a list in another order', PAY, BODY.replace('[2,3]', '[3,2]')],
    ['on another platform', '/payments/x/pay', BODY],
  ])('%s', async (_name, path, body) => {
    expect(await nameOf(path, body)).not.toBe(await nameOf(PAY, BODY));
  });

  test('by another operation with the very same body', async () => {
    const body = { receivers: [{ platform: 'x', receiver: 'alice', amount: 1 }] };
    expect(await nameOf('/payments/x/batch-pay', body)).not.toBe(await nameOf('/payments/batch-pay', body));
    const both = { ...body, receiver: 'alice', amount: 1 };
    expect(await nameOf('/payments/x/pay', both)).not.toBe(await nameOf('/payments/x/batch-pay', both));
  });
});
