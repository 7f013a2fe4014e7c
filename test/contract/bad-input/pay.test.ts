import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  expectNothingClaimed,
  expectRefusal,
  jsonPost,
  startInstallation,
  type Installation,
  type Refusal,
} from '../installation.ts';
import { BAD_AMOUNTS } from './amounts.ts';
import { BAD_RECEIVERS } from './receivers.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());
afterEach(() => expectNothingClaimed(installation));

async function expectRefused(platform: string, body: unknown, refusal: Refusal): Promise<string> {
  const reply = await installation.send(`/payments/${platform}/pay`, jsonPost(body));
  expectRefusal(installation, 'pay', reply, refusal);
  return reply.body.detail;
}

test('control: the same request without a mistake is offered a price', async () => {
  const reply = await installation.send('/payments/x/pay', jsonPost({ receiver: 'alice', amount: 1 }));
  expect([reply.status, reply.body['error']]).toEqual([402, 'payment_required']);
});

describe('pay: an amount that is refused', () => {
  test.each(BAD_AMOUNTS)('%s', async (_name, text, error) => {
    const field = error === 'invalid_json' ? undefined : 'amount';
    await expectRefused('x', `{"receiver":"alice","amount":${text}}`, { status: 400, error, field });
  });

  test('a missing one says what is wanted', async () => {
    const detail = await expectRefused(
      'x',
      { receiver: 'alice' },
      { status: 400, error: 'validation_failed', field: 'amount' },
    );
    expect(detail).toBe('"amount" must be 0.01 to 10 USDC, as a number or decimal text, found nothing.');
  });
});

describe('pay: a receiver that is refused', () => {
  test.each(BAD_RECEIVERS)('%s (%s)', async (_name, platform, receiver) => {
    await expectRefused(
      platform,
      { receiver, amount: 1 },
      { status: 400, error: 'invalid_receiver', field: 'receiver' },
    );
  });

  test.each([
    ['missing', {}],
    ['null', { receiver: null }],
    ['a number', { receiver: 7 }],
    ['a list', { receiver: ['alice'] }],
    ['an object', { receiver: { handle: 'alice' } }],
    ['empty', { receiver: '' }],
  ])('%s', async (_name, body) => {
    await expectRefused('x', { ...body, amount: 1 }, { status: 400, error: 'validation_failed', field: 'receiver' });
  });

  test('its other name is held to the same', async () => {
    await expectRefused(
      'x',
      { receiver_username: '\u0430lice', amount: 1 },
      { status: 400, error: 'invalid_receiver', field: 'receiver' },
    );
  });

  test('a URL with a path is told the bare host, or the platform that it belongs to', async () => {
    const refusal = { status: 400, error: 'invalid_receiver', field: 'receiver' };
    expect(await expectRefused('web', { receiver: 'https://example.com/alice', amount: 1 }, refusal)).toContain(
      'write example.com',
    );
    expect(await expectRefused('web', { receiver: 'https://github.com/octocat', amount: 1 }, refusal)).toContain(
      'use code:octocat',
    );
  });
});

describe('pay: anything else in the body that is refused', () => {
  const order = { receiver: 'alice', amount: 1 };
  test.each<[string, unknown, string, string | undefined]>([
    ['another currency', { ...order, currency: 'EURC' }, 'invalid_currency', 'currency'],
    ['no currency', { ...order, currency: null }, 'invalid_currency', 'currency'],
    ['the currency in lower case', { ...order, currency: 'usdc' }, 'invalid_currency', 'currency'],
    ['a number as description', { ...order, description: 7 }, 'validation_failed', 'description'],
    [
      'a description that is too long',
      { ...order, description: 'a'.repeat(2_001) },
      'validation_failed',
      'description',
    ],
    ['U+0000 in a description', { ...order, description: 'a\u0000' }, 'validation_failed', 'description'],
    ['a text as meta', { ...order, meta: 'x' }, 'validation_failed', 'meta'],
    ['a list as meta', { ...order, meta: [] }, 'validation_failed', 'meta'],
    ['a number as reference', { ...order, transaction_hash: 7 }, 'validation_failed', 'transaction_hash'],
    ['an empty object', '{}', 'validation_failed', 'amount'],
    ['a list as body', [order], 'validation_failed', undefined],
    ['a text as body', '"alice"', 'validation_failed', undefined],
    ['null as body', 'null', 'validation_failed', undefined],
  ])('%s', async (_name, body, error, field) => {
    await expectRefused('x', body, { status: 400, error, field });
  });
});

test.each([
  ['web', 'https://example.com/post?x=1', 'example.com'],
  ['web', 'http://sub.example.com:8080', 'sub.example.com'],
  ['x', 'https://github.com/octocat', 'code:octocat'],
  ['x', 'https://x.com/alice', 'alice'],
])('pay: a receiver that plainly means another is told which: on %s, %s', async (platform, receiver, suggestion) => {
  const reply = await installation.send(`/payments/${platform}/pay`, jsonPost({ receiver, amount: 1 }));
  expectRefusal(installation, 'pay', reply, { status: 400, error: 'invalid_receiver', field: 'receiver' });
  expect((reply.body as unknown as { suggestion: string }).suggestion).toBe(suggestion);
  expect(reply.body['detail']).toContain(suggestion);
});

describe('pay: a platform that is refused', () => {
  test.each([
    ['unknown', 'myspace'],
    ['a look-alike', '\u0445'],
    ['empty', ''],
    ['two in one', 'x,code'],
    ['for bots only', 'photo'],
    ['for bots only, by its other name', 'instagram'],
    ['a chat', 'discord'],
    ['a key of every object', 'constructor'],
  ])('%s (%j)', async (_name, platform) => {
    const path = `/payments/${encodeURIComponent(platform)}/pay`;
    const reply = await installation.send(path, jsonPost({ receiver: 'alice', amount: 1 }));
    expectRefusal(installation, 'pay', reply, { status: 404, error: 'not_found' });
  });
});

describe('pay: an idempotency key that is refused', () => {
  test.each([
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
    ['a space inside', 'order 0123456789abcdef'],
    ['a letter beyond ASCII', 'ordre-0123456789-\u00e9'],
  ])('%s', async (_name, key) => {
    const init = jsonPost({ receiver: 'alice', amount: 1 }, { 'Idempotency-Key': key });
    const reply = await installation.send('/payments/x/pay', init);
    expectRefusal(installation, 'pay', reply, {
      status: 400,
      error: 'invalid_idempotency_key',
      field: 'Idempotency-Key',
    });
  });
});
